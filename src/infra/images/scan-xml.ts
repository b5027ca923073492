/**
 * Reads the markup of an SVG, once, from its first character to its last.
 *
 * Written by hand, and smaller than XML on purpose: no entities but the five of XML, no internal
 * subset, names in ASCII, bounded depth, elements and attributes. A package would read more than we
 * want to allow. That it might read something else than the renderer does no harm: the renderer
 * never sees the file, only what is written anew from what was read here (`write-svg.ts`).
 */

export interface XmlHandler {
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  close(): void;
  /** Whether the text of the element that is open is of interest; most is not, and costs. */
  wantsText(): boolean;
  text(text: string): void;
  instruction(target: string): void;
}

/** Not well-formed, or more than is allowed. */
export class BadXml extends Error {
  override readonly name = "BadXml";
  readonly isTooMuch: boolean;

  constructor(message: string, isTooMuch = false) {
    super(message);
    this.isTooMuch = isTooMuch;
  }
}

const ELEMENTS_MAX = 5_000;
const DEPTH_MAX = 64;
const ATTRIBUTES_MAX = 200;
const DOCTYPE_CHARS_MAX = 1_000;

const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;
const SPACE = /[ \t\r\n]*/y;
const ENTITY = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));|&/g;
const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

export function scanXml(source: string, handler: XmlHandler): void {
  if (CONTROL.test(source)) throw new BadXml("a control character");
  const cursor = new Cursor(source);
  const scan: Scan = { cursor, handler, open: [], elements: 0, doctypes: 0 };
  while (!cursor.isAtEnd()) {
    if (cursor.next() === "<") takeMarkup(scan);
    else handleText(scan, cursor.takeText(), decode);
  }
  if (scan.elements === 0 || scan.open.length > 0) throw new BadXml("it ends too early");
}

interface Scan {
  readonly cursor: Cursor;
  readonly handler: XmlHandler;
  readonly open: string[];
  elements: number;
  doctypes: number;
}

function takeMarkup(scan: Scan): void {
  const { cursor, handler } = scan;
  if (cursor.skip("<!--")) cursor.takeUntil("-->");
  else if (cursor.skip("<![CDATA[")) handleText(scan, cursor.takeUntil("]]>"), (text) => text);
  else if (cursor.skip("<!DOCTYPE")) takeDoctype(scan);
  else if (cursor.skip("<?")) {
    handler.instruction(cursor.takeName());
    cursor.takeUntil("?>");
  } else if (cursor.skip("</")) takeEndTag(scan);
  else if (cursor.skip("<")) takeElement(scan);
}

/** Only a name and where its grammar would be found, which nobody looks for. */
function takeDoctype(scan: Scan): void {
  const declared = scan.cursor.takeUntil(">");
  scan.doctypes++;
  if (scan.elements > 0 || scan.doctypes > 1) throw new BadXml("a doctype in the wrong place");
  if (declared.length > DOCTYPE_CHARS_MAX || /[[<]/.test(declared))
    throw new BadXml("a doctype that declares");
}

function takeElement(scan: Scan): void {
  const { cursor, handler, open } = scan;
  if (scan.elements > 0 && open.length === 0) throw new BadXml("a second root");
  scan.elements++;
  if (scan.elements > ELEMENTS_MAX) throw new BadXml("too many elements", true);
  const name = cursor.takeName();
  const attributes = takeAttributes(cursor);
  open.push(name);
  if (open.length > DEPTH_MAX) throw new BadXml("too deep", true);
  handler.open(name, attributes);
  const isEmpty = cursor.skip("/");
  cursor.demand(">");
  if (isEmpty) close(scan, name);
}

function takeAttributes(cursor: Cursor): Map<string, string> {
  const attributes = new Map<string, string>();
  for (;;) {
    const space = cursor.take(SPACE);
    if (cursor.next() === ">" || cursor.next() === "/") return attributes;
    if (space === "") throw new BadXml("no space before an attribute");
    const name = cursor.takeName();
    cursor.take(SPACE);
    cursor.demand("=");
    cursor.take(SPACE);
    const quote = cursor.skip('"') ? '"' : "'";
    if (quote === "'") cursor.demand("'");
    const value = cursor.takeUntil(quote);
    if (value.includes("<") || attributes.has(name)) throw new BadXml("a bad attribute");
    attributes.set(name, decode(value));
    if (attributes.size > ATTRIBUTES_MAX) throw new BadXml("too many attributes", true);
  }
}

function takeEndTag(scan: Scan): void {
  const name = scan.cursor.takeName();
  scan.cursor.take(SPACE);
  scan.cursor.demand(">");
  close(scan, name);
}

function close({ open, handler }: Scan, name: string): void {
  if (open.pop() !== name) throw new BadXml("tags that cross");
  handler.close();
}

function handleText({ open, handler }: Scan, text: string, read: (text: string) => string): void {
  if (open.length > 0) {
    if (handler.wantsText()) handler.text(read(text));
  } else if (text.trim() !== "") throw new BadXml("text outside the root");
}

class Cursor {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  next(): string | undefined {
    return this.#source[this.#at];
  }

  skip(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  demand(text: string): void {
    if (!this.skip(text)) throw new BadXml(`no ${text}`);
  }

  take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  takeName(): string {
    const name = this.take(NAME);
    if (name === "") throw new BadXml("a name is missing");
    return name;
  }

  takeUntil(end: string): string {
    const stop = this.#source.indexOf(end, this.#at);
    if (stop === -1) throw new BadXml(`no ${end}`);
    const found = this.#source.slice(this.#at, stop);
    this.#at = stop + end.length;
    return found;
  }

  /** Up to the next tag, or to the end. */
  takeText(): string {
    const next = this.#source.indexOf("<", this.#at);
    const stop = next === -1 ? this.#source.length : next;
    const found = this.#source.slice(this.#at, stop);
    this.#at = stop;
    return found;
  }
}

function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (_all, name, decimal, hex) => {
    if (name !== undefined) return ENTITIES[name] ?? "";
    const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
    if (!isCharacter(code)) throw new BadXml("an entity that is not one of the five");
    return String.fromCodePoint(code);
  });
}

function isCharacter(code: number): boolean {
  if (code === 9 || code === 10 || code === 13) return true;
  return (code >= 0x20 && code < 0xd800) || (code > 0xdfff && code <= 0x10ffff);
}

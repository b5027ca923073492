/**
 * XML as a small tree, for untrusted files: SVGs and the status files of banks. Smaller than XML on
 * purpose: no entities but the five of XML, no internal subset, names in ASCII, bounded depth,
 * elements and attributes.
 *
 * Our own and not a package, because each construct is found by one search: 4 MB of text or
 * comments take 10 to 40 ms, where `saxes` takes 300 to 740 (November 2026, 2 cores), and a picture
 * has 600 ms for everything (Decision 0069).
 */

export interface XmlElement {
  readonly name: string;
  /** The name without its prefix. */
  readonly local: string;
  /** Its namespace; undefined when none is declared for its prefix. */
  readonly uri: string | undefined;
  readonly line: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** The text directly inside of it. */
  text: string;
}

export interface XmlLimits {
  readonly depthMax: number;
  readonly elementsMax: number;
  readonly attributesMax: number;
  /** Of which elements the text is read; of all when it is absent. */
  textOf?(local: string): boolean;
}

/** Not well-formed, or more than is allowed. */
export class BadXml extends Error {
  override readonly name = "BadXml";
  readonly isTooMuch: boolean;
  /** As far as it was read. */
  readonly root: XmlElement | undefined;

  constructor(message: string, about: { root?: XmlElement | undefined; isTooMuch?: boolean } = {}) {
    super(message);
    this.root = about.root;
    this.isTooMuch = about.isTooMuch === true;
  }
}

const DOCTYPE_CHARS_MAX = 1_000;
const NAMESPACES_MAX = 5_000;
const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y;
const SPACE = /[ \t\r\n]*/y;
const REFERENCE = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,8})|#x([0-9A-Fa-f]{1,8}));|&/g;
const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
export const CONTROL_CHARACTER = "a control character";

/** `instructions`: the targets of processing instructions. */
export interface XmlDocument {
  readonly root: XmlElement;
  readonly instructions: readonly string[];
}

export function readXml(source: string, limits: XmlLimits): XmlDocument {
  if (CONTROL.test(source)) throw new BadXml(CONTROL_CHARACTER);
  const reader = new Reader(source, limits);
  try {
    return reader.read();
  } catch (error) {
    if (!(error instanceof BadXml)) throw error;
    const { isTooMuch } = error;
    throw new BadXml(error.message, { root: reader.root, isTooMuch });
  }
}

class Reader {
  root: XmlElement | undefined;
  readonly #source: string;
  readonly #limits: XmlLimits;
  readonly #open: { readonly element: XmlElement; readonly scope: Scope | undefined }[] = [];
  readonly #instructions: string[] = [];
  #at = 0;
  #elements = 0;
  #namespaces = 0;
  #doctypes = 0;
  #line = 1;
  #lineEnd: number;

  constructor(source: string, limits: XmlLimits) {
    this.#source = source;
    this.#limits = limits;
    this.#lineEnd = source.indexOf("\n");
  }

  read(): XmlDocument {
    const source = this.#source;
    while (this.#at < source.length) {
      const next = source.indexOf("<", this.#at);
      const end = next === -1 ? source.length : next;
      if (end > this.#at) this.#addText(source.slice(this.#at, end), decode);
      this.#at = end;
      if (next !== -1) this.#takeMarkup();
    }
    if (this.root === undefined || this.#open.length > 0) throw new BadXml("it ends too early");
    return { root: this.root, instructions: this.#instructions };
  }

  #takeMarkup(): void {
    if (this.#skip("<!--")) this.#takeUntil("-->");
    else if (this.#skip("<![CDATA[")) this.#addText(this.#takeUntil("]]>"), String);
    else if (this.#skip("<!DOCTYPE")) this.#takeDoctype();
    else if (this.#skip("<?")) {
      this.#instructions.push(this.#takeName());
      this.#takeUntil("?>");
    } else if (this.#skip("</")) {
      const name = this.#takeName();
      this.#take(SPACE);
      this.#demand(">");
      this.#close(name);
    } else {
      this.#demand("<");
      this.#takeElement();
    }
  }

  /** Only a name and where its grammar would be found, which is not read. */
  #takeDoctype(): void {
    const declared = this.#takeUntil(">");
    this.#doctypes += 1;
    if (this.#elements > 0 || this.#doctypes > 1) throw new BadXml("a doctype in the wrong place");
    if (declared.length > DOCTYPE_CHARS_MAX || /[[<]/.test(declared))
      throw new BadXml("a doctype that declares");
  }

  #takeElement(): void {
    const { elementsMax, depthMax } = this.#limits;
    const above = this.#open.at(-1);
    if (above === undefined && this.root !== undefined) throw new BadXml("a second root");
    this.#elements += 1;
    if (this.#elements > elementsMax) throw tooMuch(`has more than ${elementsMax} elements`);
    const line = this.#lineHere();
    const name = this.#takeName();
    const attributes = this.#takeAttributes();
    if (this.#open.length >= depthMax) throw tooMuch(`is nested more than ${depthMax} levels deep`);
    const scope = scopeWith(above?.scope, attributes);
    const [local = "", prefix = ""] = name.split(":").reverse();
    const uri = namespaceOf(prefix, scope);
    const element = { name, local, uri, line, attributes, children: [], text: "" };
    above?.element.children.push(element);
    this.root ??= element;
    this.#open.push({ element, scope });
    const isEmpty = this.#skip("/");
    this.#demand(">");
    if (isEmpty) this.#close(name);
  }

  #takeAttributes(): Map<string, string> {
    const attributes = new Map<string, string>();
    for (;;) {
      const space = this.#take(SPACE);
      const next = this.#source[this.#at];
      if (next === ">" || next === "/") return attributes;
      if (space === "") throw new BadXml("no space before an attribute");
      const name = this.#takeName();
      this.#take(SPACE);
      this.#demand("=");
      this.#take(SPACE);
      const quote = this.#skip('"') ? '"' : "'";
      if (quote === "'") this.#demand("'");
      const value = this.#takeUntil(quote);
      if (value.includes("<")) throw new BadXml("< in an attribute");
      if (attributes.has(name)) throw new BadXml("an attribute twice");
      attributes.set(name, decode(value));
      if (attributes.size > this.#limits.attributesMax) throw tooMuch("has too many attributes");
      if (name.startsWith("xmlns")) this.#namespaces += 1;
      if (this.#namespaces > NAMESPACES_MAX)
        throw tooMuch(`declares more than ${NAMESPACES_MAX} namespaces`);
    }
  }

  #close(name: string): void {
    if (this.#open.pop()?.element.name !== name) throw new BadXml(`</${name}> closes another tag`);
  }

  #addText(text: string, read: (text: string) => string): void {
    const inside = this.#open.at(-1)?.element;
    if (inside === undefined) {
      if (text.trim() !== "") throw new BadXml("text outside the root");
    } else if (this.#limits.textOf?.(inside.local) !== false) inside.text += read(text);
  }

  /** Counts on from the last call, so that the source is searched once. */
  #lineHere(): number {
    while (this.#lineEnd !== -1 && this.#lineEnd < this.#at) {
      this.#line += 1;
      this.#lineEnd = this.#source.indexOf("\n", this.#lineEnd + 1);
    }
    return this.#line;
  }

  #skip(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #demand(text: string): void {
    if (!this.#skip(text)) throw new BadXml(`no ${text}`);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #takeName(): string {
    const name = this.#take(NAME);
    if (name === "") throw new BadXml("a name is missing");
    return name;
  }

  #takeUntil(end: string): string {
    const stop = this.#source.indexOf(end, this.#at);
    if (stop === -1) throw new BadXml(`no ${end}`);
    const found = this.#source.slice(this.#at, stop);
    this.#at = stop + end.length;
    return found;
  }
}

function tooMuch(message: string): BadXml {
  return new BadXml(message, { isTooMuch: true });
}

function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (all, name, decimal, hex) => {
    if (name !== undefined) return ENTITIES[name] ?? "";
    if (all === "&") throw new BadXml("an entity that is not one of the five");
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (!isCharacter(code)) throw new BadXml(CONTROL_CHARACTER);
    return String.fromCodePoint(code);
  });
}

function isCharacter(code: number): boolean {
  if (code === 9 || code === 10 || code === 13) return true;
  return (
    (code >= 0x20 && code < 0xd800) ||
    (code > 0xdfff && code < 0xfffe) ||
    (code > 0xffff && code <= 0x10ffff)
  );
}

/**
 * The namespaces that one element declares, by prefix; the empty prefix is the default. A scope
 * refers to the one around it, because a copy for each element would take quadratic time.
 */
interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
}

function scopeWith(
  outer: Scope | undefined,
  attributes: ReadonlyMap<string, string>,
): Scope | undefined {
  const declared = [...attributes].filter(([name]) => /^xmlns(:|$)/.test(name));
  if (declared.length === 0) return outer;
  return { declared: new Map(declared.map(([name, uri]) => [name.slice(6), uri])), outer };
}

function namespaceOf(prefix: string, scope: Scope | undefined): string | undefined {
  for (let at = scope; at !== undefined; at = at.outer) {
    const uri = at.declared.get(prefix);
    if (uri !== undefined) return uri;
  }
  return undefined;
}

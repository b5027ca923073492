/**
 * XML as a small tree, read by `saxes`, which stops at the first error. Input is untrusted: depth,
 * elements and attributes are bounded while reading, and a document type that declares anything is
 * refused, so there are no entities but the five of XML. Namespaces are resolved here and not by the
 * parser, because drawing programs use prefixes that they do not declare.
 */

import { SaxesParser } from "saxes";

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
}

/** Not well-formed, or more than is allowed. */
export class BadXml extends Error {
  override readonly name = "BadXml";
  readonly isTooMuch: boolean;
  /** As far as it was read. */
  readonly root: XmlElement | undefined;

  constructor(message: string, about: { root: XmlElement | undefined; isTooMuch?: boolean }) {
    super(message);
    this.root = about.root;
    this.isTooMuch = about.isTooMuch === true;
  }
}

const DOCTYPE_CHARS_MAX = 1_000;
const NAMESPACES_MAX = 5_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
export const CONTROL_CHARACTER = "a control character";

/** `instructions`: the targets of processing instructions. */
export function readXml(
  source: string,
  limits: XmlLimits,
): { root: XmlElement; instructions: readonly string[] } {
  const parser = new SaxesParser({
    fragment: false,
    forceXMLVersion: true,
    defaultXMLVersion: "1.0",
  });
  const open: { element: XmlElement; scope: Scope | undefined }[] = [];
  const instructions: string[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let namespaces = 0;
  let attributes = new Map<string, string>();

  const refuse = (message: string, isTooMuch = false): never => {
    throw new BadXml(message, { root, isTooMuch });
  };
  const addText = (text: string) => {
    const inside = open.at(-1)?.element;
    if (inside !== undefined) inside.text += text;
  };
  parser.on("error", ({ message }) => {
    refuse(/character entity/.test(message) ? CONTROL_CHARACTER : message);
  });
  parser.on("doctype", (declared) => {
    if (declared.length > DOCTYPE_CHARS_MAX || /[[<]/.test(declared))
      refuse("a doctype that declares");
  });
  parser.on("processinginstruction", ({ target }) => void instructions.push(target));
  parser.on("opentagstart", () => {
    elements += 1;
    attributes = new Map();
    if (elements > limits.elementsMax) refuse(`has more than ${limits.elementsMax} elements`, true);
    if (open.length >= limits.depthMax)
      refuse(`is nested more than ${limits.depthMax} levels deep`, true);
  });
  parser.on("attribute", ({ name, value }) => {
    // The parser looks for duplicates only at the end of the tag, which may be far.
    if (attributes.has(name)) refuse("duplicate attribute");
    attributes.set(name, value);
    if (attributes.size > limits.attributesMax) refuse("has too many attributes", true);
    if (name.startsWith("xmlns")) namespaces += 1;
    if (namespaces > NAMESPACES_MAX)
      refuse(`declares more than ${NAMESPACES_MAX} namespaces`, true);
  });
  parser.on("opentag", ({ name }) => {
    const above = open.at(-1);
    const scope = scopeWith(above?.scope, attributes);
    const [local = "", prefix = ""] = name.split(":").reverse();
    const uri = namespaceOf(prefix, scope);
    const element = { name, local, uri, line: parser.line, attributes, children: [], text: "" };
    above?.element.children.push(element);
    root ??= element;
    open.push({ element, scope });
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", addText);
  parser.on("cdata", addText);

  if (CONTROL.test(source)) refuse(CONTROL_CHARACTER);
  parser.write(source).close();
  return { root: root ?? refuse("no root element"), instructions };
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

/**
 * An SVG as a small tree of what is drawn: shapes, groups, paint, effects and their style.
 *
 * Everything else is left out on the way: scripts, handlers, animation, metadata, foreign markup,
 * and text, for which there are no fonts (Decision 0021). What points outside the file is refused,
 * wherever it stands.
 */

import { PictureRefused } from "./picture-refused.ts";
import { BadXml, scanXml, type XmlHandler } from "./scan-xml.ts";

export interface SvgElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SvgElement[];
  /** What it refers to by `href`, inside the file. */
  readonly target: string | undefined;
  /** Only of `style`. */
  text: string;
}

const SVG = "http://www.w3.org/2000/svg";
const STYLE_CHARS_MAX = 200_000;

const DRAWN = new Set(
  (
    "svg g defs symbol use switch a path rect circle ellipse line polyline polygon style image " +
    "linearGradient radialGradient stop pattern clipPath mask marker filter feBlend " +
    "feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting " +
    "feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR " +
    "feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight " +
    "feSpecularLighting feSpotLight feTile feTurbulence"
  ).split(" "),
);

export function readSvg(file: Buffer): SvgElement {
  const source = decodeText(file);
  const reader = createReader();
  try {
    scanXml(source, reader.handler);
  } catch (error) {
    if (!(error instanceof BadXml)) throw error;
    if (error.isTooMuch) throw new PictureRefused("complex", error);
    // Markup that breaks before it has said that it is an SVG is of another type.
    throw new PictureRefused(reader.root() === undefined ? "type" : "damaged", error);
  }
  const root = reader.root();
  if (root === undefined) throw new PictureRefused("type");
  return root;
}

function decodeText(file: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch (error) {
    throw new PictureRefused("type", error);
  }
}

function createReader(): { handler: XmlHandler; root(): SvgElement | undefined } {
  let root: SvgElement | undefined;
  let styleChars = 0;
  /** One for each open tag; undefined inside of what is left out. */
  const open: { element: SvgElement | undefined; scope: Scope | undefined }[] = [];

  const handler: XmlHandler = {
    open(name, attributes) {
      const above = open.at(-1);
      const scope = scopeWith(above?.scope, attributes);
      const local = nameInSvg(name, scope);
      demandInside(attributes);
      if (above === undefined) {
        if (local !== "svg") throw new PictureRefused("type", `the root is ${name}`);
        root = elementOf(local, attributes);
        open.push({ element: root, scope });
        return;
      }
      const isDrawn = above.element !== undefined && local !== undefined && DRAWN.has(local);
      const element = isDrawn ? elementOf(local, attributes) : undefined;
      if (element !== undefined) above.element?.children.push(element);
      open.push({ element, scope });
    },
    close() {
      const { element } = open.pop() ?? {};
      if (element?.name === "style") demandInsideText(element.text);
    },
    wantsText: () => open.at(-1)?.element?.name === "style",
    text(text) {
      const element = open.at(-1)?.element;
      if (element === undefined) return;
      styleChars += text.length;
      if (styleChars > STYLE_CHARS_MAX) throw new PictureRefused("complex", "too much style");
      element.text += text;
    },
    instruction(target) {
      if (target === "xml-stylesheet") throw new PictureRefused("outside", target);
    },
  };
  return { handler, root: () => root };
}

function elementOf(name: string, attributes: ReadonlyMap<string, string>): SvgElement {
  const kept = [...attributes].filter(([attribute]) => isKept(attribute));
  const target = hrefOf(attributes);
  return { name, attributes: new Map(kept), children: [], target: target?.slice(1), text: "" };
}

function isKept(attribute: string): boolean {
  if (attribute === "xml:space") return true;
  return !attribute.includes(":") && !/^(xmlns$|href$|on)/i.test(attribute);
}

/** The plain one wins over that of XLink, whatever prefix that has. */
function hrefOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const named = [...attributes].filter(([name]) => /(^|:)href$/i.test(name));
  const value = (named.find(([name]) => name === "href") ?? named[0])?.[1].trim();
  return value === "" ? undefined : value;
}

function demandInside(attributes: ReadonlyMap<string, string>): void {
  for (const [name, value] of attributes) {
    if (/(^|:)href$/i.test(name) && !/^(#|$)/.test(value.trim()))
      throw new PictureRefused("outside", name);
    if (!name.startsWith("xmlns")) demandInsideText(value);
  }
}

/**
 * CSS, and values that may hold some. A backslash can spell any of these words another way, and no
 * drawing program writes one where it would matter.
 */
function demandInsideText(text: string): void {
  if (!/url|@import|src|image|\\/i.test(text)) return;
  const isPlain = !/@import|\\|\b(image|src|image-set)\s*\(/i.test(text);
  // Two runs of spaces next to each other would take quadratic time: the quote is between them.
  const pointsOutside = /url\s*\((?!\s*(?:["']\s*)?#)/i.test(text);
  if (!isPlain || pointsOutside) throw new PictureRefused("outside", "in a style");
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

/** The name without its prefix, or undefined when it is no name of SVG. */
function nameInSvg(name: string, scope: Scope | undefined): string | undefined {
  const colon = name.indexOf(":");
  const prefix = colon === -1 ? "" : name.slice(0, colon);
  // Files without any namespace are common enough, and mean SVG.
  const space = namespaceOf(prefix, scope) ?? (prefix === "" ? SVG : undefined);
  return space === SVG ? name.slice(colon + 1) : undefined;
}

/**
 * An SVG as a small tree of what is drawn: shapes, groups, paint, effects and their style.
 *
 * Everything else is left out: scripts, handlers, animation, metadata, foreign markup, and text,
 * for which there are no fonts (Decision 0021). What points outside the file is refused, wherever
 * it stands.
 */

import { BadXml, readXml, type XmlElement } from "../../kit/read-xml.ts";
import { PictureRefused } from "./picture-refused.ts";

export interface SvgElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SvgElement[];
  /** What it refers to by `href`, inside the file. */
  readonly target: string | undefined;
  /** Only of `style`. */
  readonly text: string;
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

const LIMITS = {
  elementsMax: 5_000,
  depthMax: 64,
  attributesMax: 200,
  textOf: (local: string) => local === "style",
};

export function readSvg(file: Buffer): SvgElement {
  const { root, instructions } = parse(decodeText(file));
  if (nameInSvg(root) !== "svg") throw new PictureRefused("type", `the root is ${root.name}`);
  if (instructions.includes("xml-stylesheet")) throw new PictureRefused("outside", "a style sheet");
  demandInside(root);
  const svg = drawn(root, "svg");
  const styleChars = charsOfStyle(svg);
  if (styleChars > STYLE_CHARS_MAX) throw new PictureRefused("complex", "too much style");
  return svg;
}

function decodeText(file: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch (error) {
    throw new PictureRefused("type", error);
  }
}

function parse(source: string): ReturnType<typeof readXml> {
  try {
    return readXml(source, LIMITS);
  } catch (error) {
    if (!(error instanceof BadXml)) throw error;
    // Markup that breaks before its root has shown that it is an SVG is of another type.
    if (error.root === undefined || nameInSvg(error.root) !== "svg")
      throw new PictureRefused("type", error);
    throw new PictureRefused(error.isTooMuch ? "complex" : "damaged", error);
  }
}

function drawn(element: XmlElement, name: string): SvgElement {
  const { attributes, children, text } = element;
  const kept = [...attributes].filter(([attribute]) => isKept(attribute));
  return {
    name,
    attributes: new Map(kept),
    target: hrefOf(attributes)?.slice(1),
    text: name === "style" ? text : "",
    children: children.flatMap((child) => {
      const local = nameInSvg(child);
      return local !== undefined && DRAWN.has(local) ? [drawn(child, local)] : [];
    }),
  };
}

function charsOfStyle({ text, children }: SvgElement): number {
  return children.reduce((sum, child) => sum + charsOfStyle(child), text.length);
}

function isKept(attribute: string): boolean {
  if (attribute === "xml:space") return true;
  return /^[\w.-]+$/.test(attribute) && !/^(xmlns$|href$|on)/i.test(attribute);
}

/** The plain one wins over that of XLink, whatever prefix that has. */
function hrefOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const named = [...attributes].filter(([name]) => /(^|:)href$/i.test(name));
  const value = (named.find(([name]) => name === "href") ?? named[0])?.[1].trim();
  return value === "" ? undefined : value;
}

/** Of every element, also of those that are left out. */
function demandInside({ attributes, children, local, text }: XmlElement): void {
  for (const [name, value] of attributes) {
    if (/(^|:)href$/i.test(name) && !/^(#|$)/.test(value.trim()))
      throw new PictureRefused("outside", name);
    if (!name.startsWith("xmlns")) demandInsideText(value);
  }
  if (local === "style") demandInsideText(text);
  for (const child of children) demandInside(child);
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

/** The name without its prefix, or undefined when it is no name of SVG. */
function nameInSvg({ name, local, uri }: XmlElement): string | undefined {
  // Files without any namespace are common enough, and mean SVG.
  const space = uri ?? (name === local ? SVG : undefined);
  return space === SVG ? local : undefined;
}

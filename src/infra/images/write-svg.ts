/**
 * Writes an SVG anew, as a square that its picture covers or in its own proportions: the renderer
 * then makes exactly the pixels that are kept, however large the picture says it is.
 */

import { escapeXml } from "../../kit/escape-xml.ts";
import { PictureRefused } from "./picture-refused.ts";
import { FRAMES, type PictureShape } from "./picture-size.ts";
import type { SvgElement } from "./read-svg.ts";

/** What CSS gives a picture that names no size and no view. */
const SIZE_WITHOUT_NAME = { width: 300, height: 150 };
const LENGTH = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(px|pt|pc|mm|cm|in|em|ex|%)?\s*$/i;
const PIXELS_PER_UNIT: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  ex: 8,
};
/** Beyond these a renderer that counts in single precision draws nothing sensible. */
const LENGTH_MIN = 1e-6;
const LENGTH_MAX = 1e9;

interface Size {
  readonly width: number;
  readonly height: number;
}

export function writeSvg(root: SvgElement, shape: PictureShape): string {
  const { width, height } = naturalSize(root);
  const drawn = drawnSize({ width, height }, shape);
  const attributes = new Map(root.attributes);
  for (const name of ["x", "y"]) attributes.delete(name);
  attributes.set("width", String(width)).set("height", String(height));
  const picture = { ...root, attributes };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
    `width="${drawn.width}" height="${drawn.height}" viewBox="0 0 ${width} ${height}" ` +
    `preserveAspectRatio="xMidYMid slice">${markupOf(picture)}</svg>`
  );
}

function drawnSize({ width, height }: Size, shape: PictureShape): Size {
  const frame = FRAMES[shape];
  if (frame.fit === "cover") return frame;
  const scale = Math.min(frame.width / width, frame.height / height);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

function naturalSize({ attributes }: SvgElement): Size {
  const width = lengthOf(attributes.get("width"));
  const height = lengthOf(attributes.get("height"));
  const view = viewOf(attributes.get("viewBox"));
  if (width !== undefined && height !== undefined) return { width, height };
  if (view === undefined)
    return {
      width: width ?? SIZE_WITHOUT_NAME.width,
      height: height ?? SIZE_WITHOUT_NAME.height,
    };
  if (width !== undefined) return { width, height: bounded((width * view.height) / view.width) };
  if (height !== undefined) return { width: bounded((height * view.width) / view.height), height };
  return view;
}

/** In pixels; undefined when it is not given or depends on what is around the picture. */
function lengthOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === "auto") return undefined;
  const [, number, unit = "px"] = LENGTH.exec(text) ?? [];
  if (number === undefined) throw new PictureRefused("damaged", "a length that is none");
  if (unit === "%") return undefined;
  return bounded(Number(number) * (PIXELS_PER_UNIT[unit.toLowerCase()] ?? 1));
}

function viewOf(text: string | undefined): Size | undefined {
  if (text === undefined) return undefined;
  const numbers = text.trim().split(/[\s,]+/);
  const [x, y, width, height] = numbers.map(Number);
  if (numbers.length !== 4 || !Number.isFinite(x) || !Number.isFinite(y))
    throw new PictureRefused("damaged", "a view of no four numbers");
  return { width: bounded(width), height: bounded(height) };
}

function bounded(length: number | undefined): number {
  if (length !== undefined && length >= LENGTH_MIN && length <= LENGTH_MAX) return length;
  throw new PictureRefused("damaged", `a length of ${length}`);
}

function markupOf(element: SvgElement): string {
  const { name, attributes, children, target, text } = element;
  const given = [...attributes].map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  if (target !== undefined) given.push(` xlink:href="#${escapeXml(target)}"`);
  const inside = escapeXml(text) + children.map(markupOf).join("");
  return `<${name}${given.join("")}>${inside}</${name}>`;
}

/**
 * What one element of an SVG may cost to draw on a canvas of 200 by 200, in milliseconds of the
 * processor, at most; infinite where that cannot be said from its markup (Decision 0069). A pattern
 * may have a tile of any size, a dash any length, a filter a region of any size: with a large one
 * a blur takes 225 ms, and the renderer asks for more memory than there is and aborts.
 *
 * Measured with resvg 2.6 on a 2-core machine, November 2026, with shapes that cover the canvas:
 * 1,000 circles 580 ms, gradients 510, opacity 620, masks 1,470, clips 1,090; 1,000 points of a
 * path 18, stroked 35 to 45.
 */

import type { SvgElement } from "./read-svg.ts";

const UNKNOWN = Number.POSITIVE_INFINITY;
const SHAPE_MS = 0.6;
const POINT_MS = 0.02;
const STROKED_POINT_MS = 0.07;
/** A layer of its own: what is drawn there is put on the canvas afterwards. */
const LAYER_MS = 0.9;
const CLIPPED_MS = 1.3;
/** Longer paths are not looked at: their points cannot be few. */
const GEOMETRY_CHARS_MAX = 100_000;
const STYLE_CHARS_MAX = 2_000;
const SHEET_CHARS_MAX = 20_000;

const SHAPES = new Set(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"]);
const LAYERS = new Set("opacity style mask clip-path filter mix-blend-mode isolation".split(" "));
const COSTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries("g defs use a switch style stop".split(" ").map((name) => [name, 0.01])),
  svg: CLIPPED_MS,
  symbol: CLIPPED_MS,
  linearGradient: 0.8,
  radialGradient: 0.8,
  mask: 1.5,
  clipPath: CLIPPED_MS,
};

/** Drawn where something refers to them, and nowhere else. */
const ONLY_REFERRED_TO = new Set(
  "defs symbol style linearGradient radialGradient mask clipPath filter".split(" "),
);

export function isDrawnInPlace({ name }: SvgElement): boolean {
  return !ONLY_REFERRED_TO.has(name);
}

/** Of the element alone, without its children and what it refers to. */
export function ownCostMs({ name, attributes }: SvgElement, isStroked: boolean): number {
  let cost = SHAPES.has(name) ? SHAPE_MS : (COSTS[name] ?? UNKNOWN);
  for (const [attribute, value] of attributes) {
    if (hasUnknownCost(attribute, value)) return UNKNOWN;
    if (LAYERS.has(attribute)) cost += LAYER_MS;
    if (attribute === "d" || attribute === "points") cost += geometryMs(value, isStroked);
  }
  return cost;
}

function geometryMs(path: string, isStroked: boolean): number {
  if (path.length > GEOMETRY_CHARS_MAX) return UNKNOWN;
  // Every number may be a point of its own, as in `h1v1`.
  const points = path.match(/\d+/g)?.length ?? 0;
  return points * (isStroked ? STROKED_POINT_MS : POINT_MS);
}

/** Dashes, markers and filters. */
function hasUnknownCost(attribute: string, value: string): boolean {
  if (attribute === "style")
    return value.length > STYLE_CHARS_MAX || /dasharray|marker|filter/i.test(value);
  return /^(stroke-dasharray|marker|filter$)/.test(attribute) && value.trim() !== "none";
}

/**
 * Of a style sheet with so many elements to match. One that selects by anything but names, classes
 * and ids, or that could add an effect to many elements at once, may cost anything.
 */
export function styleCostMs(text: string, elements: number): number {
  if (text === "") return 0;
  if (text.length > SHEET_CHARS_MAX) return UNKNOWN;
  if (/url|filter|mask|clip|marker|dasharray|opacity|blend|isolation|@/i.test(text)) return UNKNOWN;
  const rules = withoutComments(text).split("}");
  const selectors = rules.flatMap((rule) => (rule.split("{")[0] ?? "").split(","));
  if (selectors.some((one) => !/^[\w.#*-]*$/.test(one.trim()))) return UNKNOWN;
  return selectors.length * elements * 0.0002;
}

/** By splitting, which takes as long as the text is, whatever stands in it. */
function withoutComments(text: string): string {
  return text
    .split("*/")
    .map((part) => part.split("/*")[0])
    .join(" ");
}

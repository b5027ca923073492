/**
 * Whether an SVG keeps to coordinates that the renderer can take. Beyond 2^31 it panics, which
 * ends its process; scales inside scales get there with small numbers. What cannot be shown to stay
 * small goes to the decoder that hostile pictures share (Decision 0069). The bounds leave room for
 * the enlargement of a picture of one unit to the side that is drawn.
 */

import { FRAMES, type PictureShape } from "./picture-size.ts";
import type { SvgElement } from "./read-svg.ts";

/** By how much all scales of a document together, and that to the drawn side, may enlarge it. */
const GROWTH_MAX = 20_000;
/** A number of six digits, or with an exponent that makes it larger. */
const HUGE_NUMBER = /(?<![\d.])\d{6}|\de\+?\d/i;
const COLOUR = /#[\da-f]+/gi;
const TRANSFORMS = ["transform", "patternTransform", "gradientTransform"];
const SCALING = /(scale[xy]?|matrix)\s*\(([^)]*)\)/gi;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)/g;

export function staysSmall(all: readonly SvgElement[], shape: PictureShape): boolean {
  const growth = all.reduce((product, element) => product * growthOf(element), 1);
  return growth * FRAMES[shape].width <= GROWTH_MAX && all.every(hasModestNumbers);
}

function hasModestNumbers({ attributes, text }: SvgElement): boolean {
  if (/transform/i.test(text + (attributes.get("style") ?? ""))) return false;
  const values = [...attributes].filter(([name]) => name !== "id" && !name.includes("href"));
  return values.every(([, value]) => !HUGE_NUMBER.test(value.replace(COLOUR, "")));
}

/** At least 1: what makes smaller may stand beside what makes larger, and not inside it. */
function growthOf({ name, attributes }: SvgElement): number {
  const transforms = TRANSFORMS.map((name) => attributes.get(name) ?? "").join(" ");
  // A skew can be as steep as it likes.
  if (/skew/i.test(transforms)) return Number.POSITIVE_INFINITY;
  let growth = 1;
  for (const [, kind = "", list = ""] of transforms.matchAll(SCALING)) {
    const numbers = (list.match(NUMBER) ?? []).map((one) => Math.abs(Number(one)));
    const scales = kind.toLowerCase() === "matrix" ? numbers.slice(0, 4) : numbers;
    growth *= Math.max(1, ...scales);
  }
  const [, , ...sides] = (attributes.get("viewBox")?.match(NUMBER) ?? []).map(Number);
  if (name === "svg")
    sides.push(...["width", "height"].map((side) => sideOf(attributes.get(side))));
  const least = Math.min(1, ...sides);
  return growth / Math.max(least, Number.MIN_VALUE);
}

function sideOf(length = "1"): number {
  return Number.parseInt(length, 10) || 0;
}

/**
 * How much there is to draw once every reference is followed. A few hundred bytes of `use` inside
 * `use` can stand for a hundred million shapes; this counts them without drawing any. It refuses
 * what is too much and says of the rest how long it may take (Decision 0069).
 *
 * The renderer parses references by its own rules: where `url(#f'x)` ends is not the same for every
 * parser. A picture that relies on such a difference would weigh less here than it costs there, so
 * only plain references are trusted.
 */

import { PictureRefused } from "./picture-refused.ts";
import { FRAMES, type PictureShape } from "./picture-size.ts";
import type { SvgElement } from "./read-svg.ts";
import { isDrawnInPlace, ownCostMs, styleCostMs } from "./svg-cost.ts";
import { staysSmall } from "./svg-growth.ts";

/** Elements, with those that `use` repeats. */
const USED_MAX = 10_000;
/** The same with what paint, clips, masks, markers and filters refer to. */
const DRAWN_MAX = 100_000;
const DEPTH_MAX = 256;
/** Noise gains nothing that can be seen beyond ten; each takes 5 ms. */
const OCTAVES_MAX = 64;
const KERNEL_MAX = 1_024;

const PLAIN_ID = /^[\w.:-]+$/;
const PLAIN_URL = /url\( *(?:#[\w.:-]+|"#[\w.:-]+"|'#[\w.:-]+') *\)/gi;
const ANY_URL = /url\s*\(/i;

interface Weight {
  readonly used: number;
  readonly drawn: number;
  readonly depth: number;
  /** How long drawing may take, of the processor. */
  readonly costMs: number;
}

const NOTHING: Weight = { used: 0, drawn: 0, depth: 0, costMs: 0 };

/** How long it may take to draw, in milliseconds of the processor; infinite: it cannot be said. */
export function weighSvg(root: SvgElement, shape: PictureShape): number {
  const all = flat(root);
  for (const element of all) demandModestFilter(element);
  const { costMs } = createWeigher(all)(root);
  if (!all.every(hasPlainReferences) || !staysSmall(all, shape)) return Number.POSITIVE_INFINITY;
  const styleText = all.map(({ text }) => text).join("");
  return areaOf(shape) * costMs + styleCostMs(styleText, all.length);
}

/** Costs are those of a thumbnail; a larger picture has more pixels to fill. */
function areaOf(shape: PictureShape): number {
  const area = ({ width, height }: (typeof FRAMES)[PictureShape]) => width * height;
  return area(FRAMES[shape]) / area(FRAMES.thumbnail);
}

function createWeigher(all: readonly SvgElement[]): (element: SvgElement) => Weight {
  const isStroked = all.some(({ attributes, text }) => hasStroke(attributes, text));
  const byId = Map.groupBy(all, ({ attributes }) => attributes.get("id"));
  const heaviestById = new Map<string, Weight>();
  const weights = new Map<SvgElement, Weight | "being weighed">();

  let level = 0;

  function weigh(element: SvgElement): Weight {
    // On the way down, before the stack ends.
    if (level >= DEPTH_MAX) throw new PictureRefused("complex", `more than ${DEPTH_MAX} deep`);
    level++;
    try {
      return weighParts(element);
    } finally {
      level--;
    }
  }

  function weighParts(element: SvgElement): Weight {
    const known = weights.get(element);
    if (known === "being weighed") throw new PictureRefused("complex", "it contains itself");
    if (known !== undefined) return known;
    weights.set(element, "being weighed");
    let { used, drawn, depth } = NOTHING;
    let costMs = ownCostMs(element, isStroked);
    const add = (part: Weight, isUsed: boolean, isDrawn = true) => {
      if (isUsed) used += part.used;
      drawn += part.drawn;
      depth = Math.max(depth, part.depth);
      if (isDrawn) costMs += part.costMs;
    };
    for (const child of element.children) add(weigh(child), true, isDrawnInPlace(child));
    if (element.target !== undefined) add(heaviest(element.target), element.name === "use");
    for (const id of referencesOf(element)) add(heaviest(id), false);
    const weight = { used: used + 1, drawn: drawn + 1, depth: depth + 1, costMs };
    demand(weight);
    weights.set(element, weight);
    return weight;
  }

  /** Which of two elements with one id is meant is for the renderer to say; the worst counts. */
  function heaviest(id: string): Weight {
    const known = heaviestById.get(id);
    if (known !== undefined) return known;
    const found = (byId.get(id) ?? []).map(weigh).reduce(heavier, NOTHING);
    heaviestById.set(id, found);
    return found;
  }

  return weigh;
}

function heavier(one: Weight, other: Weight): Weight {
  const costMs = Math.max(one.costMs, other.costMs);
  return { ...(other.drawn > one.drawn ? other : one), costMs };
}

function demand({ used, drawn, depth }: Weight): void {
  if (used > USED_MAX || drawn > DRAWN_MAX || depth > DEPTH_MAX)
    throw new PictureRefused("complex", `${used} used, ${drawn} drawn, ${depth} deep`);
}

function flat(element: SvgElement): SvgElement[] {
  const all = [element];
  for (let at = 0; at < all.length; at++) all.push(...(all[at]?.children ?? []));
  return all;
}

/** No drawing program writes these; a few of them take a renderer as long as they like. */
function demandModestFilter({ name, attributes }: SvgElement): void {
  if (name === "feTurbulence" && Number(attributes.get("numOctaves") ?? 1) > OCTAVES_MAX)
    throw new PictureRefused("complex", "too many octaves of noise");
  if (name !== "feConvolveMatrix") return;
  const numbers = attributes.get("kernelMatrix")?.match(/\d+/g)?.length ?? 0;
  if (numbers > KERNEL_MAX) throw new PictureRefused("complex", "too large a kernel");
}

function hasStroke(attributes: ReadonlyMap<string, string>, text: string): boolean {
  return attributes.has("stroke") || /stroke/i.test(text + (attributes.get("style") ?? ""));
}

/** Whether every parser agrees on the element's id and on what the element refers to. */
function hasPlainReferences({ attributes, target }: SvgElement): boolean {
  const id = attributes.get("id") ?? "";
  if (id !== "" && !PLAIN_ID.test(id)) return false;
  if (target !== undefined && !PLAIN_ID.test(target)) return false;
  // A space in its place, so that what is left on both sides does not become a reference.
  return [...attributes.values()].every((value) => !ANY_URL.test(value.replace(PLAIN_URL, " ")));
}

/** The ids in `url(#id)`, of plain references and of others as far as they can be read. */
function referencesOf({ attributes }: SvgElement): string[] {
  const values = [...attributes.values()].filter((value) => value.includes("#"));
  return values.flatMap((value) =>
    [...value.matchAll(/url\s*\(\s*(?:["']\s*)?#([^"')\s]*)/gi)].map(([, id = ""]) => id),
  );
}

/**
 * How much there is to draw once every reference is followed. A few hundred bytes of `use` inside
 * `use` can stand for a hundred million shapes; this counts them without drawing any.
 */

import { PictureRefused } from "./picture-refused.ts";
import type { SvgElement } from "./read-svg.ts";

/** Elements, with those that `use` repeats. */
const USED_MAX = 10_000;
/** The same with what paint, clips, masks, markers and filters refer to. */
const DRAWN_MAX = 100_000;
const DEPTH_MAX = 256;

interface Weight {
  readonly used: number;
  readonly drawn: number;
  readonly depth: number;
}

const NOTHING: Weight = { used: 0, drawn: 0, depth: 0 };

export function demandLight(root: SvgElement): void {
  const byId = new Map<string, SvgElement[]>();
  collectIds(root, byId);
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
    const add = (part: Weight, isUsed: boolean) => {
      if (isUsed) used += part.used;
      drawn += part.drawn;
      depth = Math.max(depth, part.depth);
    };
    for (const child of element.children) add(weigh(child), true);
    if (element.target !== undefined) add(heaviest(element.target), element.name === "use");
    for (const id of referencesOf(element)) add(heaviest(id), false);
    const weight = { used: used + 1, drawn: drawn + 1, depth: depth + 1 };
    demand(weight);
    weights.set(element, weight);
    return weight;
  }

  /** Which of two elements with one id is meant is for the renderer to say; the worst counts. */
  function heaviest(id: string): Weight {
    const all = (byId.get(id) ?? []).map(weigh);
    return all.reduce((one, other) => (other.drawn > one.drawn ? other : one), NOTHING);
  }

  weigh(root);
}

function demand({ used, drawn, depth }: Weight): void {
  if (used > USED_MAX || drawn > DRAWN_MAX || depth > DEPTH_MAX)
    throw new PictureRefused("complex", `${used} used, ${drawn} drawn, ${depth} deep`);
}

function collectIds(element: SvgElement, byId: Map<string, SvgElement[]>): void {
  const id = element.attributes.get("id");
  if (id !== undefined) byId.set(id, [...(byId.get(id) ?? []), element]);
  for (const child of element.children) collectIds(child, byId);
}

function referencesOf({ attributes }: SvgElement): string[] {
  const values = [...attributes.values()].filter((value) => value.includes("#"));
  return values.flatMap((value) =>
    [...value.matchAll(/url\s*\(\s*["']?\s*#([^"')\s]*)/gi)].map(([, id = ""]) => id),
  );
}

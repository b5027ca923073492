/**
 * Which elements of an SVG refer to which. The renderer parses references by its own rules: where
 * `url(#f'x)` ends is not the same for every parser. A picture that relies on such a difference
 * would weigh less here than it costs there, so only plain references are trusted (Decision 0069).
 */

import type { SvgElement } from "./read-svg.ts";

const PLAIN_ID = /^[\w.:-]+$/;
const PLAIN_URL = /url\( *(?:#[\w.:-]+|"#[\w.:-]+"|'#[\w.:-]+') *\)/gi;
const ANY_URL = /url\s*\(/i;

/** Whether every parser agrees on the element's id and on what the element refers to. */
export function hasPlainReferences({ attributes, target }: SvgElement): boolean {
  const id = attributes.get("id") ?? "";
  if (id !== "" && !PLAIN_ID.test(id)) return false;
  if (target !== undefined && !PLAIN_ID.test(target)) return false;
  // A space in its place, so that what is left on both sides does not become a reference.
  return [...attributes.values()].every((value) => !ANY_URL.test(value.replace(PLAIN_URL, " ")));
}

/** The ids in `url(#id)`, of plain references and of others as far as they can be read. */
export function referencesOf({ attributes }: SvgElement): string[] {
  const values = [...attributes.values()].filter((value) => value.includes("#"));
  return values.flatMap((value) =>
    [...value.matchAll(/url\s*\(\s*(?:["']\s*)?#([^"')\s]*)/gi)].map(([, id = ""]) => id),
  );
}

export function elementsById(all: readonly SvgElement[]): ReadonlyMap<string, SvgElement[]> {
  const byId = new Map<string, SvgElement[]>();
  for (const element of all) {
    const id = element.attributes.get("id");
    if (id === undefined) continue;
    const same = byId.get(id);
    if (same === undefined) byId.set(id, [element]);
    else same.push(element);
  }
  return byId;
}

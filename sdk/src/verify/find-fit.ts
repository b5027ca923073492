/**
 * Tries the known mistakes, alone and then two at a time, until something fits: a single mistake is
 * reported as that one, and two that hide each other are still found.
 */

import type { Guess, Mistake } from "./explanation.ts";

const MISTAKES_MAX = 2;
/** Keep a page from standing still, whatever is pasted into it. */
const TRIES_MAX = 20_000;
const BYTES_MAX = 30_000_000;

/** So many tries at most, and fewer of a long text: each of them is a digest of it. */
export function mostTries(length: number, most = TRIES_MAX): number {
  return Math.min(most, Math.ceil(BYTES_MAX / Math.max(length, 1)));
}

export interface Fit<T extends readonly unknown[]> {
  readonly values: T;
  readonly mistakes: readonly Mistake[];
}

export interface Tries {
  count: number;
}

type Lists<T extends readonly unknown[]> = { readonly [At in keyof T]: readonly Guess<T[At]>[] };

/** The first of each list is the part as it was given; `length` is that of the whole text. */
export async function findFit<T extends readonly unknown[]>(
  lists: Lists<T>,
  fits: (...values: T) => Promise<boolean>,
  tries: Tries,
  length: number,
): Promise<Fit<T> | undefined> {
  let left = mostTries(length);
  for (let wanted = 0; wanted <= MISTAKES_MAX; wanted += 1) {
    for (const chosen of choices(lists as readonly (readonly Guess<unknown>[])[], wanted)) {
      if (left === 0) return undefined;
      left -= 1;
      tries.count += 1;
      const values = chosen.map(({ value }) => value) as unknown as T;
      if (!(await fits(...values))) continue;
      return { values, mistakes: chosen.flatMap(({ mistake }) => mistake ?? []) };
    }
  }
  return undefined;
}

/** Every choice of one from each list that has just so many mistakes in it. */
function* choices(
  lists: readonly (readonly Guess<unknown>[])[],
  mistakes: number,
): Generator<Guess<unknown>[]> {
  const [list, ...others] = lists;
  if (list === undefined) {
    if (mistakes === 0) yield [];
    return;
  }
  for (const guess of list) {
    const left = mistakes - (guess.mistake === undefined ? 0 : 1);
    if (left < 0) continue;
    for (const rest of choices(others, left)) yield [guess, ...rest];
  }
}

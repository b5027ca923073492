/**
 * Chance that a seed repeats: the plan and what clients choose come from here, never from the
 * machine. (Names and amounts of the service itself stay its own.)
 */

import { randomNumbers } from "../../testkit/random-numbers.ts";

export interface Chance {
  /** From 0 up to 1. */
  part(): number;
  /** A whole number from `min` up to, not including, `max`. */
  between(min: number, max: number): number;
  /** Whether it happens, so many times of a hundred. */
  percent(of: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** One of the names, the heavier the likelier. */
  weigh<T extends string>(weights: Readonly<Record<T, number>>): T;
}

/** The same seed and name give the same chance; another name gives another one. */
export function chanceOf(seed: number, name: string): Chance {
  const next = randomNumbers(hash(`${seed} ${name}`));
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min));
  return {
    part: () => next(),
    between,
    percent: (of) => next() * 100 < of,
    pick(from) {
      const one = from[between(0, from.length)];
      if (one === undefined) throw new Error("there is nothing to pick from");
      return one;
    },
    weigh<T extends string>(weights: Readonly<Record<T, number>>): T {
      const entries = Object.entries(weights) as [T, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      throw new Error("there is nothing to weigh");
    },
  };
}

/** FNV-1a: any small hash will do, as long as it is always the same. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const byte of Buffer.from(text)) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

/**
 * The kinds of options that tools have. Each knows its words for `--help`, what holds when it is
 * not given, and the sentence for what it cannot take.
 */

import { randomInt } from "node:crypto";

export interface Option<T> {
  readonly about: string;
  /** What stands behind its name; a switch has nothing there. */
  readonly value?: string;
  /** What holds when it is not given, in words. */
  readonly byDefault?: string;
  /** Of all that was given under its name, which may be nothing. */
  read(name: string, given: readonly string[]): T;
}

/** One sentence about what was asked for and cannot be. */
export class Mistake extends Error {}

interface Span {
  readonly about: string;
  readonly min: number;
  readonly max: number;
  readonly hasDecimals?: true;
}

export function number(span: Span, byDefault: number): Option<number> {
  const given = maybeNumber(span, String(byDefault));
  return { ...given, read: (name, texts) => given.read(name, texts) ?? byDefault };
}

export function maybeNumber(span: Span, byDefault: string): Option<number | undefined> {
  const { about, min, max, hasDecimals } = span;
  const what = hasDecimals ? "number" : "whole number";
  const pattern = hasDecimals ? /^\d{1,15}(\.\d{1,9})?$/ : /^\d{1,15}$/;
  return {
    about,
    value: "<number>",
    byDefault,
    read(name, given) {
      const text = given.at(-1);
      if (text === undefined) return undefined;
      const isGood = pattern.test(text) && Number(text) >= min && Number(text) <= max;
      if (!isGood) throw new Mistake(`--${name} is a ${what} from ${min} to ${max}.`);
      return Number(text);
    },
  };
}

/** What is left to chance follows from it. */
export function seed(): Option<number> {
  const max = 2 ** 31 - 1;
  const given = maybeNumber({ about: "the same seed repeats a run", min: 0, max }, "by chance");
  return { ...given, read: (name, texts) => given.read(name, texts) ?? randomInt(max) };
}

export function maybeText(about: string, value: string): Option<string | undefined> {
  return {
    about,
    value: `<${value}>`,
    read(name, given) {
      const text = given.at(-1);
      if (text === "") throw new Mistake(`--${name} needs a ${value}.`);
      return text;
    },
  };
}

export function flag(about: string): Option<boolean> {
  return {
    about,
    read(name, given) {
      if (given.some((text) => text !== "")) throw new Mistake(`--${name} takes no value.`);
      return given.length > 0;
    },
  };
}

/** Some of what is known, by name or by a part of one; undefined: all of it. */
export function names(
  about: string,
  known: readonly string[],
): Option<readonly string[] | undefined> {
  return {
    about,
    value: "<names>",
    byDefault: "all",
    read(name, given) {
      if (given.length === 0) return undefined;
      const parts = given.flatMap((text) => text.split(","));
      const chosen = new Set(parts.flatMap((part) => meant(name, part, known)));
      return known.filter((one) => chosen.has(one));
    },
  };
}

function meant(name: string, part: string, known: readonly string[]): readonly string[] {
  if (known.includes(part)) return [part];
  const found = known.filter((one) => part !== "" && one.includes(part));
  if (found.length > 0) return found;
  throw new Mistake(`--${name} knows no "${part}". There are:\n  ${known.join("\n  ")}`);
}

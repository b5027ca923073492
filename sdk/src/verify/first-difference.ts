/** Where two texts part: the first byte that differs, and what stands around it on both sides. */

import { utf8 } from "./bytes.ts";

const AROUND_CHARACTERS = 16;

export interface Side {
  readonly before: string;
  /** Empty at the end of the text. */
  readonly character: string;
  readonly after: string;
}

export interface Difference {
  /** Counted in bytes of UTF-8, from 0. */
  readonly byte: number;
  readonly expected: Side;
  readonly given: Side;
}

export function firstDifference(expected: string, given: string): Difference | undefined {
  if (expected === given) return undefined;
  const ours = [...expected];
  const theirs = [...given];
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at += 1;
  return {
    byte: byteAt(ours, theirs, at),
    expected: sideAt(ours, at),
    given: sideAt(theirs, at),
  };
}

/** Two characters may begin with the same bytes. */
function byteAt(ours: readonly string[], theirs: readonly string[], at: number): number {
  const before = utf8(ours.slice(0, at).join("")).length;
  const one = utf8(ours[at] ?? "");
  const other = utf8(theirs[at] ?? "");
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return before + shared;
}

function sideAt(characters: readonly string[], at: number): Side {
  return {
    before: characters.slice(Math.max(0, at - AROUND_CHARACTERS), at).join(""),
    character: characters[at] ?? "",
    after: characters.slice(at + 1, at + 1 + AROUND_CHARACTERS).join(""),
  };
}

/** What cannot be seen, by its name. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0]/gu,
    (char) => `⟨${NAMES[char] ?? `U+${codeOf(char)}`}⟩`,
  );
}

const NAMES: Readonly<Record<string, string>> = {
  "\n": "line feed",
  "\r": "carriage return",
  "\t": "tab",
  "\ufeff": "byte order mark",
};

function codeOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

export function differenceWords({ byte, expected, given }: Difference): string {
  const [ours, theirs] = [called(expected.character), called(given.character)];
  return `The first difference is at byte ${byte}: ${ours} was signed, ${theirs} is here.`;
}

/** One character as a person would call it. */
function called(character: string): string {
  if (character === "") return "the end";
  if (character === " ") return "a space";
  const seen = visible(character);
  return seen === character ? `‹${seen}›` : seen;
}

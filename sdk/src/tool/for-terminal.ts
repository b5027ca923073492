/**
 * What is printed, as a terminal may get it. Events, errors and receivers' answers hold what
 * strangers typed; an escape sequence among it could move the cursor, hide lines or set the title.
 */

import { randomUUID } from "node:crypto";
import { stripVTControlCharacters } from "node:util";

/** Stands for the beginning of our own sequences. By chance: nothing from outside has it. */
export const MARK = randomUUID();
const BEGIN = "\u001b[";

/** All control characters but tab and line feed, and those that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
const BEYOND_JSON = /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

export function textForTerminal(text: string): string {
  const parts = text.split(MARK);
  return parts.map((part) => stripVTControlCharacters(part).replace(CONTROLS, "")).join(BEGIN);
}

/** The same data: JSON escapes the first 32 by itself, and the others may be. */
export function jsonForTerminal(json: string): string {
  const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(BEYOND_JSON, escaped);
}

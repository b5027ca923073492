/**
 * A look at a JSON text before it is parsed: how deep it is nested, how many tokens it has, how
 * many members its objects are written with.
 *
 * Time grows with the length and nothing else, and there is no recursion. It judges no grammar: for
 * valid JSON the answer is exact, and the rest JSON.parse refuses. Strings are leapt over by
 * indexOf, which makes a long pass-through string nearly free.
 */

import { BadBody } from "./bad-body.ts";

const DEPTH_MAX = 32;
/** Each bracket, comma, colon, string, number and literal is one. */
const TOKENS_MAX = 10_000;
const TOO_COMPLEX = { code: "content_too_complex" } as const;

// What a character outside a string is. Numbers and literals are made of all the others.
const WORD = 0;
const SPACE = 1;
const QUOTE = 2;
const OPENING = 3;
const CLOSING = 4;
const COLON = 5;
const COMMA = 6;
const KIND_OF_CODE = new Uint8Array(128);
for (const [characters, kind] of [
  [" \t\r\n", SPACE],
  ['"', QUOTE],
  ["{[", OPENING],
  ["}]", CLOSING],
  [":", COLON],
  [",", COMMA],
] as const) {
  for (const code of Buffer.from(characters)) KIND_OF_CODE[code] = kind;
}

interface JsonScan {
  /** Members as written: a repeated key counts each time. */
  readonly memberCount: number;
  readonly hasEscapedKey: boolean;
}

export function scanJson(text: string): JsonScan {
  const hasEscapes = text.includes("\\");
  let hasEscapedKey = false;
  let memberCount = 0;
  let tokenCount = 0;
  let depth = 0;
  let isInWord = false;
  let stringAt = 0;
  for (let at = 0; at < text.length; at += 1) {
    const kind = KIND_OF_CODE[text.charCodeAt(at)] ?? WORD;
    const isSameWord = isInWord && kind === WORD;
    isInWord = kind === WORD;
    if (isSameWord || kind === SPACE) continue;
    tokenCount += 1;
    if (tokenCount > TOKENS_MAX) throw new BadBody("The body has too many parts.", TOO_COMPLEX);
    if (kind === QUOTE) {
      stringAt = at;
      at = closingQuote(text, at);
    } else if (kind === COLON) {
      memberCount += 1;
      if (hasEscapes && text.slice(stringAt, at).includes("\\")) hasEscapedKey = true;
    } else if (kind === OPENING) {
      depth += 1;
      if (depth > DEPTH_MAX) throw new BadBody("The body is nested too deeply.", TOO_COMPLEX);
    } else if (kind === CLOSING) {
      depth -= 1;
    }
  }
  return { memberCount, hasEscapedKey };
}

/** The next quote that has an even number of backslashes before it, else the end of the text. */
function closingQuote(text: string, openingQuote: number): number {
  let quote = text.indexOf('"', openingQuote + 1);
  while (quote !== -1) {
    let unescaped = quote;
    while (text[unescaped - 1] === "\\") unescaped -= 1;
    if ((quote - unescaped) % 2 === 0) return quote;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

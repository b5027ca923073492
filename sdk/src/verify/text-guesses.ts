/** How texts are spoilt on their way, each undone: for values of a query and for bodies alike. */

import { textOf } from "./bytes.ts";

/** Windows-1252 where it is not Latin-1: what these bytes were taken for. */
const WINDOWS_1252 = new Map(
  Array.from({ length: 32 }, (_, at) => at + 0x80).map((byte) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(byte)),
    byte,
  ]),
);

/** The text whose UTF-8 was read as Latin-1 or Windows-1252; undefined when it was not. */
export function withoutWrongCharset(text: string): string | undefined {
  const bytes = [...text].map((char) => WINDOWS_1252.get(char) ?? char.codePointAt(0) ?? 0);
  if (bytes.every((byte) => byte < 0x80) || bytes.some((byte) => byte > 0xff)) return undefined;
  return textOf(Uint8Array.from(bytes));
}

/** The text that was URL-encoded once more than it should have been; undefined when it was not. */
export function decodedOnceMore(text: string): string | undefined {
  if (!/%[0-9a-f]{2}/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** Composed where it was decomposed, or the other way round. */
export function otherUnicodeForm(text: string): string | undefined {
  return [text.normalize("NFC"), text.normalize("NFD")].find((form) => form !== text);
}

/** Each text that becomes this one by adding, losing, swapping or changing a single character. */
export function* oneCharacterAway(text: string): Generator<string> {
  const chars = [...text];
  const replaced = (at: number, drop: number, put: string) =>
    [...chars.slice(0, at), put, ...chars.slice(at + drop)].join("");
  for (const at of chars.keys()) yield replaced(at, 1, "");
  for (const at of chars.keys())
    if (chars[at] !== chars[at + 1] && at + 1 < chars.length)
      yield replaced(at, 2, `${chars[at + 1]}${chars[at]}`);
  for (const at of chars.keys())
    for (const char of PRINTABLE) if (char !== chars[at]) yield replaced(at, 1, char);
  for (const at of [...chars, ""].keys()) for (const char of PRINTABLE) yield replaced(at, 0, char);
}

const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(at + 0x20));

/** Secrets are copied with what stood around them. */
export function withoutWrapping(secret: string): string {
  return secret.trim().replace(/^(["'`])(.*)\1$/s, "$2");
}

/**
 * Digits as addresses and JSON write them when they need not, made readable: `%34` and `%2534`,
 * `\u0034`, and `\\u0664` in JSON that is itself in a text. Programs escape every sign beyond ASCII
 * by themselves, as PHP's `json_encode` does. For finding card numbers only: the text that is read
 * here is kept where there is none (Decision 0148).
 */

const ENCODED_DIGIT = /%(?:25){0,9}3(\d)/g;
/** A letter beyond ASCII in an address, which may be a digit. */
const ENCODED_LETTER = /%(?:25){0,9}[c-f][\da-f](?:%(?:25){0,9}[89ab][\da-f]){1,3}/gi;
const DIGIT_BEYOND_ASCII = /[\p{Nd}\p{No}]/u;
const PERCENT_AGAIN = /%(?:25)+/g;

/** Each level of JSON doubles the backslashes; in an address they are `%5C`. */
const SLASHES = String.raw`(?:(?<!\\)\\+|(?:%(?:25){0,9}5c){1,16})`;
const ESCAPE = new RegExp(
  `${SLASHES}u(?:(d[89ab][\\da-f]{2})${SLASHES}u(d[c-f][\\da-f]{2})|([\\da-f]{4}))`,
  "gi",
);
/** Control characters, lone surrogates, quotes, backslashes: they would break the JSON around. */
const BREAKS_JSON = /[\p{Cc}\p{Cs}\p{Cn}"\\]/u;

export function decodedDigits(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(ENCODED_DIGIT, "$1").replace(ENCODED_LETTER, (letter) => {
    try {
      const decoded = decodeURIComponent(letter.replace(PERCENT_AGAIN, "%"));
      return DIGIT_BEYOND_ASCII.test(decoded) ? decoded : letter;
    } catch {
      return letter;
    }
  });
}

/** Escapes of JSON as what they mean; a blank for what would break the JSON around them. */
export function readEscapes(text: string): string {
  return text.replace(ESCAPE, (_, high?: string, low?: string, only?: string) => {
    const units = [high, low, only].filter((hex) => hex !== undefined);
    const char = String.fromCharCode(...units.map((hex) => Number.parseInt(hex, 16)));
    return BREAKS_JSON.test(char) ? " " : char;
  });
}

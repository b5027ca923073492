/**
 * The usual ways in which a program writes sorted pairs otherwise than a form does: for results
 * that are checked and for payment requests that are signed.
 */

import { formText, type Pair } from "./form-text.ts";

export interface MistakenEncoding {
  readonly code: string;
  readonly says: string;
  write(pairs: readonly Pair[]): string;
}

export const MISTAKEN_ENCODINGS: readonly MistakenEncoding[] = [
  {
    code: "space_as_percent",
    says: "Spaces were written %20 and not +.",
    write: (pairs) => joined(pairs, encodeURIComponent),
  },
  {
    code: "space_as_percent",
    says: "Spaces were written %20 and not +.",
    write: (pairs) => joined(pairs, strictly),
  },
  {
    code: "space_as_percent",
    says: "Spaces were written %20 and not +, and ~ was left as it is.",
    write: (pairs) => joined(pairs, (text) => strictly(text).replaceAll("%7E", "~")),
  },
  {
    code: "not_encoded",
    says: "The values were not encoded.",
    write: (pairs) => joined(pairs, (text) => text),
  },
  {
    code: "values_only",
    says: "The values were signed without their names.",
    write: (pairs) => pairs.map(([, value]) => value).join(""),
  },
  {
    code: "star_encoded",
    says: "A * was encoded: it stays as it is.",
    write: (pairs) => formText(pairs).replaceAll("*", "%2A"),
  },
];

/** As Python's urlencode and encoders of .NET write it; only payment requests are tried so far. */
export const MORE_ENCODINGS: readonly MistakenEncoding[] = [
  {
    code: "tilde_not_encoded",
    says: "A ~ was left as it is: it is written %7E.",
    write: (pairs) => formText(pairs).replaceAll("%7E", "~"),
  },
  {
    code: "tilde_not_encoded",
    says: "A ~ was left as it is and a * was encoded: they are written %7E and *.",
    write: (pairs) => formText(pairs).replaceAll("%7E", "~").replaceAll("*", "%2A"),
  },
  {
    code: "percent_in_small_letters",
    says: "Encoded bytes were written in small letters, such as %c3: they are written %C3.",
    write: (pairs) => formText(pairs).replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
  },
  {
    code: "wrong_charset",
    says: "The text was encoded as Latin-1: it is UTF-8.",
    write: (pairs) => joined(pairs, latin1),
  },
  {
    code: "ampersand_at_the_end",
    says: "An & was left at the end of the text.",
    write: (pairs) => `${formText(pairs)}&`,
  },
];

function joined(pairs: readonly Pair[], write: (text: string) => string): string {
  return pairs.map(([name, value]) => `${write(name)}=${write(value)}`).join("&");
}

/** With what encodeURIComponent leaves and others do not. */
function strictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*~]/g, percent);
}

function latin1(text: string): string {
  return [...text]
    .map((char) => (char > "\u00ff" || char < "\u0080" ? strictly(char) : percent(char)))
    .join("")
    .replaceAll("%20", "+")
    .replaceAll("%2A", "*");
}

function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/**
 * application/x-www-form-urlencoded, strictly: bodies and query strings (Interface §2).
 *
 * What cannot be decoded is refused. Not URLSearchParams and not node:querystring: both put U+FFFD
 * in the place of bytes that are not UTF-8 and let a malformed `%zz` pass, so a text would come
 * back changed. Brackets in a key mean nothing here: `a[b]` is a field with an odd name.
 */

import { BadBody, isPoisonous, keyName, refuseNul } from "./bad-body.ts";
import { decodeUtf8 } from "./decode-utf8.ts";

const PAIRS_MAX = 100;

export type Form = Record<string, string | string[]>;

export interface FormOptions {
  readonly repeated: "last-wins" | "must-agree" | "refuse";
  /** Fields that may be given many times; they are arrays even when given once. */
  readonly repeatable?: ReadonlySet<string>;
  readonly what: "body" | "query";
}

export function parseFormBytes(bytes: Buffer, options: FormOptions): Form {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalid(options);
  return parseForm(text, options);
}

export function parseForm(text: string, options: FormOptions): Form {
  refuseBadText(text, options);
  // No prototype: `toString` is a field like any other, and `in` finds only what was sent.
  const form: Form = Object.create(null);
  let pairCount = 0;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf("&", start);
    if (end === -1) end = text.length;
    if (start === end) continue;
    pairCount += 1;
    if (pairCount > PAIRS_MAX)
      throw new BadBody(`The ${options.what} has too many fields.`, {
        code: "content_too_complex",
      });
    addPair(form, text.slice(start, end), options);
  }
  return form;
}

function refuseBadText(text: string, options: FormOptions): void {
  // A query reaches us as one character per byte, so a letter above ASCII would be read wrongly.
  const isReadable = options.what === "query" ? /^[ -~]*$/.test(text) : text.isWellFormed();
  if (!isReadable) throw invalid(options);
}

function addPair(form: Form, pair: string, options: FormOptions): void {
  const equals = pair.indexOf("=");
  const key = decode(equals === -1 ? pair : pair.slice(0, equals), options);
  const value = equals === -1 ? "" : decode(pair.slice(equals + 1), options);
  if (isPoisonous(key)) throw new BadBody(`The ${options.what} has a key that is not allowed.`);
  if (key.includes("\0") || value.includes("\0")) refuseNul(options.what, key);
  const earlier = form[key];
  if (options.repeatable?.has(key)) {
    if (Array.isArray(earlier)) earlier.push(value);
    else form[key] = [value];
    return;
  }
  if (earlier !== undefined && !mayRepeat(options, earlier === value)) {
    throw new BadBody(`${fieldName(key)} is given more than once.`, {
      code: "field_given_twice",
      field: keyName(key),
    });
  }
  form[key] = value;
}

function mayRepeat({ repeated }: FormOptions, isEqual: boolean): boolean {
  return repeated === "last-wins" || (repeated === "must-agree" && isEqual);
}

/** decodeURIComponent is strict about percent signs and about UTF-8: overlong forms, surrogates. */
function decode(part: string, options: FormOptions): string {
  const spaced = part.includes("+") ? part.replaceAll("+", " ") : part;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw invalid(options);
  }
}

function invalid({ what }: FormOptions): BadBody {
  return new BadBody(
    what === "body" ? "The body is not valid form data." : "The query is not valid.",
  );
}

function fieldName(key: string): string {
  const name = keyName(key);
  return name === undefined ? "A field" : `The ${name.replaceAll("_", " ")} field`;
}

/**
 * Fields that are text. Lengths count Unicode code points, as PostgreSQL's char_length does, so
 * that a limit means the same here, in the column and in a client that counts characters (Decision
 * 0002).
 */

import { domainToASCII } from "node:url";
import { FieldRefused } from "../errors.ts";
import { type Field, field, fieldRefused } from "./field.ts";

const EMAIL_LENGTH_MAX = 255;
/** RFC 5321: the part before the @. */
const LOCAL_PART_LENGTH_MAX = 64;
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

export function text(rules: {
  min?: number;
  max: number;
  pattern?: RegExp;
  patternRefusal?: string;
}): Field<string> {
  const schema = {
    type: "string",
    ...(rules.min === undefined ? {} : { minLength: rules.min }),
    maxLength: rules.max,
    ...(rules.pattern === undefined ? {} : { pattern: rules.pattern.source }),
  };
  return field(schema, (value, name) => {
    const input = asText(value, name);
    const length = codePoints(input);
    if (rules.min !== undefined && length < rules.min)
      throw fieldRefused(name, `must be at least ${rules.min} characters`, {
        code: "field_too_short",
      });
    if (length > rules.max) throw tooLong(name, rules.max);
    if (rules.pattern !== undefined && !rules.pattern.test(input))
      throw rules.patternRefusal === undefined
        ? fieldRefused(name, "format is invalid")
        : new FieldRefused(rules.patternRefusal);
    return input;
  });
}

/** Invisible characters and those that change direction: control, separators, bidi, zero width. */
const UNSEEN =
  "\\p{Cc}\\p{Zl}\\p{Zp}\\u061c\\u115f\\u1160\\u200b\\u200e\\u200f\\u202a-\\u202e" +
  "\\u2060-\\u2069\\u3164\\ufeff\\uffa0";
const SEEN = "[\\p{L}\\p{N}\\p{P}\\p{S}]";
const LINE = new RegExp(`^[^${UNSEEN}]*${SEEN}[^${UNSEEN}]*$`, "u");
const LINES = new RegExp(`^(?:[^${UNSEEN}]|[\\r\\n])*${SEEN}(?:[^${UNSEEN}]|[\\r\\n])*$`, "u");

/** A name: one line with a visible character. */
export function line(max: number): Field<string> {
  return text({ max, pattern: LINE });
}

/** Several lines, as an address has. */
export function lines(max: number): Field<string> {
  return text({ max, pattern: LINES });
}

/** An e-mail address in normal form: lower case, international domains as ASCII. */
export function email(rules: { max?: number } = {}): Field<string> {
  const max = rules.max ?? EMAIL_LENGTH_MAX;
  return field({ type: "string", format: "email", maxLength: max }, (value, name) => {
    const input = asText(value, name);
    if (codePoints(input) > max) throw tooLong(name, max);
    const normal = normalEmail(input);
    if (normal === undefined) throw fieldRefused(name, "must be a valid email address");
    return normal;
  });
}

/** Quoted local parts are legal but unused in practice; they are refused. */
export function normalEmail(input: string): string | undefined {
  const at = input.lastIndexOf("@");
  const local = input.slice(0, at);
  if (at < 1 || local.length > LOCAL_PART_LENGTH_MAX || !LOCAL_PART.test(local)) return undefined;
  const typed = input.slice(at + 1);
  // domainToASCII repairs what a browser's address bar would (line ends, stray slashes); so only
  // letters, digits, dots and hyphens reach it, and only what is outside ASCII may it change.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(typed)) return undefined;
  const domain = domainToASCII(typed);
  if (!DOMAIN.test(domain)) return undefined;
  if (/^[\x21-\x7e]*$/.test(typed) && domain !== typed.toLowerCase()) return undefined;
  return `${local.toLowerCase()}@${domain}`;
}

export function asText(value: unknown, name: string): string {
  if (typeof value !== "string")
    throw fieldRefused(name, "must be a string", { code: "field_not_text" });
  return value;
}

function tooLong(name: string, max: number): FieldRefused {
  return fieldRefused(name, `must not be longer than ${max} characters`, {
    code: "field_too_long",
  });
}

function codePoints(input: string): number {
  let count = 0;
  for (const _ of input) count++;
  return count;
}

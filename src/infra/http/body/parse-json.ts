/**
 * Strict JSON for bodies that strangers send (Interface §7).
 *
 * A body has one meaning. JSON.parse takes the last of two equal keys, turns 1e999 into Infinity,
 * and accepts NULs and lone surrogates that the database cannot keep. So the text is scanned before
 * it is parsed and the value is inspected after. Two equal keys are seen by counting: fewer members
 * came out than were written.
 */

import { BadBody, keyName, refuseNul } from "./bad-body.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { scanJson } from "./scan-json.ts";

export function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new BadBody("The body is not valid JSON.");
  const written = scanJson(text);
  const value = parse(text, written.hasEscapedKey);
  if (value === undefined) throw new BadBody("The body is not valid JSON.");
  // Without this escape, valid JSON in valid UTF-8 holds neither a NUL nor a lone surrogate.
  const memberCount = inspect(value, text.includes("\\u"));
  // Counting is not enough for keys with escapes, which V8 can read wrongly (see `parse`): two
  // equal keys could look different.
  if (written.hasEscapedKey || memberCount < written.memberCount) refuseRepeatedKey(text);
  return value;
}

/**
 * JSON never means undefined. The parser's message is dropped: it quotes the body.
 *
 * V8 reads the key `\"` as `\` once it has seen a like object with such a key, but not when there
 * is a reviver (nodejs/node#63785). Names of unknown fields matter: a payment request may be signed
 * over them.
 */
function parse(text: string, hasEscapedKey: boolean): unknown {
  try {
    return hasEscapedKey ? JSON.parse(text, (_key, value) => value) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The number of members in the value. The recursion is safe: the scan has bounded the depth.
 * `field` is the member of the body that it belongs to, for sentences.
 */
function inspect(value: unknown, mayHoldBadText: boolean, field?: string): number {
  if (typeof value === "string") {
    if (mayHoldBadText) refuseBadText(value, field);
    return 0;
  }
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new BadBody("The body holds a number that is too large.");
    return 0;
  }
  if (typeof value !== "object" || value === null) return 0;
  let memberCount = 0;
  if (Array.isArray(value)) {
    for (const item of value) memberCount += inspect(item, mayHoldBadText, field);
    return memberCount;
  }
  for (const key of Object.keys(value)) {
    const member: unknown = value[key as keyof typeof value];
    refusePoison(key, member);
    if (mayHoldBadText) refuseBadText(key, field);
    memberCount += 1 + inspect(member, mayHoldBadText, field ?? key);
  }
  return memberCount;
}

/**
 * The two ways to reach a prototype through a careless merge. Other odd keys are merely unknown.
 */
function refusePoison(key: string, member: unknown): void {
  const isPoison =
    key === "__proto__" ||
    (key === "constructor" &&
      typeof member === "object" &&
      member !== null &&
      Object.hasOwn(member, "prototype"));
  if (isPoison) throw new BadBody("The body has a key that is not allowed.");
}

function refuseBadText(text: string, field = ""): void {
  if (text.includes("\0")) refuseNul("body", field);
  if (!text.isWellFormed()) throw new BadBody("The body holds text that is not valid Unicode.");
}

const BRACE_OR_STRING = /[{}]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g;

/** Reads the keys of valid JSON from its text. Few bodies pay for this, most of them refused. */
function refuseRepeatedKey(text: string): void {
  const open: Set<string>[] = [];
  for (const [token, quoted = "", colon] of text.matchAll(BRACE_OR_STRING)) {
    const keys = open.at(-1);
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined && keys !== undefined) {
      const key: string = JSON.parse(quoted);
      if (keys.has(key)) throw givenTwice(key);
      keys.add(key);
    }
  }
}

function givenTwice(key: string): BadBody {
  const field = keyName(key);
  const shown = field === undefined ? "a key" : `the key ${field}`;
  return new BadBody(`The body has ${shown} twice.`, { code: "field_given_twice", field });
}

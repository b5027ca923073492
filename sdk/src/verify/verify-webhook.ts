/**
 * Checks a delivery by the rule of Standard Webhooks, strictly, for use in a merchant's server.
 * `explain-webhook.ts` tells why one is refused.
 *
 * The bytes that arrived are the bytes that were signed. A body that was
 * parsed and written anew is another body.
 */

import { type Bytes, fromBase64, isSame, join, textOf, utf8 } from "./bytes.ts";
import { hmac } from "./digests.ts";
import { VerificationError } from "./verification-error.ts";
import { type HeadersInput, readHeaders } from "./webhook-headers.ts";

/** How far a delivery's time may be from the receiver's clock. */
export const TOLERANCE_SECONDS = 300;
export const SECRET_PREFIX = "whsec_";
/** Ours have twice as many; fewer could be guessed, and are a secret that was cut off. */
const KEY_LENGTH_MIN = 16;

export interface WebhookChecks {
  readonly now?: Date;
  readonly toleranceSeconds?: number;
}

/** What happened, as the feed has it too. */
export interface WebhookEvent {
  readonly id: string;
  readonly api_family: string;
  readonly event: string;
  readonly sequence: number;
  readonly occurred_at: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: {
    readonly transaction_id: string | null;
    readonly environment: "live" | "sandbox";
    readonly account_number: string;
  };
}

/** What is signed before the body, as the headers have it. */
export interface Stamp {
  readonly id: string;
  readonly timestamp: string;
}

export interface VerifiedWebhook {
  /** The same on every try: keep it, and deal with one that you know by doing nothing. */
  readonly id: string;
  /** Of this try. */
  readonly timestamp: Date;
  readonly event: WebhookEvent;
}

/** Throws a `VerificationError` unless all is right. Of several secrets any one will do. */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeadersInput,
  secrets: string | readonly string[],
  { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS }: WebhookChecks = {},
): Promise<VerifiedWebhook> {
  const given = readHeaders(headers);
  const id = needed(given, "webhook-id");
  const timestamp = needed(given, "webhook-timestamp");
  const signatures = digestsIn(needed(given, "webhook-signature"));
  const keys = [secrets].flat().map(keyOf);
  const body = typeof rawBody === "string" ? utf8(rawBody) : rawBody;
  const seconds = checkTime(timestamp, now, toleranceSeconds);
  const signed = signedBytes({ id, timestamp }, body);
  let fits = false;
  for (const key of keys) {
    const expected = await hmac(key, signed);
    // Every one is looked at, so that time tells nothing about which it was.
    for (const each of signatures) fits = isSame(each, expected) || fits;
  }
  if (!fits) throw new VerificationError("wrong_signature", "No signature fits.");
  return { id, timestamp: new Date(seconds * 1000), event: readEvent(body) };
}

export function signedBytes({ id, timestamp }: Stamp, body: Uint8Array): Bytes {
  return join(utf8(`${id}.${timestamp}.`), body);
}

function needed(headers: ReadonlyMap<string, string>, name: string): string {
  const value = headers.get(name);
  if (value === undefined || value === "")
    throw new VerificationError("missing_header", `There is no ${name} header.`);
  return value;
}

/** Of the version that we sign with; others are for others. */
export function digestsIn(header: string): Bytes[] {
  return header.split(" ").flatMap((each) => {
    const digest = each.startsWith("v1,") ? fromBase64(each.slice(3)) : undefined;
    return digest === undefined ? [] : [digest];
  });
}

/** The bytes whose base64 follows the prefix; undefined when there are none. */
export function keyIn(secret: string): Bytes | undefined {
  if (typeof secret !== "string" || !secret.startsWith(SECRET_PREFIX)) return undefined;
  const key = fromBase64(secret.slice(SECRET_PREFIX.length));
  return key !== undefined && key.length >= KEY_LENGTH_MIN ? key : undefined;
}

function keyOf(secret: string): Bytes {
  const key = keyIn(secret);
  if (key !== undefined) return key;
  const words = "Give the secret as it was shown: whsec_ and what follows it.";
  throw new VerificationError("malformed_key", words);
}

function checkTime(timestamp: string, now: Date, toleranceSeconds: number): number {
  const seconds = /^\d{1,11}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (Number.isNaN(seconds))
    throw new VerificationError("malformed_timestamp", "The timestamp is no count of seconds.");
  const age = now.getTime() / 1000 - seconds;
  if (-age > toleranceSeconds)
    throw new VerificationError("too_new", `It was signed ${Math.round(-age)} seconds from now.`);
  // So asked, a time or a tolerance that is no number lets nothing pass.
  if (!(age <= toleranceSeconds))
    throw new VerificationError("too_old", `It was signed ${Math.round(age)} seconds ago.`);
  return seconds;
}

function readEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(textOf(body) ?? "");
  } catch {
    throw new VerificationError("malformed_body", "The body is no JSON.");
  }
}

/**
 * HMAC-SHA-256 by the platform's own WebCrypto, which is in browsers and in Node, and what may be
 * shown of a secret.
 */

import { type Bytes, toHex, utf8 } from "./bytes.ts";

const FINGERPRINT_LENGTH = 8;
/** Of something shorter all possible ones could be tried against its fingerprint. */
const SECRET_LENGTH_MIN = 20;

export type Hmac = (message: Bytes) => Promise<Bytes>;

/** Imported once for many messages: the explaining verifier tries thousands. */
export async function hmacBy(key: Bytes): Promise<Hmac> {
  // HMAC fills keys up with zeros, so this one is the empty key, which WebCrypto does not take.
  const bytes = key.length === 0 ? new Uint8Array(1) : key;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

export async function hmac(key: Bytes, message: Bytes): Promise<Bytes> {
  return (await hmacBy(key))(message);
}

/** Enough to tell two secrets apart, too little to find one: never the secret itself. */
export async function describeSecret(secret: string): Promise<string> {
  const length = `${secret.length} characters`;
  if (secret.length < SECRET_LENGTH_MIN) return length;
  const digest = await crypto.subtle.digest("SHA-256", utf8(`fingerprint of ${secret}`));
  return `${length}, fingerprint ${toHex(new Uint8Array(digest)).slice(0, FINGERPRINT_LENGTH)}`;
}

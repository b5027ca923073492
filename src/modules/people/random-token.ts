/**
 * Tokens of session cookies, known browsers, reset links and invitations: 256 random bits, of which
 * only a digest is kept. A plain digest is enough for so many.
 */

import { hash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

export function isToken(text: unknown): text is string {
  return typeof text === "string" && TOKEN.test(text);
}

export function tokenDigest(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

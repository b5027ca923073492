/**
 * Refresh tokens: 256 random bits, kept as a keyed digest. The pair a token was exchanged for is
 * sealed under a key made from the token, so that only who holds the token can have it again.
 */

import type { Config } from "../../infra/config.ts";
import {
  derivedKey,
  deriveKey,
  keyedDigest,
  randomBase62,
  type SecretKey,
  seal,
  unseal,
} from "../../kit/secrets.ts";

const SECRET_LENGTH = 43;

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export function newRefreshToken(): string {
  return `svc_rt_${randomBase62(SECRET_LENGTH)}`;
}

export function digestOf(token: string, pepper: SecretKey): Buffer {
  return keyedDigest(derivedKey(pepper, "refresh token"), token);
}

/** Under every pepper still accepted, so that rotating peppers signs nobody out. */
export function possibleDigests(token: string, peppers: Config["tokenPeppers"]): Buffer[] {
  return peppers.all.map((pepper) => digestOf(token, pepper));
}

export function sealPair(pair: TokenPair, oldToken: string): Buffer {
  return seal(pairKey(oldToken), Buffer.from(JSON.stringify(pair)), "successor");
}

export function openPair(sealed: Buffer, oldToken: string): TokenPair {
  return JSON.parse(unseal(pairKey(oldToken), sealed, "successor").toString());
}

function pairKey(oldToken: string): Buffer {
  return deriveKey(Buffer.from(oldToken), "successor of a refresh token");
}

/**
 * The token in the address of a checkout page: 256 bits that cannot be guessed and are not stored.
 *
 * It is worked out from a key and the transaction's id, so that the same order asked for twice gets
 * the same address; of the token itself only a digest is stored. A plain one will do: there is
 * nothing to try out in 256 bits of chance (Decision 0036).
 */

import { hash } from "node:crypto";
import type { Config } from "../../../infra/config.ts";
import { derivedKey, keyedDigest } from "../../../kit/secrets.ts";

/** 256 bits in base64url. */
export const CHECKOUT_TOKEN = /^[\w-]{43}$/;

export interface CheckoutToken {
  readonly token: string;
  /** Which pepper it was made with, to make it again. */
  readonly keyId: string;
}

/** Undefined when the pepper it was made with has been taken out of the keyring. */
export function checkoutToken(
  { tokenPeppers }: Pick<Config, "tokenPeppers">,
  transactionId: string,
  keyId: string = tokenPeppers.current.id,
): CheckoutToken | undefined {
  const pepper = tokenPeppers.byId(keyId);
  if (pepper === undefined) return undefined;
  const bytes = keyedDigest(derivedKey(pepper, "checkout token"), transactionId);
  return { token: bytes.toString("base64url"), keyId };
}

/** What is stored, and what a session is found by. */
export function tokenDigest(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export function checkoutUrl({ http }: Pick<Config, "http">, token: string): string {
  return `${http.paymentsPublicUrl}/checkout/${token}`;
}

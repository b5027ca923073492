/**
 * The answer that is kept for an Idempotency-Key, as it lies in the database: sealed (Decision
 * 0006). It may hold the address of a payment page, whose token is kept nowhere else; a copy of
 * the database must not open pages that are under way.
 *
 * A box is bound to account, environment, route and key, so that one copied over another row does
 * not open. Its key comes from the pepper of the row's fingerprint, which so tells which it was:
 * the two are good for as long as each other, and no column names the key.
 */

import { derivedKey, type SecretKey, seal, unseal } from "../../../kit/secrets.ts";

/** Whose key it is, and for what. */
export interface KeyScope {
  readonly accountNumber: string;
  readonly environment: string;
  /** Method and path template. */
  readonly route: string;
  readonly key: string;
}

/** One text for each scope: no part of it can hold a line's end. */
export function scopeText({ accountNumber, environment, route, key }: KeyScope): string {
  return [accountNumber, environment, route, key].join("\n");
}

export function sealAnswer(pepper: SecretKey, scope: KeyScope, body: Buffer): Buffer {
  return seal(boxKey(pepper), body, scopeText(scope));
}

/** Throws when the box is of another pepper or another row, or was changed. */
export function openAnswer(pepper: SecretKey, scope: KeyScope, box: Buffer): Buffer {
  return unseal(boxKey(pepper), box, scopeText(scope));
}

/** Another than that of fingerprints: one key has one use. */
function boxKey(pepper: SecretKey): Buffer {
  return derivedKey(pepper, "kept answer");
}

/**
 * Stored cards: each is sealed with its own data key, which is sealed with a wrapping key (Decision
 * 0044).
 *
 * Both boxes are bound to the record, account, environment and key version, so a box copied to
 * another row does not open. The security code is never stored. Deleting the wrapped key of a card
 * makes every copy of its box unreadable.
 *
 * A keyed fingerprint recognises the same card without opening all of them: card numbers are few
 * enough to guess from a plain hash within minutes. Its key belongs to the account and stays when
 * cards are sealed again.
 */

import { randomBytes } from "node:crypto";
import { deriveKey, type Keyring, keyedDigest, seal, unseal } from "../../kit/secrets.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { Card } from "./port.ts";

const KEY_BYTES = 32;

export interface KeptCardIdentity {
  readonly uuid: string;
  readonly accountNumber: string;
  readonly environment: Environment;
  /** How often it has been sealed again. */
  readonly keyVersion: number;
}

/** Without the security code, which must not outlive its request. */
export type KeptCard = Omit<Card, "cvv">;

/** A key of the account, sealed. */
export interface WrappedKey {
  /** The id of the wrapping key. */
  readonly wrappedWith: string;
  readonly keyBox: Buffer;
}

/** A sealed card and the wrapped key that opens it. */
export interface SealedCard extends WrappedKey {
  readonly cardBox: Buffer;
}

/** Under a new key each time. */
export function sealCard(
  { current }: Keyring,
  identity: KeptCardIdentity,
  card: KeptCard,
): SealedCard {
  // Named one by one, because the argument may carry a security code.
  const { number, expiryMonth, expiryYear, holder } = card;
  const plain = JSON.stringify({ number, expiryMonth, expiryYear, holder } satisfies KeptCard);
  const dataKey = randomBytes(KEY_BYTES);
  return {
    wrappedWith: current.id,
    keyBox: seal(wrapping(current.bytes), dataKey, boundTo("card key", identity)),
    cardBox: seal(dataKey, Buffer.from(plain), boundTo("card", identity)),
  };
}

/** Throws when a box was made for another record or with another key, or was changed. */
export function openCard(
  keyring: Keyring,
  identity: KeptCardIdentity,
  { wrappedWith, keyBox, cardBox }: SealedCard,
): KeptCard {
  const dataKey = unseal(wrappingKey(keyring, wrappedWith), keyBox, boundTo("card key", identity));
  return JSON.parse(unseal(dataKey, cardBox, boundTo("card", identity)).toString()) as KeptCard;
}

export function newFingerprintKey(keyring: Keyring, accountNumber: string): WrappedKey {
  return wrapFingerprintKey(keyring, accountNumber, randomBytes(KEY_BYTES));
}

/** The same key under the current wrapping key. */
export function rewrapFingerprintKey(
  keyring: Keyring,
  accountNumber: string,
  wrapped: WrappedKey,
): WrappedKey {
  const key = openFingerprintKey(keyring, accountNumber, wrapped);
  return wrapFingerprintKey(keyring, accountNumber, key);
}

/** Equal for equal numbers of one account, and useless without its key. */
export function cardFingerprint(
  keyring: Keyring,
  accountNumber: string,
  wrapped: WrappedKey,
  number: string,
): Buffer {
  return keyedDigest(openFingerprintKey(keyring, accountNumber, wrapped), number);
}

function wrapFingerprintKey({ current }: Keyring, accountNumber: string, key: Buffer): WrappedKey {
  const keyBox = seal(wrapping(current.bytes), key, boundToAccount(accountNumber));
  return { wrappedWith: current.id, keyBox };
}

function openFingerprintKey(
  keyring: Keyring,
  accountNumber: string,
  { wrappedWith, keyBox }: WrappedKey,
): Buffer {
  return unseal(wrappingKey(keyring, wrappedWith), keyBox, boundToAccount(accountNumber));
}

function wrappingKey(keyring: Keyring, id: string): Buffer {
  const key = keyring.byId(id);
  if (key === undefined) throw new Error(`wrapping key ${id} is not configured`);
  return wrapping(key.bytes);
}

/** Derived, so that other uses of the configured key reveal nothing about cards. */
function wrapping(secret: Buffer): Buffer {
  return deriveKey(secret, "card vault");
}

function boundTo(what: string, of: KeptCardIdentity): string {
  return `v1|${what}|${of.uuid}|${of.accountNumber}|${of.environment}|${of.keyVersion}`;
}

function boundToAccount(accountNumber: string): string {
  return `v1|card fingerprints|${accountNumber}`;
}

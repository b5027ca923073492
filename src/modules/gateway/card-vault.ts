/**
 * How a card is kept that may be charged again: sealed with a data key of its own, which is itself
 * sealed under a wrapping key (Decision 0044).
 *
 * The rule that matters: both boxes are bound to the record, account, environment and key version,
 * so one that is copied over another row does not open. The security code is never kept. Once the
 * wrapped key of a card is deleted, nobody can read it, wherever copies of its box lie.
 *
 * So that the same card can be told one day without opening all, each has a keyed fingerprint: a
 * plain hash of a card number is guessed in minutes, for there are few numbers. Its key is the
 * account's and stays when cards are sealed anew.
 */

import { randomBytes } from "node:crypto";
import { deriveKey, type Keyring, keyedDigest, seal, unseal } from "../../kit/secrets.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { Card } from "./gateway.ts";

const KEY_BYTES = 32;

export interface KeptCardIdentity {
  readonly uuid: string;
  readonly accountNumber: string;
  readonly environment: Environment;
  /** How often it has been sealed anew. */
  readonly keyVersion: number;
}

/** A card at rest: its box, and the wrapped key that opens it. */
export interface SealedCard {
  readonly wrappedWith: string;
  readonly keyBox: Buffer;
  readonly cardBox: Buffer;
}

/** Without the security code, which may not outlive its request. */
export type KeptCard = Omit<Card, "cvv">;

/** A key that is the account's, at rest. */
export interface WrappedKey {
  readonly wrappedWith: string;
  readonly keyBox: Buffer;
}

/** Under a new key each time. */
export function sealCard(
  { current }: Keyring,
  identity: KeptCardIdentity,
  card: KeptCard,
): SealedCard {
  // Named one by one: a card that comes with its security code is kept without it.
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

/** Equal for equal numbers of one account; says nothing to anybody else. */
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

/** A key of the vault's own: what else is sealed with the configured one says nothing of cards. */
function wrapping(secret: Buffer): Buffer {
  return deriveKey(secret, "card vault");
}

function boundTo(what: string, of: KeptCardIdentity): string {
  return `v1|${what}|${of.uuid}|${of.accountNumber}|${of.environment}|${of.keyVersion}`;
}

function boundToAccount(accountNumber: string): string {
  return `v1|card fingerprints|${accountNumber}`;
}

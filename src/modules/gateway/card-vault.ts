/**
 * How a card is kept that may be charged again: sealed with a data key of its account, which is
 * itself sealed under a wrapping key.
 *
 * The rule that matters: a box is bound to its record, account, environment and key version, so one
 * that is copied over another row does not open. The security code is never kept. Once an account's
 * wrapped keys are deleted, nobody can read its cards, wherever copies of them lie.
 *
 * The same card is found again by a keyed fingerprint: a plain hash of a card number is guessed in
 * minutes, for there are few numbers.
 */

import { randomBytes } from "node:crypto";
import { deriveKey, type Keyring, keyedDigest, seal, unseal } from "../../kit/secrets.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { Card } from "./gateway.ts";

const DATA_KEY_BYTES = 32;

/** A data key at rest. */
export interface WrappedDataKey {
  readonly accountNumber: string;
  readonly version: number;
  readonly wrappedWith: string;
  readonly box: Buffer;
}

export interface DataKey {
  readonly accountNumber: string;
  readonly version: number;
  readonly sealing: Buffer;
  readonly fingerprinting: Buffer;
}

export interface KeptCardIdentity {
  readonly uuid: string;
  readonly environment: Environment;
}

/** Without the security code, which may not outlive its request. */
export type KeptCard = Omit<Card, "cvv">;

export function newDataKey(
  { current }: Keyring,
  owner: Pick<DataKey, "accountNumber" | "version">,
): WrappedDataKey {
  const { accountNumber, version } = owner;
  const box = seal(current.bytes, randomBytes(DATA_KEY_BYTES), boundToOwner(owner));
  return { accountNumber, version, wrappedWith: current.id, box };
}

/** Throws when the wrapping key is gone, or the wrapped one belongs to another account. */
export function openDataKey(keyring: Keyring, wrapped: WrappedDataKey): DataKey {
  const { accountNumber, version, wrappedWith, box } = wrapped;
  const wrapping = keyring.byId(wrappedWith);
  if (wrapping === undefined) throw new Error(`wrapping key ${wrappedWith} is not configured`);
  const secret = unseal(wrapping.bytes, box, boundToOwner(wrapped));
  return {
    accountNumber,
    version,
    sealing: deriveKey(secret, "seal cards"),
    fingerprinting: deriveKey(secret, "recognise cards"),
  };
}

export function sealCard(key: DataKey, identity: KeptCardIdentity, card: KeptCard): Buffer {
  // Named one by one: a card that comes with its security code is kept without it.
  const { number, expiryMonth, expiryYear, holder } = card;
  const plain = JSON.stringify({ number, expiryMonth, expiryYear, holder } satisfies KeptCard);
  return seal(key.sealing, Buffer.from(plain), boundToCard(key, identity));
}

/** Throws when the box was made for another record or with another key, or was changed. */
export function openCard(key: DataKey, identity: KeptCardIdentity, box: Buffer): KeptCard {
  return JSON.parse(unseal(key.sealing, box, boundToCard(key, identity)).toString()) as KeptCard;
}

/** Equal for equal numbers of one account under one key; says nothing to anybody else. */
export function cardFingerprint(key: DataKey, number: string): Buffer {
  return keyedDigest(key.fingerprinting, number);
}

function boundToOwner({ accountNumber, version }: Pick<DataKey, "accountNumber" | "version">) {
  return `v1|data key|${accountNumber}|${version}`;
}

function boundToCard(key: DataKey, { uuid, environment }: KeptCardIdentity): string {
  return `v1|card|${uuid}|${key.accountNumber}|${environment}|${key.version}`;
}

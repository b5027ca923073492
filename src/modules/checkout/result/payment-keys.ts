/**
 * What a merchant checks results with: the key of the MD5 `hash` and the secret of the `signature`,
 * of each environment (Interface §2.5, Decision 0039).
 *
 * They are sealed, bound to their row, and made when an account first needs them; requests of the
 * same moment get the same ones. Unlike other secrets they can be read again by their owner, who
 * has to type them into a shop.
 */

import type { Config } from "../../../infra/config.ts";
import { prepared, type Queryable, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { type Keyring, randomBase62, seal, unseal } from "../../../kit/secrets.ts";
import type { Environment } from "../../../kit/vocabulary.ts";

/** 190 bits, and short enough for the settings of any shop. */
const HASH_KEY_LENGTH = 32;
const SIGNING_SECRET_LENGTH = 43;

/** The public account of the sandbox. Its keys are no secret. */
export const SANDBOX_ACCOUNT = "1234567890";
export const SANDBOX_KEYS: PaymentKeys = {
  hashKey: "123",
  signingSecret: "sandbox-signing-secret",
};

export interface PaymentKeys {
  readonly hashKey: string;
  readonly signingSecret: string;
}

export interface KeyOwner {
  readonly accountNumber: string;
  readonly environment: Environment;
}

/** As their owner sees them. */
export interface OwnedKeys extends PaymentKeys {
  /** Whether payment requests must be signed. */
  readonly requiresSignature: boolean;
}

/** As they are kept. */
export const PAYMENT_KEYS = pick(
  tables.payment_keys,
  "sealed_with",
  "hash_key_box",
  "signing_secret_box",
);
const REQUIRES_SIGNATURE = pick(tables.payment_keys, "requires_signature");

export type PaymentKeysRow = Row<typeof PAYMENT_KEYS>;

export const PAYMENT_KEYS_COLUMNS = columns(PAYMENT_KEYS);

type Keys = Pick<Config, "wrappingKeys">;

/** Whether it is the sandbox's own account, in the sandbox. */
export function isForTrying({ accountNumber, environment }: KeyOwner): boolean {
  return accountNumber === SANDBOX_ACCOUNT && environment === "sandbox";
}

export async function paymentKeysOf(
  db: Queryable,
  config: Keys,
  owner: KeyOwner,
): Promise<OwnedKeys> {
  const known = await readKeys(db, config, owner);
  if (known !== undefined) return known;
  await db.run(sql`${insertion(config, owner, firstKeys(owner))} on conflict do nothing`);
  // Another request may have been first.
  const made = await readKeys(db, config, owner);
  if (made === undefined) throw new Error("payment keys were made and are not there");
  return made;
}

/** New ones in the place of the old, which are worth nothing from the end of the tx on. */
export async function replacePaymentKeys(
  tx: Tx,
  config: Keys,
  owner: KeyOwner,
): Promise<OwnedKeys> {
  const fresh = newKeys();
  const { requires_signature } = await tx.one(sqlOf(REQUIRES_SIGNATURE)`
    ${insertion(config, owner, fresh)}
    on conflict (account_number, environment) do update
    set sealed_with = excluded.sealed_with, hash_key_box = excluded.hash_key_box,
      signing_secret_box = excluded.signing_secret_box, changed_at = app_now()
    returning requires_signature`);
  return { ...fresh, requiresSignature: requires_signature };
}

/** From the end of the tx on. An account that has no keys yet gets its first ones with it. */
export async function setRequiresSignature(
  tx: Tx,
  config: Keys,
  owner: KeyOwner,
  isRequired: boolean,
): Promise<void> {
  await tx.run(sql`
    ${insertion(config, owner, firstKeys(owner), isRequired)}
    on conflict (account_number, environment) do update
    set requires_signature = excluded.requires_signature`);
}

function insertion(config: Keys, owner: KeyOwner, keys: PaymentKeys, isRequired = false): Sql {
  const { sealed_with, hash_key_box, signing_secret_box } = sealed(config, owner, keys);
  return sql`
    insert into payment_keys (account_number, environment, sealed_with, hash_key_box,
      signing_secret_box, requires_signature)
    values (${owner.accountNumber}, ${owner.environment}, ${sealed_with}, ${hash_key_box},
      ${signing_secret_box}, ${isRequired})`;
}

function firstKeys(owner: KeyOwner): PaymentKeys {
  return isForTrying(owner) ? SANDBOX_KEYS : newKeys();
}

function newKeys(): PaymentKeys {
  return {
    hashKey: randomBase62(HASH_KEY_LENGTH),
    signingSecret: randomBase62(SIGNING_SECRET_LENGTH),
  };
}

async function readKeys(
  db: Queryable,
  { wrappingKeys }: Keys,
  owner: KeyOwner,
): Promise<OwnedKeys | undefined> {
  const statement = sqlOf({ ...PAYMENT_KEYS, ...REQUIRES_SIGNATURE })`
    select ${PAYMENT_KEYS_COLUMNS}, requires_signature from payment_keys
    where account_number = ${owner.accountNumber} and environment = ${owner.environment}`;
  const row = await db.maybeOne(prepared("find-payment-keys", statement));
  if (row === undefined) return undefined;
  return {
    ...openKeys({ wrappingKeys }, owner, row),
    requiresSignature: row.requires_signature,
  };
}

export function openKeys(
  { wrappingKeys }: Keys,
  owner: KeyOwner,
  row: PaymentKeysRow,
): PaymentKeys {
  const open = (box: Buffer, what: string) =>
    unseal(wrappingKey(wrappingKeys, row.sealed_with), box, boundTo(owner, what)).toString();
  return {
    hashKey: open(row.hash_key_box, "hash key"),
    signingSecret: open(row.signing_secret_box, "signing secret"),
  };
}

function sealed({ wrappingKeys }: Keys, owner: KeyOwner, keys: PaymentKeys): PaymentKeysRow {
  const { id, bytes } = wrappingKeys.current;
  const box = (text: string, what: string) => seal(bytes, Buffer.from(text), boundTo(owner, what));
  return {
    sealed_with: id,
    hash_key_box: box(keys.hashKey, "hash key"),
    signing_secret_box: box(keys.signingSecret, "signing secret"),
  };
}

function wrappingKey(keyring: Keyring, id: string): Buffer {
  const key = keyring.byId(id);
  if (key === undefined) throw new Error(`wrapping key ${id} is not configured`);
  return key.bytes;
}

function boundTo({ accountNumber, environment }: KeyOwner, what: string): string {
  return `payment ${what} ${accountNumber} ${environment}`;
}

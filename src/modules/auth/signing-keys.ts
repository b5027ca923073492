/**
 * The Ed25519 keys that sign access tokens, stored in the database and sealed under a wrapping key,
 * so that every process signs and verifies with the same ones. There is always a `next` key,
 * published before it signs; rotation makes it current (Decision 0008).
 */

import type { JWK } from "jose";
import { exportJWK } from "jose/key/export";
import { generateKeyPair } from "jose/key/generate/keypair";
import { importJWK } from "jose/key/import";
import type { Database } from "../../infra/db/database.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, json, pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { createBatcher } from "../../kit/batch.ts";
import { type Keyring, randomHex, seal, unseal } from "../../kit/secrets.ts";
import { ACCESS_TOKEN_SECONDS } from "./lifetimes.ts";

export const SIGNING_ALGORITHM = "EdDSA";
/** A retired key is published until the last token it signed has expired, and a minute more. */
const RETIRED_SECONDS = ACCESS_TOKEN_SECONDS + 60;
/** Beyond both of these. */
const LONG_AGO_SECONDS = 2 * ACCESS_TOKEN_SECONDS;

const BATCH_MAX = 1_000;

type ImportedKey = Awaited<ReturnType<typeof importJWK>>;

export type SigningKeys = ReturnType<typeof createSigningKeys>;

const PUBLIC = { kid: text, public_jwk: json<JWK>() };

const PRIVATE = pick(tables.signing_keys, "kid", "private_sealed", "wrapping_key_id");

export function createSigningKeys(db: Database, wrappingKeys: Keyring) {
  const privateKeys = new Map<string, ImportedKey>();
  const publicKeys = new Map<string, ImportedKey>();

  async function openPrivate(row: Row<typeof PRIVATE>): Promise<ImportedKey> {
    const wrapping = wrappingKeys.byId(row.wrapping_key_id);
    if (wrapping === undefined)
      throw new Error(`wrapping key ${row.wrapping_key_id} is not configured`);
    const jwk = unseal(wrapping.bytes, row.private_sealed, boundTo(row.kid)).toString();
    return importJWK(JSON.parse(jwk), SIGNING_ALGORITHM);
  }

  async function publishedRows() {
    return db.rows(sqlOf(PUBLIC)`
      select ${columns(PUBLIC)} from signing_keys
      where retired_at is null
        or retired_at > real_now() - make_interval(secs => ${RETIRED_SECONDS})
      order by created_at, kid`);
  }

  /** Unknown key names share one statement, so that a flood of guesses takes one connection. */
  const readPublicKey = createBatcher<string, ImportedKey | undefined>({
    sizeMax: BATCH_MAX,
    async run(kids) {
      for (const row of await publishedRows())
        if (!publicKeys.has(row.kid))
          publicKeys.set(row.kid, await importJWK(row.public_jwk, SIGNING_ALGORITHM));
      return kids.map((kid) => publicKeys.get(kid));
    },
  });

  return {
    async current(reader: Queryable) {
      const row = await reader.one(sqlOf(PRIVATE)`
        select ${columns(PRIVATE)} from signing_keys where state = 'current'`);
      const key = privateKeys.get(row.kid) ?? (await openPrivate(row));
      privateKeys.set(row.kid, key);
      return { kid: row.kid, key };
    },
    /** If it is one of ours; whether it may still be used is decided by the database. */
    async publicKey(kid: string): Promise<ImportedKey | undefined> {
      return publicKeys.get(kid) ?? readPublicKey(kid);
    },
    async published(): Promise<JWK[]> {
      return (await publishedRows()).map((row) => row.public_jwk);
    },
  };
}

/** Creates the first two keys of a new database. */
export async function ensureSigningKeys(db: Database, wrappingKeys: Keyring): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`lock table signing_keys in share row exclusive mode`);
    const { made } = await tx.one(sqlOf({ made: bool })`
      select exists (select from signing_keys) as made`);
    if (made) return;
    await insertSigningKey(tx, wrappingKeys, "current");
    await insertSigningKey(tx, wrappingKeys, "next");
  });
}

/** Tokens that are already signed stay valid. */
export async function rotateSigningKeys(tx: Tx, wrappingKeys: Keyring): Promise<void> {
  await tx.run(sql`lock table signing_keys in share row exclusive mode`);
  await tx.run(sql`
    update signing_keys set state = 'retired', retired_at = real_now() where state = 'current'`);
  await tx.run(sql`update signing_keys set state = 'current' where state = 'next'`);
  await insertSigningKey(tx, wrappingKeys, "next");
}

/**
 * Ends the retired keys before their tokens expire: as if they had been retired so long ago that
 * nothing they signed is valid (Decision 0008). A trigger renews the version of all credentials, so
 * no process continues with what it remembers. Gives the names of those that had not ended.
 */
export async function endRetiredKeys(tx: Tx): Promise<string[]> {
  const longAgo = sql`real_now() - make_interval(secs => ${LONG_AGO_SECONDS})`;
  const ended = await tx.rows(sqlOf(pick(tables.signing_keys, "kid"))`
    update signing_keys set retired_at = ${longAgo}
    where state = 'retired' and retired_at > ${longAgo}
    returning kid`);
  return ended.map(({ kid }) => kid);
}

async function insertSigningKey(
  tx: Tx,
  wrappingKeys: Keyring,
  state: "current" | "next",
): Promise<void> {
  const kid = randomHex(8);
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const exported = await exportJWK(pair.publicKey);
  const publicJwk = { ...exported, kid, alg: SIGNING_ALGORITHM, use: "sig" };
  const privateJwk = Buffer.from(JSON.stringify(await exportJWK(pair.privateKey)));
  const wrapping = wrappingKeys.current;
  await tx.run(sql`
    insert into signing_keys (kid, state, public_jwk, private_sealed, wrapping_key_id)
    values (${kid}, ${state}, ${JSON.stringify(publicJwk)},
      ${seal(wrapping.bytes, privateJwk, boundTo(kid))}, ${wrapping.id})`);
}

function boundTo(kid: string): string {
  return `signing key ${kid}`;
}

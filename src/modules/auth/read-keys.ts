/**
 * Whether an API key exists, is still valid and may be used from this address. It is found by its
 * kid and its digest together, so a wrong secret looks like an unknown key.
 */

import type { Database } from "../../infra/db/database.ts";
import { prepared, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { TAKEN, WINDOW_KEY } from "../../infra/http/admit/rate-limiter.ts";
import { credentialName } from "../../infra/http/caller.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { type Uses, VERSION } from "./credential-memory.ts";
import {
  CREDENTIAL,
  type CredentialReader,
  createCredentialReader,
  holderOf,
  type Verdict,
} from "./credential-reader.ts";
import { ACCOUNT_NOT_ACTIVE, invalid, KEY_EXPIRED, KEY_REVOKED } from "./unauthorized.ts";

const WRONG_PREFIX = invalid("wrong prefix");
export const REFUSED_BY_ADDRESS = invalid("address not allowed");

/** A key as it was sent. */
export interface PresentedKey {
  readonly kid: string;
  readonly environment: Environment;
  /** Of the whole key, under each pepper that is still accepted. */
  readonly digests: readonly Buffer[];
  readonly address: string;
}

const KEY = {
  ...CREDENTIAL,
  ...pick(tables.api_keys, "environment", "expires_at"),
  is_alive: bool,
  is_revoked: bool,
  is_expired: bool,
  is_allowed_from: bool,
};

type KeyRow = Row<typeof KEY>;

export function createKeyReader(db: Database): CredentialReader<PresentedKey> {
  return createCredentialReader<PresentedKey, KeyRow>(db, {
    unknown: invalid("unknown key or wrong secret"),
    read: (presented) => readKeys(db, presented),
    judge,
  });
}

function readKeys(db: Database, presented: readonly Uses<PresentedKey>[]): Promise<KeyRow[]> {
  const keys = presented.map(({ credential }) => credential);
  const limits = presented.map(({ limit }) => limit);
  const digests = keys.flatMap((key, index) =>
    key.digests.map((digest) => ({ place: index + 1, digest })),
  );
  return db.rows(
    prepared(
      "read_keys",
      sqlOf(KEY)`with asked as (
          select * from unnest(
            ${keys.map(({ kid }) => kid)}::text[],
            ${keys.map(({ address }) => address)}::inet[],
            ${keys.map(({ kid }) => credentialName({ kind: "key", kid }))}::text[],
            ${limits.map((limit) => limit?.name)}::text[],
            ${limits.map((limit) => limit?.per)}::text[],
            ${limits.map((limit) => limit?.max)}::int[],
            ${presented.map(({ hits }) => hits)}::int[]
          ) with ordinality as asked (kid, address, credential, limit_name, limit_per, hits_max,
            hits, place)
        ), digests as (
          select * from unnest(
            ${digests.map(({ place }) => place)}::bigint[],
            ${digests.map(({ digest }) => digest)}::bytea[]
          ) as digests (place, key_digest)
        ), judged as materialized (
          select place, ${VERSION} as version, account_number, account_type, country_code,
            is_main_merchant, scopes, environment, expires_at, hits_max, hits,
            revoked_at is null and (expires_at is null or expires_at > (select real_now()))
              and status = 'active' and account_type = 'BUSINESS' as is_alive,
            revoked_at is not null as is_revoked,
            coalesce(expires_at <= (select real_now()), false) as is_expired,
            cardinality(allowed_cidrs) = 0 or address <<= any(allowed_cidrs) as is_allowed_from,
            ${WINDOW_KEY} as window_key
          from asked join digests using (place) join api_keys using (kid, key_digest)
            join accounts using (account_number)
            join credential_version on only_row
        ), wanted as (
          select window_key, hits_max, hits from judged
          where window_key is not null and is_alive and is_allowed_from
        ), ${TAKEN}
        select ${columns(KEY)} from judged left join taken using (window_key)`,
    ),
  );
}

function judge({ kid, environment }: PresentedKey, row: KeyRow): Verdict {
  if (row.environment !== environment) return WRONG_PREFIX;
  if (row.is_revoked) return KEY_REVOKED;
  if (row.is_expired) return KEY_EXPIRED;
  if (!row.is_alive) return ACCOUNT_NOT_ACTIVE;
  if (!row.is_allowed_from) return REFUSED_BY_ADDRESS;
  const { expires_at: expiresAt } = row;
  return {
    caller: { ...holderOf(row), credential: { kind: "key", kid, environment, expiresAt } },
    beginsAtSeconds: -Infinity,
    // Not `getTime`: what PostgreSQL calls infinity is no Date.
    endsAtSeconds: expiresAt === null ? Infinity : Number(expiresAt) / SECOND_MS,
  };
}

/**
 * Reads the state of credentials, many at a time: requests that arrive while a read is under way
 * share the next one. Each request is decided by a read that *began after it did*, so a revocation
 * that was answered before is always seen, without any cache to invalidate.
 */

import type { Database } from "../../infra/db/database.ts";
import { prepared, sql } from "../../infra/db/query.ts";
import type { AccountType, Caller, Environment } from "../../infra/http/caller.ts";
import { createBatcher } from "../../kit/batch.ts";
import type { Scope } from "../../kit/scopes.ts";
import { mayHold } from "./allowed-scopes.ts";

const BATCH_MAX = 500;

/** Whose credential it is. */
type Holder = Omit<Caller, "credential">;

interface HolderRow {
  readonly account_number: string;
  readonly account_type: AccountType;
  readonly country_code: string;
  readonly is_main_merchant: boolean;
  readonly scopes: Scope[];
}

export interface GrantState {
  readonly holder: Holder;
  readonly grant_id: string;
  readonly is_alive: boolean;
  readonly signing_kids: string[];
  readonly now: Date;
}

export interface KeyState {
  readonly holder: Holder;
  readonly kid: string;
  readonly environment: Environment;
  readonly key_digest: Buffer;
  readonly expires_at: Date | null;
  readonly is_alive: boolean;
  readonly is_allowed_from: boolean;
}

export function createGrantReader(
  db: Database,
): (grantId: string) => Promise<GrantState | undefined> {
  return createBatcher<string, GrantState | undefined>({
    sizeMax: BATCH_MAX,
    async run(grantIds) {
      const rows = await db.rows<HolderRow & Omit<GrantState, "holder">>(
        prepared(
          "read_grants",
          sql`select grant_id, account_number, account_type, country_code, is_main_merchant,
              grants.scopes,
              revoked_at is null and status = 'active'
                and grants.credential_epoch = accounts.credential_epoch as is_alive,
              array(select kid from signing_keys) as signing_kids,
              (select app_now()) as now
            from grants join accounts using (account_number)
            where grant_id = any(${[...new Set(grantIds)]}::uuid[])`,
        ),
      );
      const byId = new Map(rows.map((row) => [row.grant_id, { ...row, holder: holderOf(row) }]));
      return grantIds.map((id) => byId.get(id));
    },
  });
}

export function createKeyReader(
  db: Database,
): (asked: { kid: string; address: string }) => Promise<KeyState | undefined> {
  return createBatcher<{ kid: string; address: string }, KeyState | undefined>({
    sizeMax: BATCH_MAX,
    async run(asked) {
      const places = new Map(asked.map((one) => [`${one.kid} ${one.address}`, one]));
      const distinct = [...places.values()];
      const rows = await db.rows<HolderRow & Omit<KeyState, "holder"> & { address: string }>(
        prepared(
          "read_keys",
          sql`select kid, asked.address, account_number, account_type, country_code,
              is_main_merchant, scopes, environment, key_digest, expires_at,
              revoked_at is null and (expires_at is null or expires_at > (select app_now()))
                and status = 'active' and account_type = 'BUSINESS' as is_alive,
              cardinality(allowed_cidrs) = 0
                or asked.address::inet <<= any(allowed_cidrs) as is_allowed_from
            from unnest(
              ${distinct.map((one) => one.kid)}::text[],
              ${distinct.map((one) => one.address)}::text[]
            ) as asked (kid, address)
            join api_keys using (kid) join accounts using (account_number)`,
        ),
      );
      const found = new Map(
        rows.map((row) => [`${row.kid} ${row.address}`, { ...row, holder: holderOf(row) }]),
      );
      return asked.map((one) => found.get(`${one.kid} ${one.address}`));
    },
  });
}

function holderOf(row: HolderRow): Holder {
  const holder = { accountType: row.account_type, isMainMerchant: row.is_main_merchant };
  return {
    ...holder,
    accountNumber: row.account_number,
    countryCode: row.country_code,
    scopes: new Set(row.scopes.filter((scope) => mayHold(holder, scope))),
  };
}

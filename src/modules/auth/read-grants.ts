/** Whether the sign-in behind an access token is still valid, and the token with it. */

import type { Database } from "../../infra/db/database.ts";
import { prepared, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, type Row } from "../../infra/db/row.ts";
import { TAKEN, WINDOW_KEY } from "../../infra/http/admit/rate-limiter.ts";
import { credentialName } from "../../infra/http/caller.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import type { TokenClaims } from "./access-token.ts";
import { type Uses, VERSION } from "./credential-memory.ts";
import {
  CREDENTIAL,
  type CredentialReader,
  createCredentialReader,
  holderOf,
  type Verdict,
} from "./credential-reader.ts";
import { CLOCK_LEEWAY_SECONDS } from "./lifetimes.ts";
import { ACCOUNT_NOT_ACTIVE, invalid, TOKEN_EXPIRED, TOKEN_REVOKED } from "./unauthorized.ts";

const GRANT = {
  ...CREDENTIAL,
  is_alive: bool,
  is_revoked: bool,
  is_signed: bool,
  is_in_time: bool,
  is_over: bool,
};

type GrantRow = Row<typeof GRANT>;

export function createGrantReader(db: Database): CredentialReader<TokenClaims> {
  return createCredentialReader<TokenClaims, GrantRow>(db, {
    unknown: invalid("unknown grant"),
    read: (presented) => readGrants(db, presented),
    judge,
  });
}

function readGrants(db: Database, presented: readonly Uses<TokenClaims>[]): Promise<GrantRow[]> {
  const claims = presented.map(({ credential }) => credential);
  const limits = presented.map(({ limit }) => limit);
  return db.rows(
    prepared(
      "read_grants",
      sqlOf(GRANT)`with asked as (
          select * from unnest(
            ${claims.map(({ grantId }) => grantId)}::uuid[],
            ${claims.map(({ accountNumber }) => accountNumber)}::text[],
            ${claims.map(({ kid }) => kid)}::text[],
            ${claims.map(beginsAt)}::bigint[],
            ${claims.map(endsAt)}::bigint[],
            ${claims.map(({ grantId }) => credentialName({ kind: "bearer", grantId }))}::text[],
            ${limits.map((limit) => limit?.name)}::text[],
            ${limits.map((limit) => limit?.per)}::text[],
            ${limits.map((limit) => limit?.max)}::int[],
            ${presented.map(({ hits }) => hits)}::int[]
          ) with ordinality as asked (grant_id, account_number, signing_kid, begins_at, ends_at,
            credential, limit_name, limit_per, hits_max, hits, place)
        ), judged as materialized (
          select place, ${VERSION} as version, account_number, account_type, country_code,
            is_main_merchant, grants.scopes, hits_max, hits,
            revoked_at is null and status = 'active'
              and grants.credential_epoch = accounts.credential_epoch as is_alive,
            revoked_at is not null
              or grants.credential_epoch <> accounts.credential_epoch as is_revoked,
            -- Nothing is signed after a key was retired: once its tokens have expired, a stolen
            -- key opens nothing, whichever process remembers it.
            exists (
              select from signing_keys where kid = signing_kid
                and (retired_at is null or begins_at <= extract(epoch from retired_at))
            ) as is_signed,
            now >= begins_at and now < ends_at as is_in_time, now >= ends_at as is_over,
            ${WINDOW_KEY} as window_key
          from asked join grants using (grant_id, account_number)
            join accounts using (account_number)
            join credential_version on only_row,
            (select extract(epoch from real_now()) as now) as clock
        ), wanted as (
          select window_key, hits_max, hits from judged
          where window_key is not null and is_alive and is_signed and is_in_time
        ), ${TAKEN}
        select ${columns(GRANT)} from judged left join taken using (window_key)`,
    ),
  );
}

function judge(claims: TokenClaims, row: GrantRow): Verdict {
  if (!row.is_alive) return row.is_revoked ? TOKEN_REVOKED : ACCOUNT_NOT_ACTIVE;
  if (!row.is_signed) return invalid("signing key withdrawn");
  if (!row.is_in_time) return row.is_over ? TOKEN_EXPIRED : invalid("issued in the future");
  const expiresAt = new Date(claims.expiresAtSeconds * SECOND_MS);
  const credential = { kind: "bearer", grantId: claims.grantId, expiresAt } as const;
  return {
    caller: { ...holderOf(row), credential },
    beginsAtSeconds: beginsAt(claims),
    endsAtSeconds: endsAt(claims),
  };
}

function beginsAt({ issuedAtSeconds }: TokenClaims): number {
  return issuedAtSeconds - CLOCK_LEEWAY_SECONDS;
}

function endsAt({ expiresAtSeconds }: TokenClaims): number {
  return expiresAtSeconds + CLOCK_LEEWAY_SECONDS;
}

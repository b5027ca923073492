/**
 * Valid credentials, remembered for as long as no credential changed (Decision 0059). Every use
 * still reads the database, in one small statement: when the version of all credentials is the
 * remembered one, the use is counted. A revocation that was answered before a request came is
 * always seen, on every process.
 */

import assert from "node:assert/strict";
import { LRUCache } from "lru-cache";
import type { Database } from "../../infra/db/database.ts";
import { prepared, sql, sqlOf } from "../../infra/db/query.ts";
import { float, type Row, text } from "../../infra/db/row.ts";
import { unnest } from "../../infra/db/unnest.ts";
import type { Identified } from "../../infra/http/admit/admit-request.ts";
import {
  type CallLimit,
  type Count,
  type Hit,
  hitOf,
  MAYBE_WINDOW,
  TAKEN,
  windowsOf,
} from "../../infra/http/admit/rate-limiter.ts";
import type { Caller } from "../../infra/http/caller.ts";

/** As many as `access-token.ts` and `authenticate.ts` keep of the objects it is keyed by. */
const REMEMBERED_MAX = 10_000;

/**
 * Of all credentials, in a statement that has the row of `credential_version`. Another server, or a
 * restarted one, may have lost the last commits: there everything is read again.
 */
export const VERSION = sql`version || ' ' || pg_postmaster_start_time()`;

export interface GoodCredential {
  readonly caller: Caller;
  /** Both since 1970. */
  readonly beginsAtSeconds: number;
  readonly endsAtSeconds: number;
}

/** One credential, presented so many times to routes of one limit. */
export interface Uses<Credential> {
  /** Uses of one object get one verdict, remembered by it; another object is read again. */
  readonly credential: Credential;
  readonly limit: CallLimit | undefined;
  readonly hits: number;
}

/** Called once for each use, in the order they came: the caller, and what is left of the limit. */
export type NextResult<Result = Identified> = () => Result;

export type CredentialMemory<Credential extends object> = ReturnType<
  typeof createCredentialMemory<Credential>
>;

interface Recalled<Credential> {
  readonly uses: Uses<Credential>;
  readonly good: GoodCredential;
  readonly hit: Hit | undefined;
}

export function createCredentialMemory<Credential extends object>(db: Database) {
  const remembered = new LRUCache<Credential, GoodCredential>({ max: REMEMBERED_MAX });
  let versionOfAll = "";

  function forgetUnless(version: string): void {
    if (version === versionOfAll) return;
    remembered.clear();
    versionOfAll = version;
  }

  function lookUp(uses: Uses<Credential>): Recalled<Credential>[] {
    const good = remembered.get(uses.credential);
    if (good === undefined) return [];
    return [{ uses, good, hit: uses.limit && hitOf(uses.limit, good.caller) }];
  }

  return {
    keep(version: string, credential: Credential, good: GoodCredential): void {
      forgetUnless(version);
      remembered.set(credential, good);
    },
    /** Counts those that are remembered and in time; the others are absent, and not counted. */
    async recall(
      presented: readonly Uses<Credential>[],
    ): Promise<Map<Uses<Credential>, NextResult>> {
      const recalled = presented.flatMap(lookUp);
      if (recalled.length === 0) return new Map();
      const before = versionOfAll;
      const { version, nowSeconds, windows } = await countIfUnchanged(db, before, recalled);
      forgetUnless(version);
      const isCounted = (hit: Hit | undefined) => hit === undefined || windows.has(hit.key);
      const stillGood = recalled.filter(
        ({ good, hit }) => version === before && isInTime(good, nowSeconds) && isCounted(hit),
      );
      return new Map(
        stillGood.map(({ uses, good: { caller }, hit }) => {
          const count = hit && windows.get(hit.key);
          return [uses, () => ({ caller, count: count?.() })];
        }),
      );
    },
  };
}

function isInTime({ beginsAtSeconds, endsAtSeconds }: GoodCredential, nowSeconds: number): boolean {
  return nowSeconds >= beginsAtSeconds && nowSeconds < endsAtSeconds;
}

/** The seconds since 1970. */
const STATE = { version: text, nowSeconds: float };

const LIMITED = {
  key: "text",
  max: "int",
  hits: "int",
  beginsAtSeconds: "float8",
  endsAtSeconds: "float8",
};

async function countIfUnchanged(
  db: Database,
  version: string,
  recalled: readonly Recalled<unknown>[],
): Promise<Row<typeof STATE> & { readonly windows: ReadonlyMap<string, () => Count> }> {
  const limited = recalled.flatMap(({ uses: { hits }, good, hit }) =>
    hit === undefined ? [] : [{ ...good, ...hit, hits }],
  );
  const rows = await db.rows(
    prepared(
      "count_remembered",
      sqlOf({ ...STATE, ...MAYBE_WINDOW })`with state as materialized (
          select ${VERSION} as version, extract(epoch from real_now())::float8 as "nowSeconds"
          from credential_version where only_row
        ), wanted as (
          select key as window_key, max as hits_max, hits
          from state, ${unnest("asked", limited, LIMITED, { anyLength: true })}
          where version = ${version} and "nowSeconds" >= begins_at_seconds
            and "nowSeconds" < ends_at_seconds
        ), ${TAKEN}
        select * from state left join taken on true`,
    ),
  );
  const [state] = rows;
  assert(state !== undefined, "there is a version of all credentials");
  return { version: state.version, nowSeconds: state.nowSeconds, windows: windowsOf(rows) };
}

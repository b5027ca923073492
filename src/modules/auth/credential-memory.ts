/**
 * What is known of good credentials, remembered for as long as none of them changed (Decision
 * 0059). Every use still asks the database: whether the version of all credentials is the one that
 * is remembered, and if so the use is counted, in one small statement. A revocation that was
 * answered before a request came is always seen, on every process.
 */

import assert from "node:assert/strict";
import { LRUCache } from "lru-cache";
import type { Database } from "../../infra/db/database.ts";
import { prepared, sql, sqlOf } from "../../infra/db/query.ts";
import { float, type Row, text } from "../../infra/db/row.ts";
import type { Identified } from "../../infra/http/admit/admit-request.ts";
import type { CallLimit } from "../../infra/http/admit/rate-limiter.ts";
import {
  type Count,
  type Hit,
  hitOf,
  MAYBE_WINDOW,
  TAKEN,
  windowsOf,
} from "../../infra/http/admit/rate-limiter.ts";
import type { Caller } from "../../infra/http/caller.ts";

/** As many as `access-token.ts` and `authenticate.ts` keep of the objects that it goes by. */
const REMEMBERED_MAX = 10_000;

/**
 * Of all credentials, in a statement that has the row of `credential_version`. Another server, or
 * one that was started again, may have lost what was committed last: there all is read anew.
 */
export const VERSION = sql`version || ' ' || pg_postmaster_start_time()`;

export interface GoodCredential {
  readonly caller: Caller;
  /** Both since 1970. */
  readonly beginsAtSeconds: number;
  readonly endsAtSeconds: number;
}

/** One credential that somebody presented to routes of one limit, so many times. */
export interface Uses<Credential> {
  /** Uses of one object get one verdict, remembered by it; another object is read anew. */
  readonly credential: Credential;
  readonly limit: CallLimit | undefined;
  readonly hits: number;
}

/** Tells the uses, one after the other as they came, who it is and what is left. */
export type Tell<Told = Identified> = () => Told;

export interface CredentialMemory<Credential> {
  keep(known: { version: string; credential: Credential; good: GoodCredential }): void;
  /** Counts those that are remembered and in time; the others are absent, and not counted. */
  recall(asked: readonly Uses<Credential>[]): Promise<Map<Uses<Credential>, Tell>>;
}

interface Recalled<Credential> {
  readonly uses: Uses<Credential>;
  readonly good: GoodCredential;
  readonly hit: Hit | undefined;
}

export function createCredentialMemory<Credential extends object>(
  db: Database,
): CredentialMemory<Credential> {
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
    keep({ version, credential, good }) {
      forgetUnless(version);
      remembered.set(credential, good);
    },
    async recall(asked) {
      const recalled = asked.flatMap(lookUp);
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

const STATE = {
  version: text,
  /** Since 1970. */
  nowSeconds: float,
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
          select ${VERSION} as version, extract(epoch from app_now())::float8 as "nowSeconds"
          from credential_version where only_row
        ), wanted as (
          -- In subqueries, as in rate-limiter.ts and for its reason.
          select window_key, hits_max, hits
          from state, unnest(
            (select ${limited.map(({ key }) => key)}::text[]),
            (select ${limited.map(({ max }) => max)}::int[]),
            (select ${limited.map(({ hits }) => hits)}::int[]),
            (select ${limited.map(({ beginsAtSeconds }) => beginsAtSeconds)}::float8[]),
            (select ${limited.map(({ endsAtSeconds }) => endsAtSeconds)}::float8[])
          ) as asked (window_key, hits_max, hits, begins_at, ends_at)
          where version = ${version} and "nowSeconds" >= begins_at and "nowSeconds" < ends_at
        ), ${TAKEN}
        select * from state left join taken on true`,
    ),
  );
  const [state] = rows;
  assert(state !== undefined, "there is a version of all credentials");
  return { version: state.version, nowSeconds: state.nowSeconds, windows: windowsOf(rows) };
}

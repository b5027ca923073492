/**
 * What is known of good credentials, remembered for as long as none of them changed (Decision
 * 0059). Every use still asks the database: whether the version of all credentials is the one that
 * is remembered, and if so the use is counted, in one small statement. A revocation that was
 * answered before a request came is always seen, on every process.
 */

import { LRUCache } from "lru-cache";
import type { Database } from "../../infra/db/database.ts";
import { prepared, sql } from "../../infra/db/query.ts";
import { hitOf } from "../../infra/http/admit-request.ts";
import type { Caller } from "../../infra/http/caller.ts";
import {
  type Count,
  type Hit,
  shareOut,
  TAKEN,
  type Taken,
} from "../../infra/http/rate-limiter.ts";
import type { CallLimit, Identified } from "../../infra/http/route.ts";

const REMEMBERED_MAX = 10_000;

/** A credential that is good between two moments, in seconds since 1970. */
export interface Good {
  readonly caller: Caller;
  readonly beginsAt: number;
  readonly endsAt: number;
}

/** So many uses of one credential on routes of one limit. */
export interface Uses {
  /** Of the credential. */
  readonly name: string;
  readonly limit: CallLimit | undefined;
  readonly hits: number;
}

/** Tells the uses, one after the other as they came, who it is and what is left. */
export type Tell<Told = Identified> = () => Told;

export interface CredentialMemory {
  keep(version: string, name: string, good: Good): void;
  /** Counts those that are remembered and in time; the others are absent, and not counted. */
  recall(asked: readonly Uses[]): Promise<Map<Uses, Tell>>;
}

interface Recalled {
  readonly uses: Uses;
  readonly good: Good;
  readonly hit: Hit | undefined;
}

export function createCredentialMemory(db: Database): CredentialMemory {
  const remembered = new LRUCache<string, Good>({ max: REMEMBERED_MAX });
  let versionOfAll = "";

  function keepOnly(version: string): void {
    if (version === versionOfAll) return;
    remembered.clear();
    versionOfAll = version;
  }

  function lookUp(uses: Uses): Recalled[] {
    const good = remembered.get(uses.name);
    if (good === undefined) return [];
    return [{ uses, good, hit: uses.limit && hitOf(uses.limit, good.caller) }];
  }

  return {
    keep(version, name, good) {
      keepOnly(version);
      remembered.set(name, good);
    },
    async recall(asked) {
      const recalled = asked.flatMap(lookUp);
      if (recalled.length === 0) return new Map();
      const before = versionOfAll;
      const { version, now, windows } = await countIfUnchanged(db, before, recalled);
      keepOnly(version);
      const stillGood = recalled.filter(({ good }) => version === before && isInTime(good, now));
      return new Map(
        stillGood.map(({ uses, good: { caller }, hit }) => {
          const count = hit && windows.get(hit.key);
          return [uses, () => ({ caller, count: count?.() })];
        }),
      );
    },
  };
}

function isInTime({ beginsAt, endsAt }: Good, now: number): boolean {
  return now >= beginsAt && now < endsAt;
}

interface Counted {
  readonly version: string;
  readonly now: number;
  readonly windows: ReadonlyMap<string, () => Count>;
}

async function countIfUnchanged(
  db: Database,
  version: string,
  recalled: readonly Recalled[],
): Promise<Counted> {
  const counted = recalled.flatMap(({ uses: { hits }, good, hit }) =>
    hit === undefined ? [] : [{ ...good, ...hit, hits }],
  );
  const rows = await db.rows<Pick<Counted, "version" | "now"> & (Taken | { granted: null })>(
    prepared(
      "count_remembered",
      sql`with state as materialized (
          select version, extract(epoch from app_now())::float8 as now
          from credential_version where only_row
        ), wanted as (
          -- Each array in a subquery: where its length shows, the statement is planned anew each
          -- time, which takes longer than all it does.
          select window_key, hits_max, hits
          from state, unnest(
            (select ${counted.map(({ key }) => key)}::text[]),
            (select ${counted.map(({ max }) => max)}::int[]),
            (select ${counted.map(({ hits }) => hits)}::int[]),
            (select ${counted.map(({ beginsAt }) => beginsAt)}::float8[]),
            (select ${counted.map(({ endsAt }) => endsAt)}::float8[])
          ) as asked (window_key, hits_max, hits, begins_at, ends_at)
          where version = ${version}::uuid and now >= begins_at and now < ends_at
        ), ${TAKEN}
        select * from state left join taken on true`,
    ),
  );
  const [state] = rows;
  if (state === undefined) throw new Error("the version of all credentials is gone");
  const taken = rows.filter((row) => row.granted !== null);
  return { ...state, windows: new Map(taken.map((row) => [row.window_key, shareOut(row)])) };
}

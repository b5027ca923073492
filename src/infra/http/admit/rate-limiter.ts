/**
 * Rate limits: at most so many requests in any sliding minute, counted once for all processes.
 *
 * The count lives in PostgreSQL, in an unlogged table. Requests that arrive while a count is under
 * way are counted together in the next statement, so the cost of a request falls as the load rises.
 * Small limits are remembered hit by hit, large ones by the second; both are exact upper bounds
 * (Decision 0005).
 */

import { createBatcher, PATIENCE_MS } from "../../../kit/batch.ts";
import { SECOND_MS } from "../../../kit/clock.ts";
import { ServiceError } from "../../../kit/errors.ts";
import type { LimitName } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import { prepared, type Sql, sql, sqlOf } from "../../db/query.ts";
import { bigint, int, omit, outer, type Row, text } from "../../db/row.ts";
import type { Tx } from "../../db/transaction.ts";
import { unnest } from "../../db/unnest.ts";
import { type Caller, credentialName } from "../caller.ts";

const WINDOW_MS = 60 * SECOND_MS;
/** Of longer windows: hits of one minute are remembered together. */
const LONG_STEP_MS = 60 * SECOND_MS;
const BATCH_MAX = 500;
/** Up to this limit every hit keeps its own millisecond. */
const EXACT_UP_TO = 60;

export class TooManyAttempts extends ServiceError {
  constructor(retryAfterSeconds: number) {
    super("too_many_attempts", { headers: { "retry-after": String(retryAfterSeconds) } });
  }
}

/** A limit that the credential itself is counted against. */
export interface CallLimit {
  readonly name: LimitName;
  readonly per: "account" | "credential";
  readonly max: number;
}

export interface Hit {
  readonly key: string;
  readonly max: number;
  /** As how many it counts: 0 to look without being counted; 1 when absent. */
  readonly weight?: number;
}

export interface Count {
  readonly granted: boolean;
  readonly remaining: number;
  readonly retryAfterSeconds: number;
}

/** What a statement with `TAKEN` or `takenWithin` gives back of a window. */
export const WINDOW = { window_key: text, granted: int, remaining: int, retry_after_ms: bigint };

export type WindowRow = Row<typeof WINDOW>;

/** The same by an outer join: what was not counted has no `granted`. */
export const MAYBE_WINDOW = outer(WINDOW);

/** The window of a limit: by whom or what it is counted. `TAKEN` uses the same text. */
export function windowKey(limit: string, subject: string): string {
  return `${limit} ${subject}`;
}

export function hitOf({ name, per, max }: CallLimit, caller: Caller): Hit {
  const subject = per === "account" ? caller.accountNumber : credentialName(caller.credential);
  return { key: windowKey(name, subject), max };
}

/** The same in a statement that has `limit_name`, `limit_per`, `account_number`, `credential`. */
export const WINDOW_KEY = sql`limit_name || ' ' ||
  case limit_per when 'account' then account_number else credential end`;

/**
 * Takes hits out of their windows, as part of a statement that has the rows `wanted (window_key,
 * hits_max, hits)`. In the order of their keys, so that two processes lock the same windows in the
 * same order. Hits of one step are remembered together; it is SQL, because it may depend on
 * `hits_max`.
 */
export function takenWithin(windowMs: number, stepMs: Sql): Sql {
  return sql`taken as materialized (
    select window_key, hit.*
    from (
      select window_key, hits_max, sum(hits)::int as hits from wanted
      group by window_key, hits_max order by window_key
    ) as ordered,
    lateral take_rate_limit(window_key, hits_max, ${windowMs}::int, ${stepMs}, hits) as hit)`;
}

/** The same in any sliding minute. */
export const TAKEN = takenWithin(
  WINDOW_MS,
  sql`case when hits_max > ${EXACT_UP_TO} then ${SECOND_MS}::int else 1 end`,
);

export function createRateLimiter(db: Database): (hit: Hit) => Promise<Count> {
  const run = (hits: readonly Hit[]) => countTogether(db, hits);
  return createBatcher<Hit, Count>({ run, sizeMax: BATCH_MAX, patienceMs: PATIENCE_MS });
}

const WANTED = { windowKey: "text", hitsMax: "int", hits: "int" };

async function countTogether(db: Database, hits: readonly Hit[]): Promise<Count[]> {
  const wanted = new Map<string, { windowKey: string; hitsMax: number; hits: number }>();
  for (const { key, max, weight = 1 } of hits) {
    const entry = wanted.get(key);
    if (entry === undefined) wanted.set(key, { windowKey: key, hitsMax: max, hits: weight });
    else entry.hits += weight;
  }
  const source = unnest("wanted", [...wanted.values()], WANTED, { anyLength: true });
  const rows = await db.rows(
    prepared(
      "take_rate_limits",
      sqlOf(WINDOW)`with wanted as (select * from ${source}), ${TAKEN} select * from taken`,
    ),
  );
  const windows = windowsOf(rows);
  return hits.map(({ key, weight = 1 }) => {
    const next = windows.get(key);
    if (next === undefined) throw new Error("a limiter key came back without its count");
    return next(weight);
  });
}

/**
 * The same for a longer window, by itself in a tx: what is rolled back counts for nothing, and
 * a look holds the count until its tx ends, so that many at once go one after the other.
 */
export async function countWithin(
  tx: Tx,
  { key, max, weight = 1 }: Hit,
  windowSeconds: number,
): Promise<Count> {
  const row = await tx.one(sqlOf(omit(WINDOW, "window_key"))`
    select granted, remaining, retry_after_ms
    from take_rate_limit(${key}, ${max}, ${windowSeconds * SECOND_MS}, ${LONG_STEP_MS},
      ${weight})`);
  return shareOut({ ...row, window_key: key })(weight);
}

/** Shares out each window to its hits, by its key. */
export function windowsOf(
  rows: readonly Row<typeof MAYBE_WINDOW>[],
): Map<string, ReturnType<typeof shareOut>> {
  const counted = rows.filter((row): row is WindowRow => row.granted !== null);
  return new Map(counted.map((row) => [row.window_key, shareOut(row)]));
}

/** The first hits are granted; each count says what is left after it. */
export function shareOut(window: WindowRow): (weight?: number) => Count {
  const retryAfterSeconds = Math.max(1, Math.ceil(Number(window.retry_after_ms) / SECOND_MS));
  let position = 0;
  return (weight = 1) => {
    position += weight;
    return {
      granted: position <= window.granted,
      remaining: window.remaining + Math.max(window.granted - position, 0),
      retryAfterSeconds,
    };
  };
}

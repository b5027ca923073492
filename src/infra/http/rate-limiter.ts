/**
 * Rate limits: at most so many requests in any sliding minute, counted once for all processes.
 *
 * The count lives in PostgreSQL, in an unlogged table. Requests that arrive while a count is under
 * way are counted together in the next statement, so the cost of a request falls as the load rises.
 * Small limits are remembered hit by hit, large ones by the second; both are exact upper bounds
 * (Decision 0005).
 */

import { createBatcher } from "../../kit/batch.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import { ServiceError } from "../../kit/errors.ts";
import type { Database } from "../db/database.ts";
import { prepared, sql } from "../db/query.ts";

const WINDOW_MS = 60 * SECOND_MS;
const BATCH_MAX = 500;
/** Up to this limit every hit keeps its own millisecond. */
const EXACT_UP_TO = 60;

export class TooManyAttempts extends ServiceError {
  constructor(retryAfterSeconds: number) {
    super({
      status: 429,
      code: "too_many_attempts",
      message: "Too Many Attempts.",
      headers: { "retry-after": String(retryAfterSeconds) },
    });
  }
}

export interface Hit {
  readonly key: string;
  readonly max: number;
}

export interface Count {
  readonly granted: boolean;
  readonly remaining: number;
  readonly retryAfterSeconds: number;
}

interface Taken {
  readonly window_key: string;
  readonly granted: number;
  readonly remaining: number;
  readonly retry_after_ms: bigint;
}

export function createRateLimiter(db: Database): (hit: Hit) => Promise<Count> {
  return createBatcher<Hit, Count>({ run: (hits) => countTogether(db, hits), sizeMax: BATCH_MAX });
}

async function countTogether(db: Database, hits: readonly Hit[]): Promise<Count[]> {
  const wanted = new Map<string, { max: number; hits: number }>();
  for (const { key, max } of hits) {
    const entry = wanted.get(key);
    if (entry === undefined) wanted.set(key, { max, hits: 1 });
    else entry.hits++;
  }
  const taken = await takeHits(db, wanted);
  return shareOut(hits, taken);
}

async function takeHits(
  db: Database,
  wanted: ReadonlyMap<string, { max: number; hits: number }>,
): Promise<ReadonlyMap<string, Taken>> {
  const entries = [...wanted.values()];
  const rows = await db.rows<Taken>(
    // Ordered by key, so that two processes lock the same windows in the same order.
    prepared(
      "take_rate_limits",
      sql`select window_key, taken.*
        from (select * from unnest(
          ${[...wanted.keys()]}::text[], ${entries.map((entry) => entry.max)}::int[],
          ${entries.map((entry) => (entry.max > EXACT_UP_TO ? SECOND_MS : 1))}::int[],
          ${entries.map((entry) => entry.hits)}::int[]
        ) as wanted (window_key, max, step_ms, hits) order by window_key) as ordered,
        lateral take_rate_limit(window_key, max, ${WINDOW_MS}::int, step_ms, hits) as taken`,
    ),
  );
  return new Map(rows.map((row) => [row.window_key, row]));
}

/** The first to arrive are the ones let in; each is told what is left after it. */
function shareOut(hits: readonly Hit[], taken: ReadonlyMap<string, Taken>): Count[] {
  const givenOut = new Map<string, number>();
  return hits.map(({ key }) => {
    const window = taken.get(key);
    if (window === undefined) throw new Error("a limiter key came back without its count");
    const place = (givenOut.get(key) ?? 0) + 1;
    givenOut.set(key, place);
    return {
      granted: place <= window.granted,
      remaining: window.remaining + Math.max(window.granted - place, 0),
      retryAfterSeconds: Math.max(1, Math.ceil(Number(window.retry_after_ms) / SECOND_MS)),
    };
  });
}

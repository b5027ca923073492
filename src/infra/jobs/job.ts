/**
 * A job is data, like a route: its name, when it runs by itself, and the function that does it.
 * Jobs that follow from a change are added in the same tx as the change, so neither can exist
 * alone.
 */

import { traceparent } from "../../kit/trace.ts";
import { type Queryable, sql } from "../db/query.ts";

export interface Job<Ctx, Payload = unknown> {
  readonly name: string;
  /** Runs once an hour, on one of the processes. */
  readonly everyHourAtMinute?: number;
  /** Runs once a minute instead, for work that people wait for. */
  readonly everyMinute?: true;
  /** Runs when the sandbox's clock was moved, too, with `ClockMoved` (Decision 0104). */
  readonly followsTheClock?: true;
  run(ctx: Ctx, payload: Payload): Promise<void>;
}

/** What a job is told that runs because the clock was moved. */
export interface ClockMoved {
  readonly clockMovedFrom: string;
}

export function defineJob<Ctx, Payload>(job: Job<Ctx, Payload>): Job<Ctx> {
  return job as Job<Ctx>;
}

/** By the real clock, the only one that job runners know (Decision 0003). */
export async function addJob(
  tx: Queryable,
  name: string,
  payload: object,
  options: {
    /** Of jobs under one key one waits, the last that was added. */
    key?: string;
    inSeconds?: number;
  } = {},
): Promise<void> {
  const { key = null, inSeconds = 0 } = options;
  // Left out by JSON where it is undefined.
  const json = JSON.stringify({ ...payload, traceparent: traceparent() });
  await tx.run(sql`
    select graphile_worker.add_job(${name}, ${json}::json, job_key => ${key},
      run_at => clock_timestamp() + make_interval(secs => ${inSeconds}))`);
}

export async function removeJob(tx: Queryable, key: string): Promise<void> {
  await tx.run(sql`select graphile_worker.remove_job(${key})`);
}

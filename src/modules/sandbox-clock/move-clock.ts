/**
 * Moves the sandbox's clock, and has what became due done at once: jobs that run every minute or
 * hour are added in the same tx; loops look every second or few by themselves (Decision 0104).
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Infra } from "../../infra/context.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { addJob, type ClockMoved } from "../../infra/jobs/job.ts";
import { DAY_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import { FieldRefused, FieldsConflict, fixedRefusal } from "../../kit/errors.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { type ClockReading, readClock } from "./sandbox-clock.ts";

export interface ClockContext extends Infra {
  /** Names of the jobs that run when the clock has moved. */
  readonly jobsByTheClock: readonly string[];
}

/** One of them. */
export interface ClockMove {
  readonly advance: number | undefined;
  readonly set: Date | undefined;
}

/** Dates further ahead are none that cards, links or statements were made for. */
export const YEARS_AHEAD_MAX = 10;
export const SECONDS_AHEAD_MAX = YEARS_AHEAD_MAX * 366 * DAY_SECONDS;

export class ClockRunsForward extends fixedRefusal("clock_runs_forward") {}
export class TooFarAhead extends fixedRefusal("clock_too_far_ahead") {}

const ONE_OF_TWO = "Send advance or set, one of them.";

export async function moveSandboxClock(
  { jobsByTheClock }: ClockContext,
  tx: Tx,
  caller: Caller,
  move: ClockMove,
): Promise<ClockReading> {
  demandOne(move);
  await holdCredential(tx, caller, "read");
  // By itself: what the time is must be read after the lock, in a snapshot of its own.
  await tx.one(sqlOf({})`select from clock_shift for update`);
  const before = await readClock(tx);
  const seconds = secondsOf(move, before);
  if (seconds < 0) throw new ClockRunsForward();
  const ahead = before.shift_seconds + seconds;
  if (ahead > SECONDS_AHEAD_MAX) throw new TooFarAhead();
  await tx.run(sql`update clock_shift set ahead = make_interval(secs => ${ahead})`);
  const moved: ClockMoved = { clockMovedFrom: before.now.toISOString() };
  for (const job of jobsByTheClock) await addJob(tx, job, moved);
  await recordAudit(tx, caller, "clock_moved", { detail: { seconds } });
  return readClock(tx);
}

export function demandOne({ advance, set }: ClockMove): void {
  if (advance !== undefined && set !== undefined) throw new FieldsConflict(ONE_OF_TWO, "set");
  if (advance === undefined && set === undefined)
    throw new FieldRefused(ONE_OF_TWO, { code: "field_required", field: "advance" });
}

function secondsOf({ advance, set }: ClockMove, { now }: ClockReading): number {
  if (advance !== undefined) return advance;
  return ((set?.getTime() ?? 0) - now.getTime()) / SECOND_MS;
}

/**
 * The clock of the sandbox: the service's time, which runs ahead of the real one as far as it was
 * moved (Decision 0104). Only the development stage moves it.
 */

import type { Queryable } from "../../infra/db/query.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { float, type Row, timestamp } from "../../infra/db/row.ts";
import { countSchema, timestampSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";

const CLOCK = { now: timestamp, real_time: timestamp, shift_seconds: float };

export type ClockReading = Row<typeof CLOCK>;

export const clockView = Type.Object(
  {
    now: timestampSchema("The sandbox's time.", "2026-12-18T12:00:00.000Z"),
    real_time: timestampSchema("The time of everybody else."),
    shift_seconds: countSchema("How far the sandbox's time is ahead, in seconds.", 2_592_000),
  },
  { title: "SandboxClock" },
);

export async function readClock(db: Queryable): Promise<ClockReading> {
  return db.one(sqlOf(CLOCK)`
    select app_now() as now, real_now() as real_time,
      extract(epoch from ahead)::float8 as shift_seconds
    from clock_shift`);
}

export function viewClock({ now, real_time, shift_seconds }: ClockReading) {
  return { now, real_time, shift_seconds: Math.round(shift_seconds) };
}

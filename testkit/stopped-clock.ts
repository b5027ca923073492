/** A clock that stands still, for what is counted by time. Both times of Decision 0104 stop. */

import { type Queryable, sql } from "../src/infra/db/query.ts";

/** Until `moveClock` moves it: the database of this file only. */
export async function stopClock(db: Queryable): Promise<void> {
  await db.run(sql`
    create or replace function app_now() returns timestamptz language sql volatile
    as 'select date_trunc(''minute'', timestamptz ''2026-11-15'') + shift from clock_shift'`);
  await db.run(sql`
    create or replace function real_now() returns timestamptz language sql volatile
    as 'select app_now()'`);
}

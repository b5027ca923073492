/**
 * What time it is. There is one clock, the database's, because several processes decide about the
 * same expiries and their own clocks differ (Decision 0003). `app_now()` is that clock plus a
 * shift, which is zero in production and lets tests and the sandbox move time.
 */

import { prepared, type Queryable, sql, sqlOf } from "./query.ts";
import { timestamp } from "./row.ts";

const NOW = prepared("now", sqlOf({ now: timestamp })`select app_now() as now`);

export async function now(db: Queryable): Promise<Date> {
  return (await db.one(NOW)).now;
}

/** Moves time forward for every process on this database. */
export async function moveClock(db: Queryable, by: { seconds: number }): Promise<void> {
  await db.run(sql`update clock_shift set shift = shift + make_interval(secs => ${by.seconds})`);
}

/** When a lease of so many seconds ends that begins now. */
export function leaseEnd(seconds: number) {
  return sql`(select app_now()) + make_interval(secs => ${seconds})`;
}

/**
 * What time it is. There is one clock, the database's, because several processes decide about the
 * same expiries and their own clocks differ (Decision 0003). It shows two times (Decision 0104):
 * `app_now()`, which the sandbox's clock can move ahead, and `real_now()`, which stays with the
 * clocks of everybody else. In production they are the same.
 */

import { prepared, type Queryable, sql, sqlOf } from "./query.ts";
import { timestamp } from "./row.ts";

const NOW = prepared("now", sqlOf({ now: timestamp })`select app_now() as now`);
const REAL_NOW = prepared("real-now", sqlOf({ now: timestamp })`select real_now() as now`);

/** The service's time: of payments, deadlines, retries and statements. */
export async function now(db: Queryable): Promise<Date> {
  return (await db.one(NOW)).now;
}

/** For what others verify or guess at: credentials, one-time codes, limits, signatures. */
export async function realNow(db: Queryable): Promise<Date> {
  return (await db.one(REAL_NOW)).now;
}

/** When a lease of so many seconds ends that begins now. */
export function leaseEnd(seconds: number) {
  return sql`(select app_now()) + make_interval(secs => ${seconds})`;
}

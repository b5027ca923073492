/** Waits until so many statements stand before a lock, so that a race has one order for certain. */

import { type Queryable, sql } from "../src/infra/db/query.ts";
import { until } from "./until.ts";

export function untilWaiting(db: Queryable, count = 1): Promise<void> {
  return until(async () => {
    const { waiting } = await db.one<{ waiting: number }>(sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return waiting >= count;
  }, `${count} wait for a lock`);
}

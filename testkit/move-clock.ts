/** Time that passes without waiting for it: both times of Decision 0104 move. */

import { type Queryable, sql } from "../src/infra/db/query.ts";

/** For every process on this database. */
export async function moveClock(db: Queryable, by: { seconds: number }): Promise<void> {
  await db.run(sql`update clock_shift set shift = shift + make_interval(secs => ${by.seconds})`);
}

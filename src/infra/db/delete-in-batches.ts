/**
 * Deletes what is over, a thousand rows at a time, so that no statement runs long and no lock is
 * held for long; rows that are locked are left for the next time.
 */

import { type Queryable, type Sql, sql } from "./query.ts";

const ROWS_AT_ONCE = 1_000;

export async function deleteInBatches(db: Queryable, table: Sql, isOver: Sql): Promise<void> {
  let deleted: number;
  do {
    deleted = await db.run(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${isOver}
        limit ${ROWS_AT_ONCE} for update skip locked))`);
  } while (deleted === ROWS_AT_ONCE);
}

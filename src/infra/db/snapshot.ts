/**
 * Reads much of the database as it was at one moment, for reconciliation. What is needed of a
 * table is most of it, so it may be read as it lies there (Decision 0061).
 */

import type { Database } from "./database.ts";
import { sql } from "./query.ts";
import type { Tx } from "./transaction.ts";

export function inSnapshot<T>(db: Database, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read read only`);
    await tx.run(sql`set local enable_seqscan = on`);
    return read(tx);
  });
}

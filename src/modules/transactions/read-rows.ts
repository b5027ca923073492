/** The records of a few keys, in the order of the keys. */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import type { Key } from "./history-marker.ts";
import { TRANSACTION, TRANSACTION_COLUMNS, type TransactionRow } from "./transaction.ts";

export async function readRows(db: Queryable, keys: readonly Key[]): Promise<TransactionRow[]> {
  if (keys.length === 0) return [];
  const rows = await db.rows(sqlOf(TRANSACTION)`
    select ${TRANSACTION_COLUMNS} from transactions
    where transaction_id = any(${keys.map(({ id }) => id)}::text[])`);
  const byId = new Map(rows.map((row) => [row.transaction_id, row]));
  return keys.flatMap(({ id }) => byId.get(id) ?? []);
}

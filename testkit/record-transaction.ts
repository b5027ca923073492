/** Payments that wait for their result, written as a payment request writes them. */

import { now } from "../src/infra/db/clock.ts";
import { sqlOf } from "../src/infra/db/query.ts";
import { pick } from "../src/infra/db/row.ts";
import { tables } from "../src/infra/db/tables.ts";
import type { Tx } from "../src/infra/db/transaction.ts";
import {
  type NewTransaction,
  newTransactionRow,
  recordedAs,
  whyNotRecorded,
} from "../src/modules/transactions/new-transaction.ts";
import type { TransactionRow } from "../src/modules/transactions/transaction.ts";

export async function recordTransaction(tx: Tx, asked: NewTransaction): Promise<TransactionRow> {
  const [made] = await recordTransactions(tx, [asked]);
  if (made === undefined) throw await whyNotRecorded(tx, asked);
  return made;
}

/**
 * Many in one statement, and in the order given: undefined stands for one whose order has a live
 * transaction, or whose account takes no payments.
 */
export async function recordTransactions(
  tx: Tx,
  asked: readonly NewTransaction[],
): Promise<(TransactionRow | undefined)[]> {
  const at = await now(tx);
  const rows = asked.map((one) => newTransactionRow(one, at));
  const made = await tx.rows(sqlOf(pick(tables.transactions, "transaction_id"))`
    with ${recordedAs(rows)} select transaction_id from made`);
  const ids = new Set(made.map(({ transaction_id }) => transaction_id));
  return rows.map((row) => (ids.has(row.transaction_id) ? row : undefined));
}

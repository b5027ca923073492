/**
 * Notes that a customer is owed a receipt, in the tx in which a payment succeeds or a refund is
 * done (Decision 0098). A row is all that the tx has to write; the mail is made from it later, by
 * `receipts/`, which also decides whether it may be sent.
 */

import { type Sql, sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Environment } from "../../kit/vocabulary.ts";

/**
 * The payments of the rows `moved` that were paid by somebody with an e-mail. Part of the statement
 * that moves them, since a checkout must not wait for one more.
 */
export function payReceiptsDue(environments: readonly Environment[]): Sql {
  return sql`
    insert into receipts_due (record_id, kind)
    select transaction_id, 'payment' from moved
    where status = 'success' and customer ? 'email' and environment = any(${environments})`;
}

export async function refundReceiptDue(tx: Tx, refundId: string): Promise<void> {
  await tx.run(sql`insert into receipts_due (record_id, kind) values (${refundId}, 'refund')`);
}

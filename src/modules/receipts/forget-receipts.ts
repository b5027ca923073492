/** Receipts that are not to be sent any more, and the mails that they are (Decision 0122). */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";

const MAIL = pick(tables.mails, "mail_id", "reason", "recipient", "state", "created_at");

/** Waiting or ended; mails go 30 days after their end by themselves. */
export function receiptMails(db: Queryable, transactionIds: readonly string[]) {
  return db.rows(sqlOf(MAIL)`
    select mail_id, reason, recipient, state, created_at from mails
    where (starts_with(reason, 'receipt ')
        and split_part(reason, ' ', 2) = any (${transactionIds}))
      or (starts_with(reason, 'refund receipt ') and split_part(reason, ' ', 3) in (
        select refund_id::text from refunds where transaction_id = any (${transactionIds})))
    order by created_at, mail_id`);
}

/** Returns the ids of the mails, to be deleted. */
export async function forgetReceipts(tx: Tx, transactionIds: readonly string[]): Promise<string[]> {
  await tx.run(sql`
    delete from receipts_due where record_id = any (${transactionIds}) or record_id in (
      select refund_id::text from refunds where transaction_id = any (${transactionIds}))`);
  return (await receiptMails(tx, transactionIds)).map(({ mail_id }) => mail_id);
}

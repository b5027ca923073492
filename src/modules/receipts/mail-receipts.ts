/**
 * Queues the mails of receipts that are due (Decision 0098), in the tx that takes the note. What
 * may not be sent, or has no address, is taken alone.
 */

import type { Infra } from "../../infra/context.ts";
import { prepared, sql, sqlOf } from "../../infra/db/query.ts";
import { pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type NotedWork, type NoteTable, takeNote } from "../../infra/jobs/due-notes.ts";
import { normalEmail } from "../../kit/fields/text.ts";
import { mailsReceiptsIn } from "./may-mail.ts";
import { readReceipt } from "./receipt.ts";
import { queueReceipt } from "./receipt-mail.ts";

type MailingContext = Pick<Infra, "config" | "db" | "log">;

const DUE = pick(tables.receipts_due, "record_id", "kind");
type Due = Row<typeof DUE>;

const NOTES: NoteTable = { name: sql`receipts_due`, id: sql`record_id` };

export function receiptsDue(ctx: MailingContext): NotedWork {
  return {
    table: NOTES,
    run: (tx, recordId) => mailReceipt(ctx, tx, recordId),
    onError: (err, recordId) =>
      ctx.log.error({ err, recordId }, "a receipt could not be queued; it is tried again"),
    onUnread: (err) => ctx.log.error({ err }, "receipts could not be read; they wait"),
  };
}

async function mailReceipt({ config }: MailingContext, tx: Tx, recordId: string): Promise<void> {
  const taking = sqlOf(DUE)`${takeNote(NOTES, recordId)} returning record_id, kind`;
  const due = await tx.maybeOne(prepared("take-due-receipt", taking));
  if (due === undefined) return;
  const transactionId = await paymentOf(tx, due);
  const receipt = await readReceipt(tx, config, transactionId);
  const to = normalEmail(receipt?.email ?? "");
  if (receipt === undefined || to === undefined) return;
  if (!mailsReceiptsIn(config).includes(receipt.environment)) return;
  if (due.kind === "payment")
    return queueReceipt(config, tx, { reason: `receipt ${transactionId}`, to, receipt });
  const refund = receipt.refunds.find(({ refundId }) => refundId === recordId);
  if (refund === undefined) return;
  await queueReceipt(config, tx, { reason: `refund receipt ${recordId}`, to, receipt, refund });
}

async function paymentOf(tx: Tx, { record_id, kind }: Due): Promise<string> {
  if (kind === "payment") return record_id;
  const { transaction_id } = await tx.one(sqlOf(pick(tables.refunds, "transaction_id"))`
    select transaction_id from refunds where refund_id = ${record_id}`);
  return transaction_id;
}

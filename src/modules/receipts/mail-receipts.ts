/**
 * Queues the mails of receipts that are due (Decision 0098): each in one tx that deletes the note
 * and queues the mail, so a process that dies leaves the one or the other, and two processes never
 * queue both. What may not be sent, or has no address, is deleted alone.
 */

import type { Infra } from "../../infra/context.ts";
import { prepared, type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { createLoop, type Loop } from "../../infra/jobs/loop.ts";
import { MINUTE_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import { normalEmail } from "../../kit/fields/text.ts";
import { mailsReceiptsIn } from "./may-mail.ts";
import { readReceipt } from "./receipt.ts";
import { queueReceipt } from "./receipt-mail.ts";

const AT_ONCE_MAX = 100;
const PAUSE_MS = SECOND_MS;
/** Grows with each failure. */
const RETRY_SECONDS = MINUTE_SECONDS;
const RETRY_STEPS_MAX = 60;

type MailingContext = Pick<Infra, "config" | "db" | "log">;

const DUE = pick(tables.receipts_due, "record_id", "kind");
type Due = Row<typeof DUE>;

/** Runs in every process that does background work. */
export function createReceiptLoop(ctx: MailingContext): Loop {
  return createLoop(async () => {
    try {
      return (await mailReceipts(ctx)) === AT_ONCE_MAX ? 0 : PAUSE_MS;
    } catch (err) {
      ctx.log.error({ err }, "receipts could not be read; they wait");
      return PAUSE_MS;
    }
  });
}

/** One that fails waits, and keeps no other waiting. Returns how many were due. */
export async function mailReceipts(ctx: MailingContext): Promise<number> {
  const due = await ctx.db.rows(sqlOf(DUE)`
    select record_id, kind from receipts_due
    where next_try_at <= (select app_now()) order by next_try_at limit ${AT_ONCE_MAX}`);
  for (const { record_id: recordId } of due) {
    try {
      await ctx.db.transaction((tx) => mailReceipt(ctx, tx, recordId));
    } catch (err) {
      ctx.log.error({ err, recordId }, "a receipt could not be queued; it is tried again");
      await postpone(ctx.db, recordId);
    }
  }
  return due.length;
}

async function mailReceipt({ config }: MailingContext, tx: Tx, recordId: string): Promise<void> {
  const taking = sqlOf(DUE)`
    delete from receipts_due where record_id = (
      select record_id from receipts_due where record_id = ${recordId} for update skip locked)
    returning record_id, kind`;
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

async function postpone(db: Queryable, recordId: string): Promise<void> {
  await db.run(sql`
    update receipts_due set attempt_count = attempt_count + 1,
      next_try_at = app_now()
        + make_interval(secs => ${RETRY_SECONDS} * least(attempt_count + 1, ${RETRY_STEPS_MAX}))
    where record_id = ${recordId}`);
}

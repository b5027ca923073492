/**
 * Applies a bank's status file: completes or fails its payments in one tx (Decision 0049). The rows
 * are locked before they are judged, so an operator's change at the same moment is either seen or
 * refused. The same file applied again changes nothing.
 */

import { sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import { type MoveOf, moveWithdrawals } from "../move-withdrawal.ts";
import { methodOf } from "./bank-payment.ts";
import { endToEndIdOf, partIdOf } from "./credit-transfer.ts";
import type { Finding, SentPayment, Standing } from "./find-mismatch.ts";
import { judgeStatus } from "./judge-status.ts";
import { type BatchRow, findBatch, UnknownBatch } from "./payout-batch.ts";
import { BadStatusFile, type StatusReport } from "./status-report.ts";

export interface ReadStatus {
  readonly batch: BatchRow;
  readonly findings: readonly Finding[];
  /** Payments of the file that the bank has not decided, or said nothing of. */
  readonly waiting: number;
}

export async function applyStatusReport(tx: Tx, report: StatusReport): Promise<ReadStatus> {
  const batch = await batchOf(tx, report);
  const sent = await lockPayments(tx, batch);
  const findings = judgeStatus(report, sent);
  const moves = findings.flatMap(movesOf);
  await moveWithdrawals(tx, moves);
  const waiting = sent.filter(({ standing }) => standing === "waiting").length - moves.length;
  return { batch, findings, waiting };
}

function movesOf({ transactionId, result, reason = "" }: Finding): MoveOf[] {
  if (transactionId === undefined) return [];
  if (result === "completed") return [{ transactionId, move: { to: "completed" } }];
  return result === "failed" ? [{ transactionId, move: { to: "failed", reason } }] : [];
}

async function batchOf(tx: Tx, { originalMessageId }: StatusReport): Promise<BatchRow> {
  try {
    return await findBatch(tx, originalMessageId);
  } catch (error) {
    if (!(error instanceof UnknownBatch)) throw error;
    throw new BadStatusFile(
      `The file answers ${originalMessageId || "nothing"}, which is not ours.`,
    );
  }
}

const WITHDRAWAL = pick(
  tables.withdrawals,
  "transaction_id",
  "reference",
  "withdrawal_type",
  "currency",
  "amount_minor",
  "status",
);

const SENT = { ...WITHDRAWAL, is_open: tables.payouts.is_open, is_last: bool };

type SentRow = Row<typeof SENT>;

async function lockPayments(tx: Tx, batch: BatchRow): Promise<SentPayment[]> {
  const rows = await tx.rows(sqlOf(SENT)`
    select ${columns(WITHDRAWAL, "withdrawal")}, is_open, number = payout_count as is_last
    from payouts join withdrawals as withdrawal using (transaction_id)
    where batch_id = ${batch.batch_id}
    order by transaction_id
    for no key update of withdrawal`);
  return rows.map((row) => ({
    transactionId: row.transaction_id,
    endToEndId: endToEndIdOf(row.reference),
    partId: partIdOf(batch.message_id, methodOf(row.withdrawal_type)),
    amount: formatMoney(money(row.currency, row.amount_minor)),
    currency: row.currency,
    standing: standingOf(row),
  }));
}

const ENDED = ["completed", "failed", "returned"] as const;

/**
 * The last payout decides; an earlier one was stopped, whatever came of it later. After waiting for
 * the lock, the withdrawal is read as it is, but its payout as it was: a later one may be open.
 */
function standingOf({ status, is_open, is_last }: SentRow): Standing {
  if (!is_last) return "stopped";
  if (is_open && status === "processing") return "waiting";
  return ENDED.find((one) => one === status) ?? "stopped";
}

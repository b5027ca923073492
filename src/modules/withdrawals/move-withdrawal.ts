/**
 * The only way a withdrawal's status moves: row, payout, event and money in one tx, under the lock
 * of the row, along `WITHDRAWAL_STATUSES` (Decisions 0045 and 0101).
 *
 * The second of two moves finds the row moved and is refused, so of a cancel and a dispatch exactly
 * one happens. Money is posted last, because balances stay locked until the tx ends.
 */

import assert from "node:assert/strict";
import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { NotFound, ServiceError } from "../../kit/errors.ts";
import { maskNumbers } from "../../kit/mask-numbers.ts";
import { money } from "../../kit/money.ts";
import type { EventName } from "../events/catalogue.ts";
import { recordEvent } from "../events/record-event.ts";
import { postBatch } from "../ledger/post.ts";
import type { Posting, Transfer } from "../ledger/posting.ts";
import {
  withdrawalCancelled,
  withdrawalCompleted,
  withdrawalFailed,
  withdrawalReturned,
  withdrawalSent,
  withdrawalStopped,
} from "../ledger/recipes.ts";
import { beginPayout, endPayout, type HowToPay, stopPayout } from "./payout.ts";
import {
  mayMove,
  viewWithdrawal,
  WITHDRAWAL,
  WITHDRAWAL_COLUMNS,
  type WithdrawalRow,
  type WithdrawalStatus,
} from "./withdrawal.ts";

const REASON_LENGTH_MAX = 255;

export type WithdrawalMove =
  | { readonly to: "processing"; readonly how: HowToPay }
  /** `keepsPayout`: the bank itself has stopped it, and is asked about it further. */
  | { readonly to: "held"; readonly reason: string; readonly keepsPayout?: true }
  | { readonly to: "failed" | "returned"; readonly reason: string }
  | { readonly to: "pending" | "completed" | "cancelled" };

const VERBS: Readonly<Record<WithdrawalStatus, string>> = {
  pending: "released",
  processing: "paid out",
  held: "held",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  returned: "returned",
};

/** Its status forbids it: nothing has changed. */
export class WithdrawalCannotMove extends ServiceError {
  constructor(from: WithdrawalStatus, to: WithdrawalStatus) {
    const message = `The withdrawal cannot be ${VERBS[to]}: its status is ${from}.`;
    super("withdrawal_cannot_move", { message });
  }
}

export async function lockWithdrawal(tx: Tx, transactionId: string): Promise<WithdrawalRow> {
  const row = await tx.maybeOne(sqlOf(WITHDRAWAL)`
    select ${WITHDRAWAL_COLUMNS} from withdrawals
    where transaction_id = ${transactionId} for no key update`);
  if (row === undefined) throw new NotFound("no such withdrawal");
  return row;
}

/** Throws `WithdrawalCannotMove`; else returns the row as it is now. */
export async function moveWithdrawal(
  tx: Tx,
  transactionId: string,
  move: WithdrawalMove,
): Promise<WithdrawalRow> {
  const [after] = await moveWithdrawals(tx, [{ transactionId, move }]);
  assert(after !== undefined);
  return after;
}

export interface MoveOf {
  readonly transactionId: string;
  readonly move: WithdrawalMove;
}

/**
 * Many in one tx, as a bank's file has them. Their money is one statement at the end, which locks
 * the balances in the common order, and not for long.
 */
export async function moveWithdrawals(
  tx: Tx,
  moves: readonly MoveOf[],
): Promise<readonly WithdrawalRow[]> {
  const moved: WithdrawalRow[] = [];
  const postings: Posting[] = [];
  for (const { transactionId, move } of moves) {
    const before = await lockWithdrawal(tx, transactionId);
    if (!mayMove(before.status, move.to)) throw new WithdrawalCannotMove(before.status, move.to);
    const after = await writeStatus(tx, before, move);
    await movePayout(tx, before, after, move);
    await tellOfWithdrawal(tx, after, eventOf(before, move));
    postings.push(...postingsOf(before, after));
    moved.push(after);
  }
  const outcomes = postings.length === 0 ? [] : await postBatch(tx, postings);
  for (const outcome of outcomes) if (outcome instanceof Error) throw outcome;
  return moved;
}

async function movePayout(
  tx: Tx,
  before: WithdrawalRow,
  after: WithdrawalRow,
  move: WithdrawalMove,
): Promise<void> {
  if (move.to === "processing") return beginPayout(tx, after, move.how);
  if (before.payout_count === 0) return;
  if (move.to === "held" && move.keepsPayout) return stopPayout(tx, after);
  await endPayout(tx, after, { isStopped: move.to === "held" });
}

function writeStatus(tx: Tx, before: WithdrawalRow, move: WithdrawalMove): Promise<WithdrawalRow> {
  const { to } = move;
  const reason = "reason" in move ? cut(move.reason) : null;
  return tx.one(sqlOf(WITHDRAWAL)`
    update withdrawals
    set status = ${to}, status_reason = ${reason}, updated_at = now,
      payout_count = payout_count + ${to === "processing" ? 1 : 0},
      dispatch_at = case when ${to === "pending"} then now else dispatch_at end,
      completed_at = case when ${to === "completed"} then now
        when ${to === "returned"} then completed_at end,
      deleted_at = case when ${to === "cancelled"} then now end
    -- One moment for all columns: the clock moves on between two calls.
    from app_now() as now
    where transaction_id = ${before.transaction_id}
    returning ${WITHDRAWAL_COLUMNS}`);
}

/** Reasons of banks and operators have any length and may contain account numbers. */
function cut(reason: string): string {
  const short = [...maskNumbers(reason).trim()].slice(0, REASON_LENGTH_MAX).join("");
  return short === "" ? "None was given." : short;
}

type WithdrawalEvent = Extract<EventName, `withdrawal.${string}`>;

function eventOf({ status }: WithdrawalRow, { to }: WithdrawalMove): WithdrawalEvent {
  return status === "held" && to === "pending" ? "withdrawal.released" : `withdrawal.${to}`;
}

export async function tellOfWithdrawal(
  tx: Tx,
  row: WithdrawalRow,
  event: WithdrawalEvent,
): Promise<void> {
  await recordEvent(tx, {
    accountNumber: row.account_number,
    environment: row.environment,
    event,
    resource: row.transaction_id,
    record: viewWithdrawal(row),
  });
}

/** The trigger `a_moved_withdrawal_has_its_posting` looks for each of these by its id. */
function postingsOf(before: WithdrawalRow, after: WithdrawalRow): Posting[] {
  const { transaction_id: reference, environment, currency } = after;
  const of = {
    accountNumber: after.account_number,
    amount: money(currency, after.amount_minor),
    fee: money(currency, after.fee_minor),
  };
  const once = (occasion: string, transfers: readonly Transfer[], suffix = "") => [
    { postingId: `${occasion} ${reference}${suffix}`, environment, occasion, reference, transfers },
  ];
  /** May happen again, with the next payout. */
  const eachTime = (occasion: string, transfers: readonly Transfer[]) =>
    once(occasion, transfers, ` ${after.payout_count}`);
  const wasSent = before.status === "processing";
  switch (after.status) {
    case "pending":
      return [];
    case "processing":
      return eachTime("withdrawal_sent", withdrawalSent(of));
    case "held":
      return wasSent ? eachTime("withdrawal_stopped", withdrawalStopped(of)) : [];
    case "completed":
      return once("withdrawal_completed", withdrawalCompleted(of));
    case "failed":
      return once("withdrawal_failed", wasSent ? withdrawalFailed(of) : withdrawalCancelled(of));
    case "cancelled":
      return once("withdrawal_cancelled", withdrawalCancelled(of));
    case "returned":
      return once("withdrawal_returned", withdrawalReturned(of));
  }
}

/**
 * The only way a withdrawal's status moves: row, payout, event and money in one tx, under the lock
 * of the row, along the table of `withdrawal-status.ts` (Decision 0045).
 *
 * The rule that matters: whoever comes second finds the row moved and is refused, so of a cancel
 * and a dispatch exactly one happens. Money is posted last, because balances stay locked until the
 * tx ends.
 */

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
  withdrawalSent,
  withdrawalStopped,
} from "../ledger/recipes.ts";
import { beginPayout, endPayout, type HowToPay, stopPayout } from "./payout.ts";
import {
  viewWithdrawal,
  WITHDRAWAL,
  WITHDRAWAL_COLUMNS,
  type WithdrawalRow,
} from "./withdrawal.ts";
import { mayMove, type WithdrawalStatus } from "./withdrawal-status.ts";

const REASON_LENGTH_MAX = 255;

export type WithdrawalMove =
  | { readonly to: "processing"; readonly how: HowToPay }
  /** `keepsPayout`: the bank itself has stopped it, and goes on being asked about it. */
  | { readonly to: "held"; readonly reason: string; readonly keepsPayout?: true }
  | { readonly to: "failed"; readonly reason: string }
  | { readonly to: "pending" | "completed" | "cancelled" };

const VERBS: Readonly<Record<WithdrawalStatus, string>> = {
  pending: "released",
  processing: "paid out",
  held: "held",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** Its status forbids it: nothing has changed. */
export class WithdrawalCannotMove extends ServiceError {
  constructor(from: WithdrawalStatus, to: WithdrawalStatus) {
    super({
      status: 409,
      code: "withdrawal_cannot_move",
      message: `The withdrawal cannot be ${VERBS[to]}: its status is ${from}.`,
    });
  }
}

export async function lockWithdrawal(tx: Tx, transactionId: string): Promise<WithdrawalRow> {
  const row = await tx.maybeOne(sqlOf(WITHDRAWAL)`
    select ${WITHDRAWAL_COLUMNS} from withdrawals
    where transaction_id = ${transactionId} for no key update`);
  if (row === undefined) throw new NotFound("no such withdrawal");
  return row;
}

/** Throws `WithdrawalCannotMove`; else gives the row as it is now. */
export async function moveWithdrawal(
  tx: Tx,
  transactionId: string,
  move: WithdrawalMove,
): Promise<WithdrawalRow> {
  const moved = await moveRecord(tx, transactionId, move);
  await postMoves(tx, [moved]);
  return moved.after;
}

export interface MoveOf {
  readonly transactionId: string;
  readonly move: WithdrawalMove;
}

/**
 * Many in one tx, as a bank's file has them. Their money is one statement at the end, which takes
 * the balances in the order that everybody takes them in, and not for long.
 */
export async function moveWithdrawals(tx: Tx, wanted: readonly MoveOf[]): Promise<void> {
  const moved: Moved[] = [];
  for (const { transactionId, move } of wanted)
    moved.push(await moveRecord(tx, transactionId, move));
  await postMoves(tx, moved);
}

interface Moved {
  readonly before: WithdrawalRow;
  readonly after: WithdrawalRow;
}

async function moveRecord(tx: Tx, transactionId: string, move: WithdrawalMove): Promise<Moved> {
  const before = await lockWithdrawal(tx, transactionId);
  if (!mayMove(before.status, move.to)) throw new WithdrawalCannotMove(before.status, move.to);
  const after = await writeStatus(tx, before, move);
  await movePayout(tx, before, after, move);
  await tellOfWithdrawal(tx, after, eventOf(before, move));
  return { before, after };
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
      completed_at = case when ${to === "completed"} then now end,
      deleted_at = case when ${to === "cancelled"} then now end
    -- One moment for all columns: the clock moves on between two calls.
    from app_now() as now
    where transaction_id = ${before.transaction_id}
    returning ${WITHDRAWAL_COLUMNS}`);
}

/** What a bank or an operator says has any length and any number in it; an empty reason is none. */
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
async function postMoves(tx: Tx, moved: readonly Moved[]): Promise<void> {
  const postings = moved.flatMap(({ before, after }) => {
    const booked = transfersOf(before, after);
    return booked === undefined ? [] : [postingOf(after, booked)];
  });
  const outcomes = postings.length === 0 ? [] : await postBatch(tx, postings);
  for (const outcome of outcomes) if (outcome instanceof Error) throw outcome;
}

function postingOf(after: WithdrawalRow, { occasion, isEachTime, moves }: Booked): Posting {
  const { transaction_id: reference, environment, payout_count } = after;
  return {
    postingId: `${occasion} ${reference}${isEachTime ? ` ${payout_count}` : ""}`,
    environment,
    occasion,
    reference,
    transfers: moves,
  };
}

interface Booked {
  readonly occasion: string;
  /** May happen again, with the next payout. */
  readonly isEachTime: boolean;
  readonly moves: readonly Transfer[];
}

function transfersOf(before: WithdrawalRow, after: WithdrawalRow): Booked | undefined {
  const of = {
    accountNumber: after.account_number,
    amount: money(after.currency, after.amount_minor),
    fee: money(after.currency, after.fee_minor),
  };
  const wasSent = before.status === "processing";
  const once = (moves: readonly Transfer[]) => ({
    occasion: `withdrawal_${after.status}`,
    isEachTime: false,
    moves,
  });
  switch (after.status) {
    case "processing":
      return { occasion: "withdrawal_sent", isEachTime: true, moves: withdrawalSent(of) };
    case "held":
      if (!wasSent) return undefined;
      return { occasion: "withdrawal_stopped", isEachTime: true, moves: withdrawalStopped(of) };
    case "completed":
      return once(withdrawalCompleted(of));
    case "failed":
      return once(wasSent ? withdrawalFailed(of) : withdrawalCancelled(of));
    case "cancelled":
      return once(withdrawalCancelled(of));
    case "pending":
      return undefined;
  }
}

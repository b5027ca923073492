/**
 * Records the bank's answer about a payout (Decision 0046): under the lock of the withdrawal, and
 * only for the payout that the bank was asked about. The answer to a payout that has ended since
 * changes nothing; a bank that contradicts what has ended is reported to an operator.
 */

import { sql, sqlOf } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { againAfterSeconds } from "../../gateway/call-lease.ts";
import type { PayoutContext } from "../context.ts";
import { lockWithdrawal, moveWithdrawal } from "../move-withdrawal.ts";
import type { ClaimedPayout } from "../payout.ts";
import type { WithdrawalRow } from "../withdrawal.ts";
import type { PayOutcome } from "./bank.ts";

type Effect = "moved" | "waiting" | "nothing new" | "contradiction";

export async function takeOutcome(
  ctx: PayoutContext,
  claimed: ClaimedPayout,
  outcome: PayOutcome,
): Promise<void> {
  const { transaction_id: transactionId, number } = claimed;
  await ctx.failpoint("outcome: taken up");
  const taken = await ctx.db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, transactionId);
    await ctx.failpoint("outcome: withdrawal held");
    const done = (await isOpen(tx, claimed))
      ? await take(tx, row, claimed, outcome)
      : compare(row, outcome);
    await ctx.failpoint("outcome: moved");
    return done;
  });
  await ctx.failpoint("outcome: kept");
  if (taken === "contradiction")
    ctx.log.error({ transactionId, number, ...outcome }, "the bank contradicts a withdrawal");
}

async function isOpen(tx: Tx, { transaction_id, number }: ClaimedPayout): Promise<boolean> {
  const found = await tx.maybeOne(sqlOf({})`
    select from payouts
    where transaction_id = ${transaction_id} and number = ${number} and is_open`);
  return found !== undefined;
}

/** While its payout is under way a withdrawal is `processing`, or `held` by its bank. */
async function take(
  tx: Tx,
  { transaction_id: id, status }: WithdrawalRow,
  claimed: ClaimedPayout,
  outcome: PayOutcome,
): Promise<Effect> {
  const isHeld = status === "held";
  switch (outcome.outcome) {
    case "paid":
      // It had said that it would not pay without a new order.
      if (isHeld) return wait(tx, claimed, "contradiction", false);
      await moveWithdrawal(tx, id, { to: "completed" });
      return "moved";
    case "rejected":
      await moveWithdrawal(tx, id, { to: "failed", reason: outcome.reason });
      return "moved";
    case "held":
      if (!isHeld)
        await moveWithdrawal(tx, id, { to: "held", reason: outcome.reason, keepsPayout: true });
      return wait(tx, claimed, "waiting", true);
    case "released":
      if (!isHeld) await moveWithdrawal(tx, id, { to: "held", reason: STOPPED, keepsPayout: true });
      await moveWithdrawal(tx, id, { to: "pending" });
      return "moved";
    case "unknown":
    case "never seen":
      return wait(tx, claimed, "waiting", false);
  }
}

const STOPPED = "The bank had stopped it.";

/**
 * With growing delays, unless another call was made since. Only an answer that the bank holds the
 * payment ends the lease: an order whose answer was lost may still arrive, and until the lease is
 * over no operator can fail the withdrawal.
 */
async function wait(
  tx: Tx,
  { transaction_id, number, ask_count }: ClaimedPayout,
  effect: Effect,
  isAnswered: boolean,
): Promise<Effect> {
  await tx.run(sql`
    update payouts
    set next_ask_at = app_now() + make_interval(secs => ${againAfterSeconds(ask_count)}),
      leased_until = case when ${isAnswered}::boolean then null else leased_until end
    where transaction_id = ${transaction_id} and number = ${number} and ask_count = ${ask_count}
      and is_open`);
  return effect;
}

function compare({ status }: WithdrawalRow, { outcome }: PayOutcome): Effect {
  // What came back was paid before.
  const wasPaid = status === "completed" || status === "returned";
  const isWrong = (outcome === "paid" && !wasPaid) || (outcome === "rejected" && wasPaid);
  return isWrong ? "contradiction" : "nothing new";
}

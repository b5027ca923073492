/**
 * Calls the bank about one claimed payout, with no tx open, and passes on the outcome (Decision
 * 0046).
 *
 * After an earlier call it first asks about the reference, and sends the order only when the bank
 * has never seen it, always under the same reference. Just before, it reads that the account is
 * active and the claim still holds.
 */

import assert from "node:assert/strict";
import { money } from "../../../kit/money.ts";
import { LEASE_SECONDS_LEFT, withinLimit } from "../../gateway/call-lease.ts";
import type { PayoutContext } from "../context.ts";
import { readNumbers } from "../payee-numbers.ts";
import { type ClaimedPayout, mayGoOut } from "../payout.ts";
import { readWithdrawal, type WithdrawalRow } from "../withdrawal.ts";
import type { Bank, PayOrder, PayOutcome } from "./bank.ts";
import { takeOutcome } from "./take-outcome.ts";

export async function payOut(ctx: PayoutContext, claimed: ClaimedPayout): Promise<void> {
  await ctx.failpoint(claimed.ask_count === 1 ? "dispatch: claimed" : "ask: due");
  const { transaction_id: transactionId } = claimed;
  const row = await readWithdrawal(ctx.db, transactionId);
  assert(row !== undefined, "a payout belongs to a withdrawal");
  const bank = ctx.banks[row.environment];
  if (bank === undefined)
    return ctx.log.warn({ transactionId }, "a payout waits for its bank to be configured");
  const outcome = await withinLimit(
    (signal) => callBank(ctx, bank, row, claimed, signal),
    (late) => takeLate(ctx, claimed, late),
  ).catch(async (err: unknown) => {
    ctx.log.warn({ err, transactionId }, "the bank's answer about a payout was lost");
    await ctx.failpoint("pay: answer lost");
    return { outcome: "unknown" } as const;
  });
  await takeOutcome(ctx, claimed, outcome);
}

async function callBank(
  ctx: PayoutContext,
  bank: Bank,
  row: WithdrawalRow,
  claimed: ClaimedPayout,
  signal: AbortSignal,
): Promise<PayOutcome> {
  const { reference } = row;
  const { number: attempt, ask_count } = claimed;
  if (ask_count > 1) {
    const known = await bank.outcomeOf({ reference, attempt });
    if (known.outcome !== "never seen" || row.status !== "processing") return known;
  }
  const order: PayOrder = {
    reference,
    attempt,
    amount: money(row.currency, row.amount_minor),
    payee: row,
    numbers: await readNumbers(ctx.db, ctx.config.wrappingKeys, row.transaction_id),
  };
  // Read last and without a lock, which would have to be held during the call: a later freeze
  // counts as after the order. What is not sent now is tried again with the next claim.
  if (!(await mayGoOut(ctx.db, claimed, { leaseSeconds: LEASE_SECONDS_LEFT }))) {
    const { transaction_id: transactionId } = row;
    ctx.log.info({ transactionId }, "a payout is not sent: frozen, or claimed too long ago");
    return { outcome: "never seen" };
  }
  // What was slow until here must not become an order that outlives the lease.
  signal.throwIfAborted();
  await ctx.failpoint("pay: ordered");
  const answer = await bank.pay(order);
  await ctx.failpoint("pay: answered");
  return answer;
}

/** A call cannot be aborted, so an outcome that comes after the limit still counts. */
async function takeLate(
  ctx: PayoutContext,
  claimed: ClaimedPayout,
  late: Promise<PayOutcome>,
): Promise<void> {
  const { transaction_id: transactionId } = claimed;
  try {
    const outcome = await late;
    ctx.log.warn({ transactionId, ...outcome }, "the bank answered about a payout too late");
    if (outcome.outcome !== "unknown") await takeOutcome(ctx, claimed, outcome);
  } catch (err) {
    ctx.log.warn({ err, transactionId }, "a late answer about a payout was lost");
  }
}

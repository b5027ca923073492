/**
 * Refunds of the simulated acquirer (Decision 0030). The cents of the amount decide the outcome, so
 * that a developer can choose it:
 *
 *   .98  rejected                       .95  refunded, and the answer takes three seconds
 *   .97  refunded, the answer is lost   .94  refunded, the answer is lost, and the outcome is
 *   .96  the order is lost (first time)      unknown for five seconds
 *   .93  waits for a simulation, for about four minutes; then refunded
 *   all others: refunded at once
 *
 * The amount of a card check is random, so its cents are ignored.
 */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, computed, pick, word } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { SECOND_MS } from "../../../kit/clock.ts";
import { ConnectionLost, type Gateway, type RefundAnswer, type RefundOrder } from "../port.ts";

const CENTS = {
  rejected: 98n,
  answerLost: 97n,
  orderLost: 96n,
  slow: 95n,
  undecided: 94n,
  waiting: 93n,
};
const SLOW_SECONDS = 3;
const UNDECIDED_SECONDS = 5;
/** By the delays of `call-lease.ts` 200 to 300 seconds: none hangs for ever (Decision 0102). */
const WAITING_CALLS = 7;
const REASON = "The issuer rejected the refund.";

const OUTCOME = {
  outcome: word("refunded", "rejected"),
  is_known: computed(bool, sql`known_at <= app_now()`),
};

const ENTRY = {
  ...pick(tables.simulator_refunds, "transaction_id", "currency", "amount_minor"),
  ...OUTCOME,
};

export function simulatedRefunds(db: Queryable): Pick<Gateway, "refund" | "refundOutcome"> {
  return {
    async refund(order) {
      const cents = order.isCardCheck ? 0n : order.amount.minor % 100n;
      const callCount = await noteCall(db, order);
      const isFirst = callCount === 1;
      if (cents === CENTS.orderLost && isFirst)
        throw new ConnectionLost("the simulator lost the order");
      const mayWait = cents === CENTS.waiting && callCount <= WAITING_CALLS;
      if (mayWait && !(await isDecided(db, order)))
        throw new ConnectionLost("the simulator waits for a simulation");
      const entry = await decide(db, order, cents);
      if (cents === CENTS.slow) await sleep(SLOW_SECONDS * SECOND_MS);
      if (isFirst && (cents === CENTS.answerLost || cents === CENTS.undecided))
        throw new ConnectionLost("the simulator's answer was lost");
      if (!entry.is_known) throw new ConnectionLost("the simulator cannot tell yet");
      return answerOf(entry.outcome);
    },

    async refundOutcome(reference) {
      const entry = await db.maybeOne(sqlOf(OUTCOME)`
        select ${columns(OUTCOME)} from simulator_refunds
        where reference = ${reference} and outcome is not null`);
      if (entry === undefined) return { outcome: "never seen" };
      return entry.is_known ? answerOf(entry.outcome) : { outcome: "unknown" };
    },
  };
}

function answerOf(outcome: RefundAnswer["outcome"]): RefundAnswer {
  return outcome === "refunded" ? { outcome } : { outcome, reason: REASON };
}

async function isDecided(db: Queryable, { reference }: RefundOrder): Promise<boolean> {
  const found = await db.maybeOne(sqlOf({})`
    select from simulator_refunds where reference = ${reference} and outcome is not null`);
  return found !== undefined;
}

/**
 * Decides a refund that is not decided, whether its order has arrived or not (Decision 0102). Part
 * of the caller's tx: it is no call of the gateway. What is decided stays; the caller compares.
 */
export async function forceRefund(
  tx: Tx,
  { reference, transactionId, amount }: Pick<RefundOrder, "reference" | "transactionId" | "amount">,
  outcome: RefundAnswer["outcome"],
): Promise<RefundAnswer> {
  const entry = await tx.one(sqlOf(pick(OUTCOME, "outcome"))`
    insert into simulator_refunds as entry
      (reference, transaction_id, currency, amount_minor, outcome, done_at, known_at)
    values (${reference}, ${transactionId}, ${amount.currency}, ${amount.minor},
      ${outcome}, app_now(), app_now())
    on conflict (reference) do update
    set outcome = coalesce(entry.outcome, excluded.outcome),
      done_at = coalesce(entry.done_at, excluded.done_at),
      known_at = case when coalesce(entry.outcome, excluded.outcome) = excluded.outcome
        then app_now() else entry.known_at end
    returning outcome`);
  return answerOf(entry.outcome);
}

/** How many calls of the reference there were, with this one. */
async function noteCall(db: Queryable, order: RefundOrder): Promise<number> {
  const { reference, transactionId, amount } = order;
  const noted = await db.one(sqlOf(pick(tables.simulator_refunds, "call_count"))`
    insert into simulator_refunds as entry (reference, transaction_id, currency, amount_minor)
    values (${reference}, ${transactionId}, ${amount.currency}, ${amount.minor})
    on conflict (reference) do update set call_count = entry.call_count + 1
    returning call_count`);
  return noted.call_count;
}

/** The first of several concurrent calls decides. */
async function decide(db: Queryable, order: RefundOrder, cents: bigint) {
  const outcome = cents === CENTS.rejected ? "rejected" : "refunded";
  const knownInSeconds = cents === CENTS.undecided ? UNDECIDED_SECONDS : 0;
  await db.run(sql`
    update simulator_refunds
    set outcome = ${outcome}, done_at = app_now(),
      known_at = app_now() + make_interval(secs => ${knownInSeconds})
    where reference = ${order.reference} and outcome is null`);
  const entry = await db.one(sqlOf(ENTRY)`
    select ${columns(ENTRY)} from simulator_refunds where reference = ${order.reference}`);
  const isSame =
    entry.transaction_id === order.transactionId &&
    entry.currency === order.amount.currency &&
    entry.amount_minor === order.amount.minor;
  assert(isSame, `the reference ${order.reference} came with another order`);
  return entry;
}

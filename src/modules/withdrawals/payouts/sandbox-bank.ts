/**
 * The simulated bank of the sandbox (Decision 0047). What happens is decided by the cents of the
 * amount, or by an account number that ends in 99 and those two digits:
 *
 *   .98  rejected                       .94  paid, and for five seconds the bank does not know
 *   .97  paid, the answer is lost       .93  held, until it is ordered again
 *   .96  lost before anything is done   .92  held, and after ten seconds it may be ordered again
 *        (the first time)               all others: paid at once
 *   .95  paid, and the answer takes three seconds
 *
 * It keeps a journal of its own, in statements of its own: what it has done stays done whatever
 * becomes of the calling tx or process.
 */

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Infra } from "../../../infra/context.ts";
import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, computed, nullable, omit, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { SECOND_MS } from "../../../kit/clock.ts";
import { ConnectionLost } from "../../gateway/port.ts";
import type { WithdrawalRow } from "../withdrawal.ts";
import type { Bank, Banks, PayAnswer, PayOrder, PayOutcome } from "./bank.ts";

const DIGITS = {
  rejected: 98,
  answerLost: 97,
  orderLost: 96,
  slow: 95,
  undecided: 94,
  held: 93,
  heldForAWhile: 92,
};
const SLOW_SECONDS = 3;
const UNDECIDED_SECONDS = 5;
const HELD_SECONDS = 10;
const REJECTED: PayAnswer = {
  outcome: "rejected",
  reason: "The bank rejected the payment.",
};
const HELD: PayAnswer = { outcome: "held", reason: "The bank is looking at the payment." };

/** The reference came before, with another order: the first one counts. */
class ContradictingOrder extends Error {}

const ENTRY = {
  ...omit(tables.simulator_payouts, "reference", "known_at", "done_at", "held_until"),
  is_known: computed(nullable(bool), sql`known_at <= app_now()`),
  is_held: computed(nullable(bool), sql`held_until > app_now()`),
};

type Entry = Row<typeof ENTRY>;

function createSandboxBank(db: Queryable): Bank {
  return {
    async pay(order) {
      const digits = digitsOf(order);
      const isFirst = await noteCall(db, order);
      if (digits === DIGITS.orderLost && isFirst)
        throw new ConnectionLost("the simulated bank lost the order");
      const entry = await work(db, order, digits);
      if (entry.outcome === null) return HELD;
      if (digits === DIGITS.slow) await sleep(SLOW_SECONDS * SECOND_MS);
      if (isFirst && (digits === DIGITS.answerLost || digits === DIGITS.undecided))
        throw new ConnectionLost("the simulated bank's answer was lost");
      if (!entry.is_known) throw new ConnectionLost("the simulated bank cannot tell yet");
      return decided(entry.outcome);
    },

    async outcomeOf({ reference, attempt }): Promise<PayOutcome> {
      const entry = await findEntry(db, reference);
      if (entry?.outcome === "paid" || entry?.outcome === "rejected")
        return entry.is_known ? decided(entry.outcome) : { outcome: "unknown" };
      if ((entry?.held_at_attempt ?? 0) < attempt) return { outcome: "never seen" };
      return entry?.is_held ? HELD : { outcome: "released" };
    },
  };
}

function decided(outcome: "paid" | "rejected"): PayAnswer {
  return outcome === "paid" ? { outcome } : REJECTED;
}

/** The cents come before the account number. */
function digitsOf({ amount, numbers }: PayOrder): number {
  const cents = Number(amount.minor % 100n);
  if (Object.values(DIGITS).includes(cents)) return cents;
  const account = /99(\d\d)$/.exec(numbers.bankAccount ?? "");
  return Number(account?.[1] ?? 0);
}

/** Whether this reference comes for the first time. */
async function noteCall(db: Queryable, order: PayOrder): Promise<boolean> {
  const { reference, amount } = order;
  const noted = await db.one(sqlOf(pick(ENTRY, "call_count"))`
    insert into simulator_payouts as entry (reference, currency, amount_minor, payee_digest)
    values (${reference}, ${amount.currency}, ${amount.minor}, ${payeeDigest(order)})
    on conflict (reference) do update set call_count = entry.call_count + 1
    returning call_count`);
  return noted.call_count === 1;
}

function findEntry(db: Queryable, reference: string): Promise<Entry | undefined> {
  return db.maybeOne(sqlOf(ENTRY)`
    select ${columns(ENTRY)} from simulator_payouts where reference = ${reference}`);
}

/** Does it, unless it has been done: of several at once the first counts. */
async function work(db: Queryable, order: PayOrder, digits: number): Promise<Entry> {
  const { reference, attempt } = order;
  const holds = digits === DIGITS.held || digits === DIGITS.heldForAWhile;
  if (holds)
    await db.run(sql`
      update simulator_payouts
      set held_at_attempt = ${attempt}, held_until = case when ${digits === DIGITS.held}
        then 'infinity' else app_now() + make_interval(secs => ${HELD_SECONDS}) end
      where reference = ${reference} and outcome is null and held_at_attempt is null`);
  await db.run(sql`
    update simulator_payouts
    set outcome = ${digits === DIGITS.rejected ? "rejected" : "paid"}, done_at = app_now(),
      known_at = app_now() + make_interval(secs =>
        ${digits === DIGITS.undecided ? UNDECIDED_SECONDS : 0})
    where reference = ${reference} and outcome is null
      and (held_at_attempt is null or held_at_attempt < ${attempt})`);
  const entry = await findEntry(db, reference);
  if (entry === undefined || !isOf(entry, order))
    throw new ContradictingOrder(`the reference ${reference} came with another order`);
  return entry;
}

/**
 * Decides a payout that is not decided, whether its order has arrived or not, or holds it until it
 * is ordered again (Decision 0102). Part of the caller's tx: it is no call of the bank. What is
 * decided stays; the caller compares. Null: held.
 */
export async function forcePayout(
  tx: Tx,
  payee: WithdrawalRow,
  outcome: "paid" | "rejected" | "held",
): Promise<Entry["outcome"]> {
  const { reference, currency, amount_minor, payout_count } = payee;
  const decision = outcome === "held" ? null : outcome;
  const heldAt = outcome === "held" ? payout_count : null;
  const entry = await tx.one(sqlOf(pick(ENTRY, "outcome"))`
    insert into simulator_payouts as entry (reference, currency, amount_minor, payee_digest,
      outcome, done_at, known_at, held_at_attempt, held_until)
    select ${reference}, ${currency}, ${amount_minor}, ${payeeDigest({ payee })}, decision,
      case when decision is not null then app_now() end,
      case when decision is not null then app_now() end,
      held_at, case when held_at is not null then 'infinity'::timestamptz end
    from (values (${decision}::text, ${heldAt}::int)) as given (decision, held_at)
    on conflict (reference) do update
    set outcome = coalesce(entry.outcome, excluded.outcome),
      done_at = coalesce(entry.done_at, excluded.done_at),
      known_at = case when entry.outcome is null then excluded.known_at
        when entry.outcome = excluded.outcome then app_now() else entry.known_at end,
      held_at_attempt = coalesce(excluded.held_at_attempt, entry.held_at_attempt),
      held_until = coalesce(excluded.held_until, entry.held_until)
    returning outcome`);
  return entry.outcome;
}

function isOf(entry: Entry, order: PayOrder): boolean {
  return (
    entry.currency === order.amount.currency &&
    entry.amount_minor === order.amount.minor &&
    entry.payee_digest.equals(payeeDigest(order))
  );
}

/** Of what is stored in clear anyway: a digest of a whole number could be guessed. */
function payeeDigest({ payee }: Pick<PayOrder, "payee">): Buffer {
  const { bank_name, bank_account_last_four, name_in_bank, recipient_name } = payee;
  const to = [bank_name, bank_account_last_four, name_in_bank, recipient_name];
  return createHash("sha256").update(JSON.stringify(to)).digest();
}

/** Which bank pays the withdrawals of which environment. */
export function createBanks({ db, config }: Pick<Infra, "db" | "config">): Banks {
  const simulator = createSandboxBank(db);
  return {
    sandbox: simulator,
    live: config.withdrawals.livePaidBy === "simulator" ? simulator : undefined,
  };
}

/**
 * Disputes: money that the bank of a card takes back, whatever the merchant says (Decision 0030).
 *
 * A chargeback that is opened holds the merchant's share, and no refund is accepted meanwhile;
 * processed, the bank has the money; released, all is as before. Confirmed fraud returns what is
 * left of the payment at once and for good. A dispute takes at most what is neither refunded nor
 * being refunded, so a customer never gets more than was paid; from the merchant it takes at most
 * what is available, and the rest is our loss. Operators act here, each with a name and a reason;
 * in the sandbox the account itself does, by a simulation (Decision 0102).
 */

import { insertAudit } from "../../infra/audit.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, nullable, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { OperatorError } from "../../kit/errors.ts";
import { compareMoney, describeMoney, formatMoney, type Money, money } from "../../kit/money.ts";
import { lockAvailable } from "../ledger/balances.ts";
import { post } from "../ledger/post.ts";
import type { Transfer } from "../ledger/posting.ts";
import {
  chargebackOpened,
  chargebackProcessed,
  chargebackReleased,
  fraudConfirmed,
} from "../ledger/recipes.ts";
import { whyNoChargeback, whyNoFraud } from "./dispute-rules.ts";
import { tellOfChangedPayment } from "./payment-event.ts";
import { leftOf, lockPaid, moveStatusDesc, type PaidRow, refundStatusDesc } from "./refund.ts";

const DISPUTE = {
  ...tables.disputes,
  answer_by: computed(nullable(text), sql`answer_by::text`),
};

export type DisputeRow = Row<typeof DISPUTE>;

const DISPUTE_COLUMNS = columns(DISPUTE);

/** Which operator, and why: both are kept. */
export interface OperatorAction {
  readonly transactionId: string;
  readonly by: string;
  readonly why: string;
  /** Where the operator was, and who agreed. */
  readonly from?: Readonly<Record<string, unknown>>;
  /** By the account itself, in the sandbox. */
  readonly isSimulated?: true;
}

/** Without an amount: all that is neither refunded nor being refunded. */
export async function openChargeback(
  tx: Tx,
  action: OperatorAction & { amount?: Money; answerBy?: string | undefined },
): Promise<DisputeRow> {
  const paid = await lockPaid(tx, action.transactionId);
  refuse(whyNoChargeback(paid));
  const left = leftOf(paid);
  const amount = action.amount ?? left;
  if (amount.currency !== left.currency || compareMoney(amount, left) > 0 || amount.minor <= 0n)
    throw new OperatorError(
      `The amount is more than is neither refunded nor disputed: ${describeMoney(left)}.`,
    );
  const dispute = await insertDispute(tx, paid, "chargeback", amount, action.answerBy);
  await moveStatusDesc(tx, paid, "Chargeback Pending");
  await tellOfChangedPayment(tx, paid, "payment.chargeback_pending");
  await book(tx, action, "chargeback_opened", paid, dispute, chargebackOpened);
  return dispute;
}

export async function settleChargeback(
  tx: Tx,
  action: OperatorAction & { outcome: "processed" | "released" },
): Promise<DisputeRow> {
  const { outcome } = action;
  const paid = await lockPaid(tx, action.transactionId);
  const open = await findOpenDispute(tx, paid.transaction_id);
  if (open === undefined)
    throw new OperatorError("The transaction has no chargeback that is open.");
  const dispute = await endDispute(tx, open, outcome);
  const isProcessed = outcome === "processed";
  const next = isProcessed
    ? ("Chargeback Processed" as const)
    : await refundStatusDesc(tx, paid.transaction_id);
  await moveStatusDesc(tx, paid, next);
  await tellOfChangedPayment(tx, paid, `payment.chargeback_${outcome}`);
  const recipe = isProcessed ? chargebackProcessed : chargebackReleased;
  await book(tx, action, `chargeback_${outcome}`, paid, dispute, recipe);
  return dispute;
}

/** A chargeback that is open is processed by it. */
export async function confirmFraud(tx: Tx, action: OperatorAction): Promise<DisputeRow> {
  const paid = await lockPaid(tx, action.transactionId);
  refuse(whyNoFraud(paid));
  const left = leftOf(paid);
  const open = await findOpenDispute(tx, paid.transaction_id);
  if (open !== undefined) {
    // First of the ledger's locks, since two postings follow and the second needs it.
    await lockCover(tx, paid, left);
    const processed = await endDispute(tx, open, "processed");
    await book(tx, action, "chargeback_processed", paid, processed, chargebackProcessed);
  }
  // The amount of a chargeback is no part of what is left; a partial one leaves a rest.
  const dispute = await insertDispute(tx, paid, "fraud", left);
  await moveStatusDesc(tx, paid, "Fraud Confirmed");
  const events = open === undefined ? [] : (["payment.chargeback_processed"] as const);
  await tellOfChangedPayment(tx, paid, ...events, "payment.fraud_confirmed");
  await book(tx, action, "fraud_confirmed", paid, dispute, fraudConfirmed);
  return dispute;
}

export function disputesOf(db: Queryable, transactionId: string): Promise<DisputeRow[]> {
  return db.rows(sqlOf(DISPUTE)`
    select ${DISPUTE_COLUMNS} from disputes where transaction_id = ${transactionId}
    order by opened_at, dispute_id`);
}

function refuse(why: string | undefined): void {
  if (why !== undefined) throw new OperatorError(why);
}

/** How much of the amount the merchant has; the balance stays locked until the tx ends. */
async function lockCover(tx: Tx, paid: PaidRow, amount: Money): Promise<Money> {
  const { account_number: accountNumber, environment, currency } = paid;
  const available = await lockAvailable(tx, { accountNumber, environment, currency });
  return compareMoney(available, amount) < 0 ? available : amount;
}

/** Under the transaction's lock, so that it stays open until the tx ends. */
function findOpenDispute(tx: Tx, transactionId: string): Promise<DisputeRow | undefined> {
  return tx.maybeOne(sqlOf(DISPUTE)`
    select ${DISPUTE_COLUMNS} from disputes
    where transaction_id = ${transactionId} and state = 'open'`);
}

async function insertDispute(
  tx: Tx,
  paid: PaidRow,
  kind: DisputeRow["kind"],
  amount: Money,
  answerBy?: string,
): Promise<DisputeRow> {
  const covered = await lockCover(tx, paid, amount);
  const isOpen = kind === "chargeback";
  return tx.one(sqlOf(DISPUTE)`
    insert into disputes
      (transaction_id, kind, amount_minor, covered_minor, state, ended_at, answer_by)
    values (${paid.transaction_id}, ${kind}, ${amount.minor}, ${covered.minor},
      ${isOpen ? "open" : "processed"}, case when ${isOpen}::boolean then null else app_now() end,
      ${answerBy ?? null})
    returning ${DISPUTE_COLUMNS}`);
}

function endDispute(
  tx: Tx,
  { dispute_id }: DisputeRow,
  state: "processed" | "released",
): Promise<DisputeRow> {
  return tx.one(sqlOf(DISPUTE)`
    update disputes set state = ${state}, ended_at = app_now() where dispute_id = ${dispute_id}
    returning ${DISPUTE_COLUMNS}`);
}

type Recipe = (of: { accountNumber: string; amount: Money; covered: Money }) => readonly Transfer[];

/** The audit entry, then the money, if any moves: the last statement of its tx. */
async function book(
  tx: Tx,
  { by, why, from = {}, isSimulated }: OperatorAction,
  occasion: string,
  paid: PaidRow,
  dispute: DisputeRow,
  recipe: Recipe,
): Promise<void> {
  const { account_number: accountNumber, transaction_id, currency, environment } = paid;
  const amount = money(currency, dispute.amount_minor);
  const covered = money(currency, dispute.covered_minor);
  await insertAudit(tx, {
    action: occasion,
    accountNumber,
    actor: isSimulated ? `account ${accountNumber}` : `operator ${by}`,
    detail: {
      transaction_id,
      dispute_id: dispute.dispute_id,
      amount: formatMoney(amount),
      covered: formatMoney(covered),
      why,
      ...from,
    },
  });
  const transfers = recipe({ accountNumber, amount, covered });
  if (transfers.length === 0) return;
  const postingId = `${occasion} ${dispute.dispute_id}`;
  await post(tx, { postingId, environment, occasion, reference: transaction_id, transfers });
}

/**
 * Disputes: money that the bank of a card takes back, whatever the merchant says (Decision 0030).
 *
 * The rule that matters: a dispute takes at most what neither went back nor is on its way, so that
 * a customer never gets more than was paid; and from the merchant at most what is there, the rest
 * is our loss. Operators act here, each with a name and a reason. Opening and settling chargebacks
 * stands in `dispute-chargeback.ts`, fraud in `dispute-fraud.ts`.
 */

import { insertAudit } from "../../infra/audit.ts";
import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { columns, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { ServiceError } from "../../kit/errors.ts";
import { compareMoney, formatMoney, type Money, money } from "../../kit/money.ts";
import { lockAvailable } from "../ledger/balances.ts";
import { post } from "../ledger/post.ts";
import type { Transfer } from "../ledger/posting.ts";
import type { PaidRow } from "./refund.ts";

export const DISPUTE = tables.disputes;

export type DisputeRow = Row<typeof DISPUTE>;

export const DISPUTE_COLUMNS = columns(DISPUTE);

/** Which operator, and why: both are kept. */
export interface OperatorAction {
  readonly transactionId: string;
  readonly by: string;
  readonly why: string;
}

export class DisputeForbidden extends ServiceError {
  constructor(message: string) {
    super({ status: 409, code: "dispute_forbidden", message });
  }
}

export class DisputedTooMuch extends ServiceError {
  constructor(left: Money) {
    super({
      status: 422,
      code: "disputed_too_much",
      message:
        "The amount is more than is neither refunded nor disputed: " +
        `${formatMoney(left)} ${left.currency}.`,
    });
  }
}

export function demandPaid(paid: PaidRow): void {
  if (paid.status !== "success")
    throw new DisputeForbidden(`The transaction was not paid: it is ${paid.status}.`);
}

/** How much of the amount the merchant has; held so until the tx ends. */
export async function coverOf(tx: Tx, paid: PaidRow, amount: Money): Promise<Money> {
  const { account_number: accountNumber, environment, currency } = paid;
  const available = await lockAvailable(tx, { accountNumber, environment, currency });
  return compareMoney(available, amount) < 0 ? available : amount;
}

export function disputesOf(db: Queryable, transactionId: string): Promise<DisputeRow[]> {
  return db.rows(sqlOf(DISPUTE)`
    select ${DISPUTE_COLUMNS} from disputes where transaction_id = ${transactionId}
    order by opened_at, dispute_id`);
}

/** Under the transaction's lock, so that it stays open until the tx ends. */
export function findOpenDispute(tx: Tx, transactionId: string): Promise<DisputeRow | undefined> {
  return tx.maybeOne(sqlOf(DISPUTE)`
    select ${DISPUTE_COLUMNS} from disputes
    where transaction_id = ${transactionId} and state = 'open'`);
}

export async function endDispute(
  tx: Tx,
  { dispute_id }: DisputeRow,
  state: "processed" | "released",
): Promise<DisputeRow> {
  return tx.one(sqlOf(DISPUTE)`
    update disputes set state = ${state}, ended_at = app_now() where dispute_id = ${dispute_id}
    returning ${DISPUTE_COLUMNS}`);
}

/** The money as the amounts of the dispute, for the recipes. */
export function amountsOf(
  { account_number, currency }: PaidRow,
  { amount_minor, covered_minor }: DisputeRow,
) {
  return {
    accountNumber: account_number,
    amount: money(currency, amount_minor),
    covered: money(currency, covered_minor),
  };
}

/** Who did what, then the money, if any moves: the last thing of its tx. */
export async function bookDispute(
  tx: Tx,
  booking: OperatorAction & { action: string; paid: PaidRow; dispute: DisputeRow },
  transfers: readonly Transfer[],
): Promise<void> {
  const { paid, dispute, action, by, why } = booking;
  await insertAudit(tx, {
    action,
    accountNumber: paid.account_number,
    actor: `operator ${by}`,
    detail: {
      transaction_id: paid.transaction_id,
      dispute_id: dispute.dispute_id,
      amount: formatMoney(money(paid.currency, dispute.amount_minor)),
      covered: formatMoney(money(paid.currency, dispute.covered_minor)),
      why,
    },
  });
  if (transfers.length === 0) return;
  await post(tx, {
    postingId: `${action} ${dispute.dispute_id}`,
    environment: paid.environment,
    occasion: action,
    reference: paid.transaction_id,
    transfers,
  });
}

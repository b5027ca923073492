/**
 * Refunds: what goes back to the customer of a payment (Interface §4.5, Decision 0029).
 *
 * The rule that matters: the row is the intent. It is written, with the merchant's money held, in
 * one tx before the gateway hears of it, and is never removed; whatever happens afterwards, the
 * refund is found again and ended once. The database moves the sums of the payment and refuses more
 * than was paid. Asking is next door in `refund-request.ts`, the way to the gateway in
 * `refund-settle.ts`.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { NotFound } from "../../kit/errors.ts";
import { CURRENCIES, type Currency, formatMoney, type Money, money } from "../../kit/money.ts";
import {
  amountSchema,
  orNull,
  textSchema,
  timestampSchema,
  transactionIdSchema,
  uuidSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { ENVIRONMENTS, type StatusDesc, TRANSACTION } from "./transaction.ts";

/** The same table as the trigger `a_refund_moves_along_its_table`, which is what decides. */
export const NEXT_REFUND_STATE = {
  requested: ["submitted", "rejected"],
  submitted: ["unknown", "refunded", "rejected"],
  unknown: ["refunded", "rejected"],
  refunded: [],
  rejected: [],
} as const satisfies Record<string, readonly string[]>;

export type RefundState = keyof typeof NEXT_REFUND_STATE;

export const REFUND = tables.refunds;

export type RefundRow = Row<typeof REFUND>;

export const REFUND_COLUMNS = columns(REFUND);

const PAID = {
  ...TRANSACTION,
  ...pick(tables.transactions, "refund_pending_minor", "disputed_minor"),
};

export type PaidRow = Row<typeof PAID>;

/**
 * What a payment may be called while refunds alone have the word. Only then can one be asked for,
 * and only then does its end change the words: a dispute speaks louder.
 */
export const SPOKEN_BY_REFUNDS: readonly StatusDesc[] = [
  "Normal",
  "Refund Requested",
  "Refunded",
  "Refund Rejected",
];

/** Locked before its refunds, its disputes and the ledger, by everyone who ends any of them. */
export async function lockPaid(tx: Tx, transactionId: string): Promise<PaidRow> {
  const row = await tx.maybeOne(sqlOf(PAID)`
    select ${columns(PAID)} from transactions
    where transaction_id = ${transactionId}
    for no key update`);
  if (row === undefined) throw new NotFound("no such transaction");
  return row;
}

/** What has neither gone back, nor is on its way, nor is disputed. */
export function leftOf(paid: PaidRow): Money {
  const gone = paid.refunded_minor + paid.refund_pending_minor + paid.disputed_minor;
  return money(paid.currency, paid.customer_total_minor - gone);
}

export function findRefund(
  db: Queryable,
  refundId: string,
): Promise<(RefundRow & { environment: Environment; currency: Currency }) | undefined> {
  return db.maybeOne(sqlOf({ ...REFUND, ...pick(tables.transactions, "environment", "currency") })`
    select refund.*, environment, currency
    from (select ${REFUND_COLUMNS} from refunds where refund_id = ${refundId}) as refund
    join transactions using (transaction_id)`);
}

export function refundsOf(db: Queryable, transactionId: string): Promise<RefundRow[]> {
  return db.rows(sqlOf(REFUND)`
    select ${REFUND_COLUMNS} from refunds where transaction_id = ${transactionId}
    order by created_at, refund_id`);
}

/**
 * What refunds say of their payment while nothing worse does: one is under way, or how the last
 * one ended.
 */
export async function refundStatusDesc(tx: Tx, transactionId: string): Promise<StatusDesc> {
  const last = await tx.maybeOne(sqlOf(pick(tables.refunds, "state"))`
    select state from refunds where transaction_id = ${transactionId}
    order by ended_at desc nulls first, created_at desc, refund_id desc limit 1`);
  if (last === undefined) return "Normal";
  if (last.state === "refunded") return "Refunded";
  return last.state === "rejected" ? "Refund Rejected" : "Refund Requested";
}

export async function moveStatusDesc(tx: Tx, paid: PaidRow, to: StatusDesc): Promise<void> {
  if (paid.status_desc === to) return;
  await tx.run(sql`
    update transactions set status_desc = ${to} where transaction_id = ${paid.transaction_id}`);
}

export const refundView = Type.Object(
  {
    refund_id: uuidSchema("Of this refund."),
    transaction_id: transactionIdSchema("The payment that it gives back."),
    environment: wordSchema(ENVIRONMENTS, "Where the payment was made.", "sandbox"),
    currency: wordSchema(CURRENCIES, "That of the payment.", "TTD"),
    amount: amountSchema("What goes back to the customer.", "25.00"),
    reason: orNull(textSchema("As it was sent.", "Returned in its box.")),
    status: wordSchema(["requested", "refunded", "rejected"], "What became of it.", "requested"),
    created_at: timestampSchema("When it was asked for."),
  },
  { title: "Refund" },
);

/** How far we are with the gateway is nobody's business but ours. */
export function viewRefund(
  refund: RefundRow,
  { environment, currency }: Pick<PaidRow, "environment" | "currency">,
) {
  const { state } = refund;
  return {
    refund_id: refund.refund_id,
    transaction_id: refund.transaction_id,
    environment,
    currency,
    amount: formatMoney(money(currency, refund.amount_minor)),
    reason: refund.reason,
    status: state === "refunded" || state === "rejected" ? state : "requested",
    created_at: refund.created_at,
  };
}

/**
 * Refunds: what goes back to the customer of a payment (Interface §4.5, Decision 0029).
 *
 * The row is the intent. It is written, with the merchant's money held, in one tx before the
 * gateway is called, and is never removed; whatever happens afterwards, the refund is found again
 * and ended once. The database moves the sums of the payment and refuses more than was paid.
 * `request-refund.ts` creates refunds, `settle-refunds.ts` calls the gateway, and with
 * `reject-refund.ts` an operator can reject one. Every end passes `endRefund`.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { NotFound } from "../../kit/errors.ts";
import { CURRENCIES, formatMoney, type Money, money } from "../../kit/money.ts";
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
import { viewOf } from "../../kit/view-of.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import type { RefundAnswer } from "../gateway/port.ts";
import { unscheduleOrder } from "../gateway/settle-order.ts";
import { post } from "../ledger/post.ts";
import { refundPaid, refundRejected } from "../ledger/recipes.ts";
import { tellOfChangedPayment } from "./payment-event.ts";
import { refundReceiptDue } from "./receipts-due.ts";
import { type StatusDesc, TRANSACTION } from "./transaction.ts";

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
 * The `status_desc` of a payment without a dispute. Only then can a refund be requested, and only
 * then does its end change `status_desc`: a dispute takes precedence.
 */
const UNDISPUTED: readonly StatusDesc[] = [
  "Normal",
  "Refund Requested",
  "Refunded",
  "Refund Rejected",
];

/** Every tx that ends a refund or dispute takes this lock before theirs and the ledger's. */
export async function lockPaid(tx: Tx, transactionId: string): Promise<PaidRow> {
  const row = await tx.maybeOne(sqlOf(PAID)`
    select ${columns(PAID)} from transactions
    where transaction_id = ${transactionId}
    for no key update`);
  if (row === undefined) throw new NotFound("no such transaction");
  return row;
}

export async function readPaid(db: Queryable, transactionId: string): Promise<PaidRow> {
  const row = await db.maybeOne(sqlOf(PAID)`
    select ${columns(PAID)} from transactions where transaction_id = ${transactionId}`);
  if (row === undefined) throw new NotFound("no such transaction");
  return row;
}

/** Whether a refund can be requested at all; how much of it, `leftOf` says. */
export function isRefundable({ status, status_desc }: PaidRow): boolean {
  return status === "success" && UNDISPUTED.includes(status_desc);
}

/** What is neither refunded, nor being refunded, nor disputed. */
export function leftOf(paid: PaidRow): Money {
  const gone = paid.refunded_minor + paid.refund_pending_minor + paid.disputed_minor;
  return money(paid.currency, paid.customer_total_minor - gone);
}

export function findRefund(db: Queryable, refundId: string) {
  return db.maybeOne(sqlOf({
    ...REFUND,
    ...pick(tables.transactions, "environment", "currency", "sale_reference"),
  })`
    select refund.*, environment, currency, sale_reference
    from (select ${REFUND_COLUMNS} from refunds where refund_id = ${refundId}) as refund
    join transactions using (transaction_id)`);
}

export function refundsOf(db: Queryable, transactionId: string): Promise<RefundRow[]> {
  return db.rows(sqlOf(REFUND)`
    select ${REFUND_COLUMNS} from refunds where transaction_id = ${transactionId}
    order by created_at, refund_id`);
}

/**
 * The `status_desc` that follows from the refunds alone: one is under way, or how the last ended.
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

const refundFields = {
  refund_id: uuidSchema("Of this refund."),
  transaction_id: transactionIdSchema("The payment that it gives back."),
  environment: wordSchema(ENVIRONMENTS, "Where the payment was made.", "sandbox"),
  currency: wordSchema(CURRENCIES, "That of the payment.", "TTD"),
  amount: amountSchema("What goes back to the customer.", "25.00"),
  reason: orNull(textSchema("As it was sent.", "Returned in its box.")),
  status: wordSchema(["requested", "refunded", "rejected"], "What became of it.", "requested"),
  created_at: timestampSchema("When it was asked for."),
};

export const refundView = Type.Object(refundFields, { title: "Refund" });

/** How far we are with the gateway is not shown. */
export const viewRefund = viewOf(
  refundFields,
  ({ state, currency, amount_minor }: RefundRow & Pick<PaidRow, "environment" | "currency">) => ({
    amount: formatMoney(money(currency, amount_minor)),
    status: state === "refunded" || state === "rejected" ? state : "requested",
  }),
);

export const SETTLE_REFUND = { name: "settle-refund", idName: "refundId" } as const;

/**
 * Ends a refund, once: its state, its job, the payment's sums and `status_desc`, its event and the
 * money, in one tx. Undefined when it had ended before.
 */
export async function endRefund(
  tx: Tx,
  { refund_id, transaction_id }: Pick<RefundRow, "refund_id" | "transaction_id">,
  answer: RefundAnswer,
): Promise<RefundRow | undefined> {
  const paid = await lockPaid(tx, transaction_id);
  const ended = await tx.maybeOne(sqlOf(REFUND)`
    update refunds
    set state = ${answer.outcome}, ended_at = app_now(), next_try_at = null, leased_until = null,
      rejected_because = ${answer.outcome === "rejected" ? answer.reason : null}
    where refund_id = ${refund_id} and ended_at is null
    returning ${REFUND_COLUMNS}`);
  if (ended === undefined) return undefined;
  await unscheduleOrder(tx, SETTLE_REFUND, refund_id);
  if (UNDISPUTED.includes(paid.status_desc))
    await moveStatusDesc(tx, paid, await refundStatusDesc(tx, transaction_id));
  const isPaid = ended.state === "refunded";
  await tellOfChangedPayment(tx, paid, isPaid ? "payment.refunded" : "payment.refund_rejected");
  if (isPaid) await refundReceiptDue(tx, refund_id);
  const occasion = isPaid ? "refund_paid" : "refund_rejected";
  const amount = money(paid.currency, ended.amount_minor);
  await post(tx, {
    postingId: `${occasion} ${refund_id}`,
    environment: paid.environment,
    occasion,
    reference: transaction_id,
    transfers: (isPaid ? refundPaid : refundRejected)({
      accountNumber: paid.account_number,
      amount,
    }),
  });
  return ended;
}

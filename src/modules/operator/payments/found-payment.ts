/** A payment in a list of an operator, and what narrows a search for payments (Decision 0073). */

import { type Sql, sql } from "../../../infra/db/query.ts";
import { columns, computed, nullable, pick, type Row, text } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import { paymentState } from "../../transactions/payment-state.ts";

export interface Search {
  readonly account: string | undefined;
  readonly environments: readonly Environment[];
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** One more than is shown, to know whether there are more. */
  readonly max: number;
  /** By `performance.now()`: then it stops between two statements (Decision 0133). */
  readonly stopAt: number;
  sayProgress(text: string): void;
}

export interface Found {
  /** Newest first. */
  readonly rows: readonly PaymentRow[];
  /** Where the search stopped before it had seen everything, and how to go on. */
  readonly stopped?: string;
  /** What there was no time for. */
  readonly unseen?: { readonly words: string };
}

export const PAYMENT = {
  ...pick(tables.transactions, "transaction_id", "account_number", "environment", "order_id"),
  ...pick(tables.transactions, "currency", "total_minor", "status", "status_desc"),
  ...pick(tables.transactions, "card_brand", "card_last_four", "created_at"),
  ...pick(tables.transactions, "refunded_minor", "customer_total_minor"),
  email: computed(nullable(text), sql`payment.customer ->> 'email'`),
};

export type PaymentRow = Row<typeof PAYMENT> & {
  /** What became of the card that was asked for, in a search by card. */
  tried?: string;
};

/** Of `transactions as payment`. */
export const PAYMENT_COLUMNS = columns(PAYMENT, "payment");

export function withinTime({
  since = null,
  until = null,
}: Record<"since" | "until", unknown>): Sql {
  return sql`(${since}::timestamptz is null or payment.created_at >= ${since})
    and (${until}::timestamptz is null or payment.created_at < ${until})`;
}

export function newestFirst(rows: readonly PaymentRow[]): PaymentRow[] {
  return rows.toSorted(
    (one, other) =>
      other.created_at.getTime() - one.created_at.getTime() ||
      (other.transaction_id > one.transaction_id ? 1 : -1),
  );
}

export function viewFound(found: PaymentRow) {
  const { total_minor, refunded_minor: _, customer_total_minor: __, ...rest } = found;
  const { card_brand, card_last_four, ...row } = rest;
  return {
    ...row,
    state: paymentState(found),
    amount: formatMoney(money(row.currency, total_minor)),
    card: card_brand === null ? null : `${card_brand} **** ${card_last_four}`,
  };
}

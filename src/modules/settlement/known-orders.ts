/**
 * What we know of the sales and refunds that lines of a report may name: those of PowerTranz, whose
 * identifiers and orders its journal has. Another acquirer's would be read here as well.
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, computed, pick, type Row, text, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { UUID } from "../../kit/ids.ts";
import type { Currency } from "../../kit/money.ts";
import type { ReportLine } from "./settlement-line.ts";

const SALE = {
  ...pick(tables.powertranz_sales, "reference", "transaction_id", "identifier", "amount_minor"),
  currency: word<Currency>(),
  account_number: computed(text, sql`coalesce(payment.account_number, verified.account_number)`),
  /** The payment or card check has it as the sale that paid. */
  is_paid: computed(
    bool,
    sql`coalesce(payment.status = 'success' and payment.sale_reference = sale.reference,
      verified.status = 'success' and verified.sale_reference = sale.reference, false)`,
  ),
  /** Undone by a refund, so that the acquirer settles both. */
  is_given_back: computed(
    bool,
    sql`exists (select from powertranz_refunds as whole
      where whole.reference = 'void-' || sale.reference and whole.state = 'refunded')`,
  ),
  is_voided: computed(bool, sql`sale.voided_at is not null`),
};

const REFUND = {
  ...pick(tables.powertranz_refunds, "reference", "amount_minor", "state"),
  currency: word<Currency>(),
  transaction_id: computed(text, sql`sale.transaction_id`),
};

export type KnownSale = Row<typeof SALE>;

export interface KnownOrders {
  readonly sales: readonly KnownSale[];
  readonly refunds: readonly Row<typeof REFUND>[];
  /** Which line settles a sale or refund, by `saleClaim` or `refundClaim`. */
  readonly settledBy: ReadonlyMap<string, string>;
}

export const saleClaim = (reference: string) => `sale ${reference}`;
export const refundClaim = (reference: string) => `refund ${reference}`;

/** The payment of an order; each further card that was tried has its number behind it. */
export function paymentOf(order: string): string {
  return order.replace(/^([A-Z]{2}-[0-9A-Z]{26})-\d{1,4}$/, "$1");
}

export async function findOrders(tx: Tx, lines: readonly ReportLine[]): Promise<KnownOrders> {
  const identifiers = lines.map((line) => line.identifier).filter((one) => UUID.test(one));
  const sales = await tx.rows(sqlOf(SALE)`
    select ${columns(SALE, "sale")} from (
      select * from powertranz_sales where identifier = any (${identifiers}::uuid[])
      union
      select * from powertranz_sales
      where transaction_id = any (${lines.map(({ order }) => paymentOf(order))}::text[])
    ) as sale
    left join transactions as payment using (transaction_id)
    left join card_checks as verified using (transaction_id)
    where coalesce(payment.account_number, verified.account_number) is not null
    order by sale.reference`);
  const refunds = await tx.rows(sqlOf(REFUND)`
    select ${columns(REFUND, "refund")} from powertranz_refunds as refund
    join powertranz_sales as sale on sale.reference = sale_reference
    where sale_reference = any (${sales.map(({ reference }) => reference)}::uuid[])
    order by refund.reference`);
  const claims = [
    ...sales.map(({ reference }) => saleClaim(reference)),
    ...refunds.map(({ reference }) => refundClaim(reference)),
  ];
  const settled = await tx.rows(sqlOf({ line_id: text, settles: text })`
    select line_id, settles from settlement_lines where settles = any (${claims}::text[])`);
  const settledBy = new Map(settled.map(({ line_id, settles }) => [settles, line_id]));
  return { sales, refunds, settledBy };
}

/**
 * What a session is about: a payment, or the small amount that proves a card. Each purpose finds
 * its own record (Decision 0042); here they become one.
 */

import { join } from "sql-template-tag";
import { type Sql, sql } from "../../../infra/db/query.ts";
import type { TransactionRow } from "../../transactions/transaction.ts";
import type { Purposes } from "./purpose.ts";

/** As a purpose selects it: these columns, in this order. */
export interface RecordRow
  extends Pick<
    TransactionRow,
    | "account_number"
    | "environment"
    | "currency"
    | "order_id"
    | "total_minor"
    | "customer_total_minor"
    | "fee_structure"
    | "method"
    | "status"
    | "message"
    | "card_brand"
    | "card_last_four"
    | "customer"
  > {
  is_amount_secret: boolean;
  stored_brand: string | null;
  stored_last_four: string | null;
  stored_exp_month: number | null;
  stored_exp_year: number | null;
}

/** The card that is charged, where the customer does not type one. */
export interface StoredCard {
  /** `visa **** 1111` */
  readonly card: string;
  readonly expMonth: number;
  readonly expYear: number;
}

/**
 * `record`, of the session that stands before it in a statement. Lateral, so that each purpose
 * looks into its own index, and only for sessions of its own.
 */
export function recordsOf(purposes: Purposes): Sql {
  const records = Object.values(purposes).map(({ record }) => record);
  return sql`lateral (${join(records, " union all ")}) as record (account_number, environment,
    currency, order_id, total_minor, customer_total_minor, fee_structure, method, status, message,
    card_brand, card_last_four, customer, is_amount_secret, stored_brand, stored_last_four,
    stored_exp_month, stored_exp_year)`;
}

export function storedOf(row: RecordRow): StoredCard | undefined {
  const { stored_brand, stored_last_four, stored_exp_month, stored_exp_year } = row;
  if (stored_brand === null || stored_exp_month === null || stored_exp_year === null)
    return undefined;
  return {
    card: `${stored_brand} **** ${stored_last_four}`,
    expMonth: stored_exp_month,
    expYear: stored_exp_year,
  };
}

/**
 * What a session is about: a payment, or the small amount that proves a card. Each purpose finds
 * its own record (Decision 0042); here they become one.
 */

import { join, raw } from "sql-template-tag";
import { type Sql, sql } from "../../../infra/db/query.ts";
import type { CardNetwork } from "../../../kit/card-network.ts";
import type { TransactionRow } from "../../transactions/transaction.ts";
import type { Purposes } from "./purpose.ts";

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
  /** Of the card that is charged without being typed. */
  stored_uuid: string | null;
  stored_brand: CardNetwork | null;
  stored_last_four: string | null;
  stored_exp_month: number | null;
  stored_exp_year: number | null;
}

/** How a purpose finds the record of `session`: each column, and where they are from. */
export interface FoundRecord {
  readonly columns: Readonly<Record<keyof RecordRow, Sql>>;
  /** All that follows `from`, with a condition that is met for sessions of this purpose alone. */
  readonly from: Sql;
}

/** A card, as it may be told. */
export interface NamedCard {
  readonly brand: string;
  readonly lastFour: string;
}

/** The card that is charged, where the customer does not type one. */
export interface StoredCard extends NamedCard {
  readonly uuid: string;
  readonly brand: CardNetwork;
  readonly expMonth: number;
  readonly expYear: number;
}

/**
 * `record`, of the session that stands before it in a statement. Lateral, so that each purpose
 * looks into its own index, and only for sessions of its own; and limited, so that it does so one
 * by one, however many sessions there are (Decision 0061).
 */
export function recordsOf(purposes: Purposes): Sql {
  const made = written.get(purposes) ?? writeRecords(purposes);
  written.set(purposes, made);
  return made;
}

/** Written once: it stands in what every page asks, and takes 30 µs (2 cores, November 2026). */
const written = new WeakMap<Purposes, Sql>();

function writeRecords({ payment, ...others }: Purposes): Sql {
  const names = Object.keys(payment.record.columns) as (keyof RecordRow)[];
  const selects = [payment, ...Object.values(others)].map(({ record: { columns, from } }) => {
    const listed = names.map((name) => sql`${columns[name]} as ${raw(name)}`);
    return sql`select ${join(listed)} from ${from}`;
  });
  return sql`lateral (${join(selects, " union all ")} limit 1) as record`;
}

export function storedOf(row: RecordRow): StoredCard | undefined {
  const { stored_uuid: uuid, stored_brand: brand, stored_last_four: lastFour } = row;
  const { stored_exp_month: expMonth, stored_exp_year: expYear } = row;
  if (uuid === null || brand === null || lastFour === null) return undefined;
  if (expMonth === null || expYear === null) return undefined;
  return { uuid, brand, lastFour, expMonth, expYear };
}

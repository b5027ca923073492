/**
 * What a session is about: a payment, or the small amount that proves a card. Each purpose finds
 * its own record (Decision 0042); here they become one.
 */

import { join, raw } from "sql-template-tag";
import { type Sql, sql } from "../../../infra/db/query.ts";
import { bool, int, json, nullable, pick, type Row, text, uuid } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { PageDetails } from "../../transactions/payment-details.ts";
import { TRANSACTION } from "../../transactions/transaction.ts";
import type { StoredCard } from "./session.ts";

/** The columns that a payment's record has itself. */
export const OF_PAYMENT = {
  ...pick(TRANSACTION, "account_number", "environment", "currency", "order_id", "total_minor"),
  ...pick(TRANSACTION, "customer_total_minor", "fee_structure", "method", "status", "message"),
  ...pick(TRANSACTION, "card_brand", "card_last_four", "customer"),
  ...pick(TRANSACTION, "language", "description", "items"),
};

export const RECORD = {
  ...OF_PAYMENT,
  is_amount_secret: bool,
  /** Those that the page shows. */
  details: json<Partial<PageDetails>>(),
  /** Of the card that is charged without being typed. */
  stored_uuid: nullable(uuid),
  stored_brand: nullable(tables.trusted_cards.card_type),
  stored_last_four: nullable(text),
  stored_exp_month: nullable(int),
  stored_exp_year: nullable(int),
};

type RecordRow = Row<typeof RECORD>;

/** Where the customer types the card. */
export const NO_STORED_CARD = {
  stored_uuid: sql`null::uuid`,
  stored_brand: sql`null::text`,
  stored_last_four: sql`null::text`,
  stored_exp_month: sql`null::int`,
  stored_exp_year: sql`null::int`,
};

/** How a purpose finds the record of `session`: each column, and where they are from. */
export interface FoundRecord {
  readonly columns: Readonly<Record<keyof RecordRow, Sql>>;
  /** All that follows `from`, with a condition that is met for sessions of this purpose alone. */
  readonly from: Sql;
}

type Recorded = Readonly<Record<string, { readonly record: FoundRecord }>>;

/** Written once: it stands in every page's statement, and takes 30 µs (2 cores, November 2026). */
const written = new WeakMap<Recorded, Sql>();

/**
 * `record`, of the session that stands before it in a statement. Lateral, so that each purpose
 * looks into its own index, and only for sessions of its own; and limited, so that it does so one
 * by one, however many sessions there are (Decision 0061).
 */
export function recordsOf(purposes: Recorded): Sql {
  const made = written.get(purposes) ?? writeRecords(recordsIn(purposes));
  written.set(purposes, made);
  return made;
}

/** Purposes that find it alike share one. */
function recordsIn(purposes: Recorded): FoundRecord[] {
  return [...new Set(Object.values(purposes).map(({ record }) => record))];
}

function writeRecords(records: readonly FoundRecord[]): Sql {
  const selects = records.map(({ columns, from }) => {
    const names = Object.keys(columns).sort() as (keyof RecordRow)[];
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

/**
 * Which gateway served the live sales and refunds of a payment, and how the gateway names them: for
 * an operator who looks for one in the acquirer's portal or in a settlement report.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, nullable, pick, type Row, uuid } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";

const ORDER = {
  ...pick(tables.gateway_orders, "reference", "gateway"),
  /** Null where the gateway has not given it one, or our reference is its name. */
  identifier: computed(nullable(uuid), sql`coalesce(sale.identifier, refund.identifier)`),
};

export type GatewayOrder = Row<typeof ORDER>;

/** By our references, UUIDs; the sandbox's and those that no gateway was asked for are absent. */
export async function gatewayOrders(
  db: Queryable,
  references: readonly string[],
): Promise<ReadonlyMap<string, GatewayOrder>> {
  const rows = await db.rows(sqlOf(ORDER)`
    select ${columns(ORDER, "entry")} from gateway_orders as entry
    left join powertranz_sales as sale on sale.reference = entry.reference::uuid
    left join powertranz_refunds as refund on refund.reference = entry.reference
    where entry.reference = any (${references}::text[])`);
  return new Map(rows.map((row) => [row.reference, row]));
}

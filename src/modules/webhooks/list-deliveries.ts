/**
 * An endpoint's deliveries, newest first (Decision 0033). A page costs the same however many there
 * are: each state is read from the end of its index, and a list ends after its newest 10,000;
 * `until` leads to older ones.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { int, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { NotFound } from "../../kit/errors.ts";
import { UUID } from "../../kit/ids.ts";
import type { PageAsked } from "../../kit/page.ts";
import { type DeliveryState, STATES, showDeliveries } from "./delivery.ts";

export const LISTED_MAX = 10_000;

export interface DeliveryFilter {
  readonly endpointId: string;
  readonly state: DeliveryState | undefined;
  /** When they were created; both included. */
  readonly since: Date | undefined;
  readonly until: Date | undefined;
}

export async function listDeliveries(
  db: Queryable,
  filter: DeliveryFilter,
  page: PageAsked,
): Promise<{ ids: string[]; total: number }> {
  const { total } = await db.one(sqlOf({ total: int })`
    select least(count(*), ${LISTED_MAX})::int as total from ${newest(filter, LISTED_MAX)}`);
  const first = (page.page - 1) * page.page_size;
  const last = Math.min(first + page.page_size, total);
  if (first >= last) return { ids: [], total };
  return { ids: await readIds(db, filter, { first, last }), total };
}

/** The same for people, who are not told how many there are (Decision 0092): none is counted. */
export async function browseDeliveries(
  db: Queryable,
  filter: DeliveryFilter,
  { page, page_size: pageSize }: PageAsked,
): Promise<{ ids: string[]; hasOlder: boolean }> {
  const first = (page - 1) * pageSize;
  const last = Math.min(first + pageSize, LISTED_MAX);
  const ids = await readIds(db, filter, { first, last: last + 1 });
  return { ids: ids.slice(0, pageSize), hasOlder: ids.length > pageSize && last < LISTED_MAX };
}

async function readIds(
  db: Queryable,
  filter: DeliveryFilter,
  { first, last }: { first: number; last: number },
): Promise<string[]> {
  const found = await db.rows(sqlOf(pick(tables.webhook_deliveries, "delivery_id"))`
    select delivery_id from ${newest(filter, last)}
    order by created_at desc, sequence desc, delivery_id
    limit ${Math.max(0, last - first)} offset ${first}`);
  return found.map(({ delivery_id }) => delivery_id);
}

/** One delivery of the endpoint; another endpoint's is not found. */
export async function readDelivery(
  db: Queryable,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
) {
  if (!UUID.test(deliveryId)) throw new NotFound("not the shape of an id");
  const found = await db.rows(sqlOf(pick(tables.webhook_deliveries, "delivery_id"))`
    select delivery_id from webhook_deliveries
    where delivery_id = ${deliveryId} and endpoint_id = ${endpointId}`);
  const ids = found.map(({ delivery_id }) => delivery_id);
  const [delivery] = await showDeliveries(db, ids);
  if (delivery === undefined) throw new NotFound("no such delivery of this endpoint");
  return delivery;
}

/** The newest of each state, so that the newest of all are among them. */
function newest({ endpointId, state, since, until }: DeliveryFilter, max: number): Sql {
  return sql`
    unnest(${state === undefined ? STATES : [state]}::text[]) as wanted (wanted_state)
    cross join lateral (
      select delivery_id, created_at, sequence from webhook_deliveries
      where endpoint_id = ${endpointId} and state = wanted_state
        ${since === undefined ? sql`` : sql`and created_at >= ${since}`}
        ${until === undefined ? sql`` : sql`and created_at <= ${until}`}
      order by created_at desc, sequence desc, delivery_id
      limit ${max}
    ) as found`;
}

/**
 * Fan-out: one delivery for each active endpoint of the same account and environment that wants the
 * event (Decision 0034). The sequencer calls it in the tx that numbers the events, so a numbered
 * event has its deliveries.
 *
 * One statement for all events. Endpoints are locked in the order of their ids; one that is being
 * disabled is waited for, then left out. All numbering waits with it, so only briefly: what a
 * locked endpoint should receive is then noted as owed, and made by the next turn or by the
 * messenger.
 */

import { prepared, type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, text } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import type { AfterNumbering, NumberedEvent } from "../events/event.ts";

const LOCK_MAX = "500ms";
const LOCK_NOT_AVAILABLE = "55P03";
const MADE_AT_ONCE_MAX = 1_000;

/** Events of an account without an endpoint make no delivery. */
export const fanOut: AfterNumbering = {
  name: "fan-out",
  wanted: sql`exists (
    select from webhook_endpoints as endpoint
    where endpoint.account_number = one.account_number
      and endpoint.environment = one.environment and endpoint.status = 'active')`,
  run: makeDeliveries,
};

async function makeDeliveries(tx: Tx, events: readonly NumberedEvent[]): Promise<void> {
  await tx.run(sql`savepoint before_fan_out`);
  const { is_any_owed } = await tx.one(
    prepared(
      "begin-fan-out",
      sqlOf({
        is_any_owed: bool,
        set_config: text,
      })`select exists (select from webhook_deliveries_to_make) as is_any_owed,
        set_config('lock_timeout', ${LOCK_MAX}, true)`,
    ),
  );
  try {
    // First, to keep the order of the feed.
    if (is_any_owed) await makeOwed(tx);
    await tx.run(prepared("fan-out-events", deliveriesOf(events, "wait")));
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    await tx.run(sql`rollback to savepoint before_fan_out`);
    await tx.run(prepared("fan-out-events-or-owe", deliveriesOf(events, "owe locked")));
  }
}

/** With "owe locked", deliveries of locked endpoints are noted as owed. */
function deliveriesOf(events: readonly NumberedEvent[], locks: "wait" | "owe locked"): Sql {
  const skip = locks === "owe locked";
  return sql`
    with numbered as materialized (select * from ${unnest("numbered", events, EVENT)}),
    held as materialized (
      select endpoint_id, account_number, environment, events from webhook_endpoints
      where ${IS_OPEN} order by endpoint_id for no key update ${skip ? sql`skip locked` : sql``}
    ), ${skip ? OWE_LOCKED : sql``} made as (
      insert into webhook_deliveries (endpoint_id, event_id, sequence, resource, due_at)
      -- One time for all: what is due at once goes in the order of the feed.
      select endpoint_id, event_id, sequence, resource, (select app_now())
      from numbered join held using (account_number, environment) where ${IS_WANTED}
      returning endpoint_id
    ) ${WAKE_MADE}`;
}

/** Makes what is owed to endpoints that are no longer locked, if they are still active. */
export async function makeOwed(db: Queryable): Promise<void> {
  await db.run(sql`
    with held as materialized (
      select endpoint_id, status from webhook_endpoints
      where endpoint_id in (select endpoint_id from webhook_deliveries_to_make)
      order by endpoint_id for no key update skip locked
    ), paid as (
      delete from webhook_deliveries_to_make as owed using (
        select endpoint_id, event_id, status, sequence, resource
        from webhook_deliveries_to_make join held using (endpoint_id) join events using (event_id)
        order by sequence limit ${MADE_AT_ONCE_MAX}
      ) as next
      where owed.endpoint_id = next.endpoint_id and owed.event_id = next.event_id
      returning next.*
    ), made as (
      insert into webhook_deliveries (endpoint_id, event_id, sequence, resource, due_at)
      select endpoint_id, event_id, sequence, resource, (select app_now())
      from paid where status = 'active'
      -- A replay may have made it already.
      on conflict (endpoint_id, event_id) do nothing
      returning endpoint_id
    ) ${WAKE_MADE}`);
}

const EVENT = {
  event_id: "text",
  account_number: "text",
  environment: "text",
  event: "text",
  resource: "text",
  sequence: "bigint",
  only_endpoint_id: "uuid",
};

/** By an array first, which uses an index even in an old plan (Decision 0061). */
const IS_OPEN = sql`
  account_number = any(array(select account_number from numbered))
    and (account_number, environment) in (select account_number, environment from numbered)
    and status = 'active'
    -- The owner of a closed account could no longer remove the address.
    and not exists (select from accounts where status = 'closed'
      and accounts.account_number = webhook_endpoints.account_number)`;

const IS_WANTED = sql`case
  when only_endpoint_id is not null then only_endpoint_id = endpoint_id
  else events is null or event = any(events)
end`;

const OWE_LOCKED = sql`
  owed as (
    insert into webhook_deliveries_to_make (endpoint_id, event_id)
    select endpoint_id, event_id
    from numbered join webhook_endpoints using (account_number, environment)
    where ${IS_OPEN} and ${IS_WANTED} and endpoint_id not in (select endpoint_id from held)
  ),`;

const WAKE_MADE = sql`
  update webhook_endpoints as one
  set wake_count = wake_count + 1,
    next_due_at = least(next_due_at, greatest((select app_now()),
      case when failing_since is not null then rests_until end))
  from (select distinct endpoint_id from made) as wanted
  where one.endpoint_id = wanted.endpoint_id`;

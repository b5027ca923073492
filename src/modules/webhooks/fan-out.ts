/**
 * From the feed to the endpoints: one delivery for each active endpoint of the same account and
 * environment that wants the event (Decision 0034). Called by the sequencer in the tx that numbers
 * the events, so that an event with a number has its deliveries.
 *
 * One statement for all of them. Endpoints are locked in the order of their ids; one that is being
 * disabled is waited for and then left out. But everybody's numbers wait with it, so not for long:
 * what a locked endpoint would be told is noted beside it, and made by whoever sweeps.
 */

import { prepared, type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, text } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { NumberedEvent } from "../events/event.ts";
import { IS_CLAIMED } from "./lease.ts";
import { addDeliverJobs } from "./wake-endpoint.ts";

const LOCK_MAX = "500ms";
const LOCK_NOT_AVAILABLE = "55P03";
const MADE_AT_ONCE_MAX = 1_000;

export async function fanOut(tx: Tx, events: readonly NumberedEvent[]): Promise<void> {
  if (events.length === 0) return;
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
    // First, because it happened before.
    if (is_any_owed) await makeOwed(tx);
    await tx.run(prepared("fan-out-events", toAll(events)));
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    await tx.run(sql`rollback to savepoint before_fan_out`);
    await tx.run(prepared("fan-out-events-to-the-free", toTheFree(events)));
  }
}

function toAll(events: readonly NumberedEvent[]): Sql {
  return sql`
    with told as materialized (${asRows(events)}), held as materialized (
      select endpoint_id, account_number, environment, events from webhook_endpoints
      where ${MAY_BE_TOLD} order by endpoint_id for no key update
    ), made as (
      insert into webhook_deliveries (endpoint_id, event_id, sequence, resource, due_at)
      -- One time for all: what is due at once goes in the order of the feed.
      select endpoint_id, event_id, sequence, resource, (select app_now())
      from told join held using (account_number, environment) where ${IS_WANTED}
      returning endpoint_id
    ), ${WAKE_MADE}`;
}

/** The same, but what is locked is owed. */
function toTheFree(events: readonly NumberedEvent[]): Sql {
  return sql`
    with told as materialized (${asRows(events)}), free as materialized (
      select endpoint_id from webhook_endpoints
      where ${MAY_BE_TOLD} order by endpoint_id for no key update skip locked
    ), known as materialized (
      select endpoint_id, account_number, environment, events,
        endpoint_id in (select endpoint_id from free) as is_free
      from webhook_endpoints where ${MAY_BE_TOLD}
    ), wanted as materialized (
      select endpoint_id, event_id, sequence, resource, is_free
      from told join known using (account_number, environment) where ${IS_WANTED}
    ), owed as (
      insert into webhook_deliveries_to_make (endpoint_id, event_id)
      select endpoint_id, event_id from wanted where not is_free
    ), made as (
      insert into webhook_deliveries (endpoint_id, event_id, sequence, resource, due_at)
      select endpoint_id, event_id, sequence, resource, (select app_now())
      from wanted where is_free
      returning endpoint_id
    ), ${WAKE_MADE}`;
}

/** Makes what is owed to endpoints that nobody locks any more, if they are still to be told. */
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
      -- A replay may have been there before.
      on conflict (endpoint_id, event_id) do nothing
      returning endpoint_id
    ), ${WAKE_MADE}`);
}

function asRows(events: readonly NumberedEvent[]): Sql {
  return sql`
    select * from unnest(
      ${events.map((one) => one.eventId)}::text[],
      ${events.map((one) => one.accountNumber)}::text[],
      ${events.map((one) => one.environment)}::text[],
      ${events.map((one) => one.event)}::text[],
      ${events.map((one) => one.resource)}::text[],
      ${events.map((one) => one.sequence)}::bigint[],
      ${events.map((one) => one.onlyEndpointId)}::uuid[]
    ) as t (event_id, account_number, environment, event, resource, sequence, only_endpoint_id)`;
}

/** By an array first, which leads through an index when the plan is old, too (Decision 0061). */
const MAY_BE_TOLD = sql`
  account_number = any(array(select account_number from told))
    and (account_number, environment) in (select account_number, environment from told)
    and status = 'active'
    -- Nobody could take the address of a closed account away any more.
    and not exists (select from accounts where status = 'closed'
      and accounts.account_number = webhook_endpoints.account_number)`;

const IS_WANTED = sql`case
  when only_endpoint_id is not null then only_endpoint_id = endpoint_id
  else events is null or event = any(events)
end`;

const WAKE_MADE = sql`
  woken as (
    update webhook_endpoints as one
    set wake_count = wake_count + 1,
      next_due_at = least(next_due_at, greatest((select app_now()),
        case when failing_since is not null then rests_until end))
    from (select distinct endpoint_id from made) as wanted
    where one.endpoint_id = wanted.endpoint_id
    returning one.endpoint_id, next_due_at, failing_since is not null as is_failing,
      ${IS_CLAIMED} as is_claimed
  ) ${addDeliverJobs(sql`select * from woken where not is_claimed`)}`;

/**
 * From the feed to the endpoints: one delivery for each active endpoint of the same account and
 * environment that wants the event (Decision 0034). Called by the sequencer in the tx that numbers
 * the events, so that an event with a number has its deliveries.
 *
 * One statement for all of them. Endpoints are locked in the order of their ids; one that is being
 * disabled is waited for and then left out.
 */

import { prepared, sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { NumberedEvent } from "../events/event.ts";
import { addDeliverJobs } from "./wake-endpoint.ts";

export async function fanOut(tx: Tx, events: readonly NumberedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.run(
    prepared(
      "fan-out-events",
      sql`
    with told as materialized (
      select * from unnest(
        ${events.map((one) => one.eventId)}::text[],
        ${events.map((one) => one.accountNumber)}::text[],
        ${events.map((one) => one.environment)}::text[],
        ${events.map((one) => one.event)}::text[],
        ${events.map((one) => one.resource)}::text[],
        ${events.map((one) => one.sequence)}::bigint[],
        ${events.map((one) => one.onlyEndpointId)}::uuid[]
      ) as t (event_id, account_number, environment, event, resource, sequence, only_endpoint_id)
    ), held as materialized (
      select endpoint_id, account_number, environment, events from webhook_endpoints
      where (account_number, environment) in (select account_number, environment from told)
        and status = 'active'
        -- Nobody could take the address of a closed account away any more.
        and not exists (select from accounts where status = 'closed'
          and accounts.account_number = webhook_endpoints.account_number)
      order by endpoint_id for no key update
    ), made as (
      insert into webhook_deliveries (endpoint_id, event_id, sequence, resource, due_at)
      -- One time for all: what is due at once goes in the order of the feed.
      select endpoint_id, event_id, sequence, resource, (select app_now())
      from told join held using (account_number, environment)
      where case
        when only_endpoint_id is not null then only_endpoint_id = endpoint_id
        else events is null or event = any(events)
      end
      returning endpoint_id
    ), woken as (
      update webhook_endpoints as one
      set wake_count = wake_count + 1,
        next_due_at = least(next_due_at, greatest(app_now(),
          case when failing_since is not null then rests_until end))
      from (select distinct endpoint_id from made) as wanted
      where one.endpoint_id = wanted.endpoint_id
      returning one.endpoint_id, next_due_at, failing_since is not null as is_failing,
        coalesce(claimed_until > app_now(), false) as is_claimed
    ) ${addDeliverJobs(sql`select * from woken where not is_claimed`)}`,
    ),
  );
}

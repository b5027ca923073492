/**
 * Sends the events of a span of time again, by the endpoint's filter (Decision 0033), including
 * those that it was never sent, because it did not exist or was disabled. One request scans at most
 * 2,000 events, oldest first, in one statement, and one request at a time runs for an endpoint. The
 * answer says where it stopped, so that the next request neither skips nor repeats an event.
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, int, nullable, texts, timestamp } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { FieldsConflict } from "../../kit/errors.ts";
import type { EventName } from "../events/catalogue.ts";
import { recordResends } from "../events/record-resends.ts";
import { type EndpointRow, feedOf, holdEndpoint, type WantedEndpoint } from "./endpoint.ts";
import { EndpointIsDisabled } from "./endpoint-refusals.ts";
import { NEW_ROUND } from "./resend-delivery.ts";
import { wakeEndpoint } from "./wake-endpoint.ts";

export const SPAN_CROSSED = "The until must not be before the since.";

export const EVENTS_AT_ONCE_MAX = 2_000;

interface WantedReplay {
  readonly since: Date;
  /** At `since` only events with a higher number: where an earlier answer stopped. */
  readonly after: number | undefined;
  readonly until: Date | undefined;
  /** Null or undefined: the endpoint's own filter alone. */
  readonly events: readonly EventName[] | null | undefined;
  readonly onlyFailed: boolean;
}

interface Replayed {
  readonly queued: number;
  /** Where to continue; undefined when the span is complete. */
  readonly next: { readonly since: Date; readonly after: number } | undefined;
}

const SCANNED = {
  scanned: int,
  queued: int,
  last_at: nullable(timestamp),
  last_sequence: nullable(bigint),
  event_ids: texts,
};

export async function replayEvents(
  tx: Tx,
  caller: Caller,
  at: WantedEndpoint,
  wanted: WantedReplay,
): Promise<Replayed> {
  const { endpointId } = at;
  const { since, until } = wanted;
  if (until !== undefined && until < since) throw new FieldsConflict(SPAN_CROSSED, "until");
  const endpoint = await holdEndpoint(tx, caller, at, "to send");
  if (endpoint.status !== "active") throw new EndpointIsDisabled();
  const found = await queue(tx, endpoint, wanted);
  await recordAudit(tx, caller, "webhook_replayed", {
    detail: { webhook_id: endpointId, queued: found.queued },
  });
  if (found.queued > 0) await wakeEndpoint(tx, endpointId);
  await recordResends(tx, feedOf(endpoint), found.event_ids);
  const { last_at, last_sequence, scanned, queued } = found;
  const isComplete = scanned < EVENTS_AT_ONCE_MAX || last_at === null;
  return {
    queued,
    next: isComplete ? undefined : { since: last_at, after: Number(last_sequence) },
  };
}

function queue(
  tx: Tx,
  endpoint: EndpointRow,
  { since, after, until, events, onlyFailed }: WantedReplay,
) {
  const fits = (names: readonly string[] | null | undefined) =>
    names === null || names === undefined ? sql`true` : sql`event = any(${names})`;
  return tx.one(sqlOf(SCANNED)`
    with scanned as (
      select event_id, event, sequence, resource, occurred_at, only_endpoint_id from events
      where account_number = ${endpoint.account_number} and environment = ${endpoint.environment}
        and sequence is not null and occurred_at >= ${since}
        ${after === undefined ? sql`` : sql`and (occurred_at > ${since} or sequence > ${after})`}
        ${until === undefined ? sql`` : sql`and occurred_at <= ${until}`}
      order by occurred_at, sequence limit ${EVENTS_AT_ONCE_MAX}
    ),
    queued as (
      insert into webhook_deliveries (endpoint_id, event_id, sequence, resource, due_at)
      select ${endpoint.endpoint_id}::uuid, event_id, sequence, resource, (select app_now())
      from scanned
      where only_endpoint_id is null and ${fits(endpoint.events)} and ${fits(events)}
      order by sequence
      on conflict (endpoint_id, event_id) do update set ${NEW_ROUND}
        where not ${onlyFailed} or webhook_deliveries.state <> 'delivered'
      returning event_id, sequence
    )
    select (select count(*) from scanned)::int as scanned,
      (select count(*) from queued)::int as queued, last.occurred_at as last_at,
      last.sequence as last_sequence,
      array(select event_id from queued order by sequence) as event_ids
    from (values (1)) as always
    left join lateral (
      select occurred_at, sequence from scanned order by occurred_at desc, sequence desc limit 1
    ) as last on true`);
}

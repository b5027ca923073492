/**
 * Sends again what happened in a span of time, by the endpoint's own filter (Decision 0033): also
 * what it was never sent, because it did not exist then or was disabled.
 *
 * The rule that matters: one request looks at no more than 2,000 events, oldest first, in one
 * statement, and one request at a time of one endpoint. Where it stopped is told, so that asking
 * again from there misses and repeats nothing.
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, int, nullable, timestamp } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { FieldsConflict } from "../../kit/errors.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { EventName } from "../events/catalogue.ts";
import { findEndpoint, type WantedEndpoint } from "./endpoint.ts";
import { EndpointIsDisabled } from "./endpoint-refusals.ts";
import { BEGUN_ANEW } from "./resend-delivery.ts";
import { wakeEndpoint } from "./wake-endpoint.ts";

export const SPAN_CROSSED = "The until must not be before the since.";

export const EVENTS_AT_ONCE_MAX = 2_000;

export interface WantedReplay {
  readonly since: Date;
  /** Of those at `since`, only what has a higher number: where an earlier answer stopped. */
  readonly after: number | undefined;
  readonly until: Date | undefined;
  /** Null or undefined: whatever the endpoint is told. */
  readonly events: readonly EventName[] | null | undefined;
  readonly onlyFailed: boolean;
}

export interface Replayed {
  readonly queued: number;
  /** Where to go on; undefined when all was looked at. */
  readonly next: { readonly since: Date; readonly after: number } | undefined;
}

const LOOKED_AT = {
  looked: int,
  queued: int,
  last_at: nullable(timestamp),
  last_sequence: nullable(bigint),
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
  await holdCredential(tx, caller, "read");
  const endpoint = await findEndpoint(tx, caller, at, "to send");
  if (endpoint.status !== "active") throw new EndpointIsDisabled();
  const found = await queue(tx, endpoint, wanted);
  await recordAudit(tx, caller, "webhook_replayed", {
    detail: { webhook_id: endpointId, queued: found.queued },
  });
  if (found.queued > 0) await wakeEndpoint(tx, endpointId);
  const { last_at, last_sequence, looked, queued } = found;
  const isComplete = looked < EVENTS_AT_ONCE_MAX || last_at === null;
  return {
    queued,
    next: isComplete ? undefined : { since: last_at, after: Number(last_sequence) },
  };
}

function queue(
  tx: Tx,
  endpoint: {
    endpoint_id: string;
    account_number: string;
    environment: string;
    events: string[] | null;
  },
  { since, after, until, events, onlyFailed }: WantedReplay,
) {
  const { endpoint_id: id } = endpoint;
  const fits = (names: readonly string[] | null | undefined) =>
    names === null || names === undefined ? sql`true` : sql`event = any(${names})`;
  return tx.one(sqlOf(LOOKED_AT)`
    with looked_at as (
      select event_id, event, sequence, resource, occurred_at, only_endpoint_id from events
      where account_number = ${endpoint.account_number} and environment = ${endpoint.environment}
        and sequence is not null and occurred_at >= ${since}
        ${after === undefined ? sql`` : sql`and (occurred_at > ${since} or sequence > ${after})`}
        ${until === undefined ? sql`` : sql`and occurred_at <= ${until}`}
      order by occurred_at, sequence limit ${EVENTS_AT_ONCE_MAX}
    ),
    queued as (
      insert into webhook_deliveries (endpoint_id, event_id, sequence, resource, due_at)
      select ${id}::uuid, event_id, sequence, resource, (select app_now()) from looked_at
      where only_endpoint_id is null and ${fits(endpoint.events)} and ${fits(events)}
      order by sequence
      on conflict (endpoint_id, event_id) do update set ${BEGUN_ANEW}
        where not ${onlyFailed} or webhook_deliveries.state <> 'delivered'
      returning 1
    )
    select (select count(*) from looked_at)::int as looked,
      (select count(*) from queued)::int as queued, last.occurred_at as last_at,
      last.sequence as last_sequence
    from (values (1)) as always
    left join lateral (
      select occurred_at, sequence from looked_at order by occurred_at desc, sequence desc limit 1
    ) as last on true`);
}

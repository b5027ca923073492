/**
 * Endpoints that fail or that we disabled, with their latest attempts, for an operator. An account
 * has at most ten endpoints, so all of them are read; of each one's deliveries only a few, by the
 * index of their states (Decision 0073).
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, int, type Row, timestamp, uuid } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { ATTEMPT_COLUMNS, type AttemptRow } from "./delivery.ts";
import { ENDPOINT } from "./endpoint.ts";

/** From either end of each state: the last tried ones are among them. */
const DELIVERIES_READ = 20;
/** Counting ends here. */
const WAITING_MAX = 10_000;

/** Of `webhook_endpoints`. */
const WAITING = sql`(
  select count(*)::int from (
    select from webhook_deliveries as delivery
    where delivery.endpoint_id = webhook_endpoints.endpoint_id and state = 'waiting'
    limit ${WAITING_MAX}) as counted)`;

/** An endpoint that answered 410 may never have failed before. */
const SINCE = sql`coalesce(failing_since, changed_at)`;

const TROUBLED = {
  ...ENDPOINT,
  waiting: computed(int, WAITING),
  since: computed(timestamp, SINCE),
};

export type TroubledEndpoint = Row<typeof TROUBLED>;

/** Longest in trouble first. Without an account all endpoints are read. */
export function troubledEndpoints(
  db: Queryable,
  whose: { accountNumber: string | null; environment: Environment | null },
  max: number,
): Promise<TroubledEndpoint[]> {
  return db.rows(sqlOf(TROUBLED)`
    select ${columns(TROUBLED)} from webhook_endpoints
    where status <> 'deleted' and disabled_because is distinct from 'asked'
      and (failing_since is not null or status = 'disabled')
      ${whose.accountNumber === null ? sql`` : sql`and account_number = ${whose.accountNumber}`}
      ${whose.environment === null ? sql`` : sql`and environment = ${whose.environment}`}
    order by ${SINCE}, endpoint_id limit ${max}`);
}

/** One of them, in trouble or not; undefined when it is unknown or deleted. */
export function findAnyEndpoint(
  db: Queryable,
  endpointId: string,
): Promise<TroubledEndpoint | undefined> {
  return db.maybeOne(sqlOf(TROUBLED)`
    select ${columns(TROUBLED)} from webhook_endpoints
    where endpoint_id = ${endpointId} and status <> 'deleted'`);
}

/** The newest attempts of each endpoint, newest first. */
export function latestAttempts(
  db: Queryable,
  endpointIds: readonly string[],
  max: number,
): Promise<(AttemptRow & { endpoint_id: string })[]> {
  const some = (direction: "asc" | "desc") => sql`(
    select delivery_id from webhook_deliveries
    where endpoint_id = wanted.id and state = states.state
    order by created_at ${direction === "asc" ? sql`asc` : sql`desc`} limit ${DELIVERIES_READ})`;
  return db.rows(sqlOf({ ...tables.webhook_attempts, endpoint_id: uuid })`
    select wanted.id as endpoint_id, latest.*
    from unnest(${endpointIds}::uuid[]) with ordinality as wanted (id, number)
    cross join lateral (
      select ${ATTEMPT_COLUMNS} from webhook_attempts
      where delivery_id = any (array(
        select delivery_id
        from unnest('{waiting, failed, cancelled, delivered}'::text[]) as states (state)
        cross join lateral (${some("asc")} union ${some("desc")}) as looked_at))
      order by began_at desc, attempt desc limit ${max}
    ) as latest
    order by number, began_at desc, attempt desc`);
}

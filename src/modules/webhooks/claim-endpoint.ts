/**
 * Claims: one process at a time sends to an endpoint, by a lease in its row (Decision 0034).
 *
 * A claim carries a fencing number: after its lease another process has a higher one, and the old
 * holder can begin nothing. Each function takes many endpoints in one statement and skips locked
 * ones.
 */

import assert from "node:assert/strict";
import { leaseEnd } from "../../infra/db/clock.ts";
import { prepared, type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { float, nullable, outer, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { IS_CLAIMED, IS_FAILING, IS_HEALTHY, LEASE_SECONDS } from "./wake-endpoint.ts";

/** Due deliveries read at once for an endpoint; their bodies are read with the attempt. */
export const READ_AHEAD = 50;

/**
 * First in a `from`: the tx commits without waiting for the disk. It writes only the state of
 * sending; events and deliveries are written elsewhere and do wait. After a database crash the last
 * moments may be sent again, under the same ids.
 */
export const WITHOUT_FLUSH = sql`
  (select set_config('synchronous_commit', 'off', true)) as without_flush`;

export interface Claim {
  readonly endpointId: string;
  readonly claimCount: bigint;
}

export interface DueDelivery {
  readonly deliveryId: string;
  readonly resource: string;
}

/** What the holder of a claim knows about its endpoint, from one snapshot. */
export interface View {
  readonly claim: Claim;
  readonly due: readonly DueDelivery[];
  readonly wakeCount: bigint;
  /** How long it has been failing; undefined: it is healthy. */
  readonly failingSeconds: number | undefined;
  /** How long from now until the next attempt may begin; negative: that long ago. */
  readonly restSeconds: number;
}

const CLAIM = { endpointId: "uuid", claimCount: "bigint" };
const SEEN = { ...CLAIM, wakeCount: "bigint" };
const RELEASE = { ...SEEN, restSeconds: "float8" };

const RESTED = -3600;

/** From the statement's snapshot, so that what is due and `wake_count` agree. */
const VIEW = {
  ...pick(tables.webhook_endpoints, "endpoint_id", "claim_count", "wake_count"),
  ...outer(pick(tables.webhook_deliveries, "delivery_id", "resource")),
  failing_seconds: nullable(float),
  rest_seconds: nullable(float),
};
const VIEW_COLUMNS = sql`
  one.endpoint_id, one.wake_count, next.delivery_id, next.resource,
  extract(epoch from (select app_now()) - one.failing_since)::float8 as failing_seconds,
  extract(epoch from one.rests_until - (select app_now()))::float8 as rest_seconds`;
const NEXT_DUE = sql`
  left join lateral (
    select delivery_id, resource, due_at, sequence from webhook_deliveries
    where endpoint_id = one.endpoint_id and state = 'waiting' and due_at <= (select app_now())
    order by due_at, sequence limit ${READ_AHEAD}
  ) as next on true`;
/** Not by due time: events of one record go in the order of the feed. */
const IN_ORDER = sql`order by one.endpoint_id, next.sequence`;

const IS_FREE = sql`next_due_at <= (select app_now()) and not ${IS_CLAIMED}`;

/** How many may be claimed: failing ones are counted apart, so that they delay no healthy one. */
export interface Room {
  readonly healthy: number;
  readonly failing: number;
}

/** Those that have been due longest, but those that this process is sending to (Decision 0137). */
export async function claimDue(
  db: Queryable,
  { healthy, failing }: Room,
  except: readonly string[],
): Promise<View[]> {
  const due = (kind: Sql, countMax: number) => sql`
    select endpoint_id from webhook_endpoints
    where ${IS_FREE} and ${kind} and endpoint_id <> all(${except}::uuid[])
    order by next_due_at limit ${countMax} for no key update skip locked`;
  const rows = await db.rows(
    prepared(
      "claim-due-webhook-endpoints",
      claim(sql`
        healthy as materialized (${due(IS_HEALTHY, healthy)}),
        failing as materialized (${due(IS_FAILING, failing)}),
        free as (select * from healthy union all select * from failing)`),
    ),
  );
  return [...viewsOf(rows).values()];
}

/** Undefined for one that is not due, not active, locked or claimed. */
export async function claimEndpoints(
  db: Queryable,
  endpointIds: readonly string[],
): Promise<(View | undefined)[]> {
  const rows = await db.rows(
    claim(sql`
      free as materialized (
        select endpoint_id from webhook_endpoints
        where endpoint_id = any(${endpointIds}::uuid[]) and ${IS_FREE}
        order by endpoint_id for no key update skip locked
      )`),
  );
  const views = viewsOf(rows);
  return endpointIds.map((id) => views.get(id));
}

function claim(free: Sql) {
  return sqlOf(VIEW)`
    with ${free}, mine as (
      update webhook_endpoints as one
      set claim_count = claim_count + 1, claimed_until = ${leaseEnd(LEASE_SECONDS)}
      from free where one.endpoint_id = free.endpoint_id
      returning one.endpoint_id, one.claim_count
    )
    select mine.claim_count, ${VIEW_COLUMNS}
    from ${WITHOUT_FLUSH}, mine join webhook_endpoints as one using (endpoint_id) ${NEXT_DUE}
    ${IN_ORDER}`;
}

/** What is due by now; undefined when the claim is lost or the endpoint is not active any more. */
export async function viewClaims(
  db: Queryable,
  claims: readonly Claim[],
): Promise<(View | undefined)[]> {
  const rows = await db.rows(
    prepared(
      "view-webhook-claims",
      sqlOf(VIEW)`
        select one.claim_count, ${VIEW_COLUMNS}
        from ${unnest("mine", claims, CLAIM)}
          join webhook_endpoints as one using (endpoint_id, claim_count) ${NEXT_DUE}
        where one.status = 'active' ${IN_ORDER}`,
    ),
  );
  const views = viewsOf(rows);
  return claims.map(({ endpointId }) => views.get(endpointId));
}

/** A claim, and the last count that its holder has seen. */
export interface Seen extends Claim {
  readonly wakeCount: bigint;
}

/** The ids of those that got more to send since. */
export async function findWoken(db: Queryable, seen: readonly Seen[]): Promise<string[]> {
  const woken = await db.rows(
    prepared(
      "find-woken-webhook-endpoints",
      sqlOf(pick(tables.webhook_endpoints, "endpoint_id"))`
        select endpoint_id from ${unnest("mine", seen, SEEN)}
          join webhook_endpoints as one using (endpoint_id, claim_count)
        where one.wake_count > mine.wake_count`,
    ),
  );
  return woken.map((row) => row.endpoint_id);
}

/** The holder keeps the endpoint if it was woken since. */
export interface Release extends Seen {
  readonly restSeconds: number;
}

/**
 * Ends claims, and says when each is due again: with more to send it stands behind those that wait,
 * so that none with a backlog keeps a slot. False for one that was locked or woken.
 */
export async function releaseEndpoints(
  db: Queryable,
  releases: readonly Release[],
): Promise<boolean[]> {
  const released = await db.rows(
    prepared(
      "release-webhook-endpoints",
      sqlOf(pick(tables.webhook_deliveries, "endpoint_id"))`
        with mine as materialized (
          select mine.*, (
            select due_at from webhook_deliveries
            where endpoint_id = one.endpoint_id and state = 'waiting'
            order by due_at limit 1) as due_at
          from ${unnest("mine", releases, RELEASE)}
            join webhook_endpoints as one using (endpoint_id, claim_count)
          order by one.endpoint_id for no key update of one skip locked
        ), free as (
          update webhook_endpoints as one
          set claimed_until = null,
            rests_until = (select app_now()) + make_interval(secs => rest_seconds),
            next_due_at = case when status = 'active' and due_at is not null then
              greatest(due_at, (select app_now()), case when ${IS_FAILING}
                then (select app_now()) + make_interval(secs => rest_seconds) end) end
          from mine
          where one.endpoint_id = mine.endpoint_id and one.claim_count = mine.claim_count
            and (one.wake_count = mine.wake_count or due_at <= (select app_now()))
          returning one.endpoint_id
        )
        select endpoint_id from ${WITHOUT_FLUSH}, free`,
    ),
  );
  const free = new Set(released.map((row) => row.endpoint_id));
  return releases.map(({ endpointId }) => free.has(endpointId));
}

/** Called often enough that one or two failures do not lose a claim. */
export async function renewClaims(db: Queryable, claims: readonly Claim[]): Promise<void> {
  await db.run(sql`
    with mine as materialized (
      select one.endpoint_id
      from ${unnest("mine", claims, CLAIM)}
        join webhook_endpoints as one using (endpoint_id, claim_count)
      where one.claimed_until is not null
      order by one.endpoint_id for no key update of one skip locked
    )
    update webhook_endpoints as one
    set claimed_until = ${leaseEnd(LEASE_SECONDS)}
    from mine where one.endpoint_id = mine.endpoint_id`);
}

/** By endpoint. */
function viewsOf(rows: readonly Row<typeof VIEW>[]): Map<string, View> {
  const byEndpoint = Map.groupBy(rows, (row) => row.endpoint_id);
  return new Map([...byEndpoint].map(([endpointId, found]) => [endpointId, viewOf(found)]));
}

function viewOf(rows: readonly Row<typeof VIEW>[]): View {
  const [first] = rows;
  assert(first !== undefined, "a group has a row");
  return {
    claim: { endpointId: first.endpoint_id, claimCount: first.claim_count },
    wakeCount: first.wake_count,
    failingSeconds: first.failing_seconds ?? undefined,
    restSeconds: first.rest_seconds ?? RESTED,
    due: rows.flatMap(({ delivery_id: deliveryId, resource }) =>
      deliveryId === null || resource === null ? [] : [{ deliveryId, resource }],
    ),
  };
}

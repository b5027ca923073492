/**
 * Who may send to an endpoint: one process at a time, by a lease in its row (Decision 0034).
 *
 * The rule that matters: the row decides. A job only says that there may be work; it may run twice,
 * late or in a process that sleeps. A claim carries a number; whoever slept past its lease finds
 * another number there and begins nothing. Each function takes many endpoints, so that a busy
 * process asks once for all of them; none of them waits for one that is locked.
 */

import { leaseEnd } from "../../infra/db/clock.ts";
import { prepared, type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { float, nullable, outer, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { IS_CLAIMED, LEASE_SECONDS } from "./lease.ts";
import { addDeliverJobs } from "./wake-endpoint.ts";
import { WITHOUT_FLUSH } from "./without-flush.ts";

/** Read ahead per endpoint; slim rows, the bodies come with the attempt. */
export const READ_AHEAD = 50;

export interface Claim {
  readonly endpointId: string;
  readonly claimCount: bigint;
}

export interface DueDelivery {
  readonly deliveryId: string;
  readonly resource: string;
}

/** What the holder of a claim knows of its endpoint, all as of one moment. */
export interface View {
  readonly claim: Claim;
  readonly due: readonly DueDelivery[];
  readonly wakeCount: bigint;
  /** How long it has been failing; undefined: it is well. */
  readonly failingSeconds: number | undefined;
  /** How long from now until the next attempt may begin; negative: that long ago. */
  readonly restSeconds: number;
}

const RESTED = -3600;

/** Of the endpoint as it was when the statement began, so that what is due and the count agree. */
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
/** Of what is due, whatever became due first: events of one record go in the order of the feed. */
const IN_ORDER = sql`order by one.endpoint_id, next.sequence`;

const IS_FREE = sql`next_due_at <= (select app_now()) and not ${IS_CLAIMED}`;

/** Undefined for one that is not due, not active, locked, or in somebody else's hands. */
export async function claimEndpoints(
  db: Queryable,
  endpointIds: readonly string[],
): Promise<(View | undefined)[]> {
  const rows = await db.rows(
    prepared(
      "claim-webhook-endpoints",
      sqlOf(VIEW)`
        with free as materialized (
          select endpoint_id from webhook_endpoints
          where endpoint_id = any(${endpointIds}::uuid[]) and ${IS_FREE}
          order by endpoint_id for no key update skip locked
        ), mine as (
          update webhook_endpoints as one
          set claim_count = claim_count + 1,
            claimed_until = ${leaseEnd(LEASE_SECONDS)}
          from free where one.endpoint_id = free.endpoint_id
          returning one.endpoint_id, one.claim_count
        )
        select mine.claim_count, ${VIEW_COLUMNS}
        from ${WITHOUT_FLUSH}, mine join webhook_endpoints as one using (endpoint_id) ${NEXT_DUE}
        ${IN_ORDER}`,
    ),
  );
  return viewsOf(rows, endpointIds);
}

/** Whether each could have been claimed, had it not been locked. */
export async function areFree(db: Queryable, endpointIds: readonly string[]): Promise<boolean[]> {
  const rows = await db.rows(sqlOf(pick(tables.webhook_endpoints, "endpoint_id"))`
    select endpoint_id from webhook_endpoints
    where endpoint_id = any(${endpointIds}::uuid[]) and ${IS_FREE}`);
  const free = new Set(rows.map((row) => row.endpoint_id));
  return endpointIds.map((id) => free.has(id));
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
        from unnest(${idsOf(claims)}::uuid[], ${countsOf(claims)}::bigint[])
            as mine (endpoint_id, claim_count)
          join webhook_endpoints as one using (endpoint_id, claim_count) ${NEXT_DUE}
        where one.status = 'active' ${IN_ORDER}`,
    ),
  );
  return viewsOf(rows, idsOf(claims));
}

export interface Release extends Claim {
  /** The last count that the holder has seen: if there is another, it keeps the endpoint. */
  readonly wakeCount: bigint;
  readonly restSeconds: number;
}

/** Lets go, and leaves a job for what is due later. True when the endpoint is nobody's now. */
export async function releaseEndpoints(
  db: Queryable,
  releases: readonly Release[],
): Promise<boolean[]> {
  const released = await db.rows(
    prepared(
      "release-webhook-endpoints",
      sqlOf(pick(tables.webhook_deliveries, "endpoint_id"))`
        with mine as materialized (
          select one.endpoint_id, mine.*, (
            select due_at from webhook_deliveries
            where endpoint_id = one.endpoint_id and state = 'waiting'
            order by due_at limit 1) as due_at
          from unnest(${idsOf(releases)}::uuid[], ${countsOf(releases)}::bigint[],
              ${releases.map(({ wakeCount }) => wakeCount)}::bigint[],
              ${releases.map(({ restSeconds }) => restSeconds)}::float8[])
              as mine (id, claim, wake, rest_seconds)
            join webhook_endpoints as one on one.endpoint_id = mine.id
          where one.claim_count = mine.claim
          order by one.endpoint_id for no key update of one skip locked
        ), free as (
          update webhook_endpoints as one
          set claimed_until = null,
            rests_until = (select app_now()) + make_interval(secs => rest_seconds),
            next_due_at = case when status = 'active' then
              greatest(due_at, case when due_at is not null and failing_since is not null
                then (select app_now()) + make_interval(secs => rest_seconds) end) end
          from mine
          where one.endpoint_id = mine.endpoint_id and one.claim_count = claim
            and (one.wake_count = wake or due_at <= (select app_now()))
          returning one.endpoint_id, one.next_due_at,
            one.failing_since is not null as is_failing
        ), jobs as (${addDeliverJobs(sql`select * from free where next_due_at is not null`)})
        select endpoint_id from ${WITHOUT_FLUSH}, free, jobs`,
    ),
  );
  const free = new Set(released.map((row) => row.endpoint_id));
  return releases.map(({ endpointId }) => free.has(endpointId));
}

/** Keeps the claims of a process alive while it sends; asked often enough to miss a time or two. */
export async function renewClaims(db: Queryable, claims: readonly Claim[]): Promise<void> {
  await db.run(sql`
    with mine as materialized (
      select one.endpoint_id
      from unnest(${idsOf(claims)}::uuid[], ${countsOf(claims)}::bigint[])
          as mine (endpoint_id, claim_count)
        join webhook_endpoints as one using (endpoint_id, claim_count)
      where one.claimed_until is not null
      order by one.endpoint_id for no key update of one skip locked
    )
    update webhook_endpoints as one
    set claimed_until = ${leaseEnd(LEASE_SECONDS)}
    from mine where one.endpoint_id = mine.endpoint_id`);
}

function viewsOf(
  rows: readonly Row<typeof VIEW>[],
  endpointIds: readonly string[],
): (View | undefined)[] {
  const of = Map.groupBy(rows, (row) => row.endpoint_id);
  return endpointIds.map((endpointId) => {
    const [first, ...others] = of.get(endpointId) ?? [];
    if (first === undefined) return undefined;
    return {
      claim: { endpointId, claimCount: first.claim_count },
      wakeCount: first.wake_count,
      failingSeconds: first.failing_seconds ?? undefined,
      restSeconds: first.rest_seconds ?? RESTED,
      due: [first, ...others].flatMap(({ delivery_id: deliveryId, resource }) =>
        deliveryId === null || resource === null ? [] : [{ deliveryId, resource }],
      ),
    };
  });
}

function idsOf(claims: readonly Claim[]): string[] {
  return claims.map(({ endpointId }) => endpointId);
}

function countsOf(claims: readonly Claim[]): bigint[] {
  return claims.map(({ claimCount }) => claimCount);
}

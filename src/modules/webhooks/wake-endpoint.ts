/**
 * When an endpoint is due, and the job that sends to it (Decision 0034).
 *
 * Each tx that makes a delivery wait also increments `wake_count`. The process that holds the
 * endpoint's lease releases it only if it has seen the last count, so no delivery is left behind. A
 * job is only a hint: a sweep adds the ones that were lost, and the claim makes a surplus one
 * harmless.
 */

import { Gauge } from "prom-client";
import { leaseEnd } from "../../infra/db/clock.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, float, int, nullable } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";

/** Two lanes with their own runners, so that failing endpoints never delay healthy ones. */
export const DELIVER_WEBHOOKS = "deliver-webhooks";
export const RETRY_WEBHOOKS = "retry-webhooks";
const JOB_TRIES_MAX = 5;

/** After this another process takes over from one that died; a live one renews well before. */
export const LEASE_SECONDS = 10;
/** A lease that ends later was taken before the clock was set back. It does not count. */
const LEASE_SECONDS_MAX = 2 * LEASE_SECONDS;

/** Of a row of `webhook_endpoints`; never null. */
export const IS_CLAIMED = sql`(claimed_until is not null and claimed_until > (select app_now())
  and claimed_until <= ${leaseEnd(LEASE_SECONDS_MAX)})`;

/** A job normally runs before this. */
const OVERDUE_SECONDS = 1;
const SWEPT_AT_ONCE_MAX = 1_000;

const waiting = new Gauge({
  name: "windward_webhook_endpoints_waiting",
  help: "Endpoints with a delivery that is due and that nobody is sending, when last looked.",
  aggregator: "max",
});
const late = new Gauge({
  name: "windward_webhook_late_seconds",
  help: "How long the longest of those has been due, when last looked.",
  aggregator: "max",
});

/**
 * Adds a job for each endpoint of `woken` (endpoint_id, next_due_at, is_failing), under a key, so
 * that an endpoint has at most one waiting job. Job runners use the real clock, so the due time is
 * passed as a delay from now (Decision 0003).
 */
export function addDeliverJobs(woken: Sql): Sql {
  // Not called for no endpoint: it would still wake every runner of every process.
  return sql`
    select case when exists (${woken}) then (
      select count(*) from graphile_worker.add_jobs(array(
        select row(
          case when is_failing then ${RETRY_WEBHOOKS} else ${DELIVER_WEBHOOKS} end,
          json_build_object('endpointId', endpoint_id), null,
          clock_timestamp() + greatest(next_due_at - app_now(), interval '0'),
          ${JOB_TRIES_MAX}::int, 'webhooks ' || endpoint_id, 0, null
        )::graphile_worker.job_spec
        from (${woken}) as woken order by endpoint_id))
    ) end as job_count`;
}

/** For deliveries that a person requested: they do not wait until a failing endpoint has rested. */
export async function wakeEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(sql`
    with woken as (
      update webhook_endpoints
      set wake_count = wake_count + 1, rests_until = null, next_due_at = app_now()
      where endpoint_id = ${endpointId} and status = 'active'
      returning endpoint_id, next_due_at, failing_since is not null as is_failing
    ) ${addDeliverJobs(sql`select * from woken`)}`);
}

/**
 * Adds missing jobs of endpoints that are overdue and unclaimed: their process died, their job was
 * lost, or the clock was moved. Returns how many it added.
 */
export async function sweepEndpoints(
  db: Queryable,
  { overdueSeconds } = { overdueSeconds: OVERDUE_SECONDS },
): Promise<number> {
  const { job_count, endpoint_count, late_seconds } = await db.one(sqlOf({
    job_count: nullable(bigint),
    endpoint_count: int,
    late_seconds: float,
  })`
    with overdue as materialized (
      select endpoint_id, next_due_at, failing_since is not null as is_failing
      from webhook_endpoints
      where next_due_at <= app_now() - make_interval(secs => ${overdueSeconds})
        and not ${IS_CLAIMED}
      order by next_due_at limit ${SWEPT_AT_ONCE_MAX}
      for no key update skip locked
    ), forgotten as materialized (
      select * from overdue
      where not exists (
        select from graphile_worker.jobs
        where key = 'webhooks ' || endpoint_id and locked_at is null
          and run_at <= clock_timestamp() and attempts = 0)
    ), jobs as (${addDeliverJobs(sql`select * from forgotten`)})
    select job_count, count(endpoint_id)::int as endpoint_count,
      coalesce(max(extract(epoch from app_now() - next_due_at)), 0)::float8 as late_seconds
    from jobs left join overdue on true group by job_count`);
  waiting.set(endpoint_count);
  late.set(late_seconds);
  return Number(job_count ?? 0n);
}

/**
 * Finds endpoints that are due and that nobody sends to: their process died, their job was lost, or
 * the clock was moved (Decision 0034). Adds the job that should have been there; the claim sees to
 * it that one too many does nothing.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, float, int, nullable } from "../../infra/db/row.ts";
import { tellWaiting } from "./delivery-metrics.ts";
import { IS_CLAIMED } from "./lease.ts";
import { addDeliverJobs } from "./wake-endpoint.ts";

/** In ordinary life its job runs before this. */
const OVERDUE_SECONDS = 1;
const ENDPOINTS_AT_ONCE_MAX = 1_000;

/** Tells how many jobs it added. */
export async function sweepEndpoints(db: Queryable): Promise<number> {
  const { job_count, endpoint_count, late_seconds } = await db.one(sqlOf({
    job_count: nullable(bigint),
    endpoint_count: int,
    late_seconds: float,
  })`
    with overdue as materialized (
      select endpoint_id, next_due_at, failing_since is not null as is_failing
      from webhook_endpoints
      where next_due_at <= app_now() - make_interval(secs => ${OVERDUE_SECONDS})
        and not ${IS_CLAIMED}
      order by next_due_at limit ${ENDPOINTS_AT_ONCE_MAX}
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
  tellWaiting({ endpoints: endpoint_count, lateSeconds: late_seconds });
  return Number(job_count ?? 0n);
}

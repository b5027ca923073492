/**
 * Says that an endpoint has something to be sent: when, and by a job of which lane (Decision 0034).
 *
 * The rule that matters: whoever makes a delivery wait counts `wake_count` in the same tx. The
 * process that holds the endpoint lets go of it only while it has seen the last count, so that
 * nothing is ever left lying between the two.
 */

import { type Sql, sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";

/** Two lanes with runners of their own: those in trouble never keep the others waiting. */
export const DELIVER_WEBHOOKS = "deliver-webhooks";
export const RETRY_WEBHOOKS = "retry-webhooks";
const JOB_TRIES_MAX = 5;

/**
 * Adds the job of each endpoint of `woken` (endpoint_id, next_due_at, is_failing), under a key, so
 * that an endpoint has one job that waits. Job runners know the real clock only, so what is due by
 * ours is told as a wait from now (Decision 0003).
 */
export function addDeliverJobs(woken: Sql): Sql {
  // Not called with nothing: it would still wake every runner of every process.
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

/** For deliveries that a person asked for: they do not wait until a failing endpoint has rested. */
export async function wakeEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(sql`
    with woken as (
      update webhook_endpoints
      set wake_count = wake_count + 1, rests_until = null, next_due_at = app_now()
      where endpoint_id = ${endpointId} and status = 'active'
      returning endpoint_id, next_due_at, failing_since is not null as is_failing
    ) ${addDeliverJobs(sql`select * from woken`)}`);
}

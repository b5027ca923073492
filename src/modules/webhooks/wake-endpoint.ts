/**
 * When an endpoint is due, and how that is seen (Decision 0034).
 *
 * Each tx that makes a delivery wait also increments `wake_count`, and sets `next_due_at`, by which
 * messengers find it. The process that holds the endpoint's lease releases it only if it has seen
 * the last count, so no delivery is left behind.
 */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { leaseEnd } from "../../infra/db/clock.ts";
import { type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { float, int } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { defineWatch } from "../../infra/jobs/watch.ts";

/** After this another process takes over from one that died; a live one renews well before. */
export const LEASE_SECONDS = 10;
/** A lease that ends later was taken before the clock was set back. It does not count. */
const LEASE_SECONDS_MAX = 2 * LEASE_SECONDS;

/** Of a row of `webhook_endpoints`; never null. */
export const IS_CLAIMED = sql`(claimed_until is not null and claimed_until > (select app_now())
  and claimed_until <= ${leaseEnd(LEASE_SECONDS_MAX)})`;

/** It is normally claimed before this. */
const OVERDUE_SECONDS = 1;
const COUNTED_MAX = 1_000;

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

/** For deliveries that a person requested: they do not wait until a failing endpoint has rested. */
export async function wakeEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints
    set wake_count = wake_count + 1, rests_until = null, next_due_at = app_now()
    where endpoint_id = ${endpointId} and status = 'active'`);
}

/** Each kind by its own index, the longest first. */
const overdue = (kind: Sql) => sql`
  select next_due_at from webhook_endpoints
  where next_due_at <= app_now() - make_interval(secs => ${OVERDUE_SECONDS})
    and ${kind} and not ${IS_CLAIMED}
  order by next_due_at limit ${COUNTED_MAX}`;

export const watchEndpoints = defineWatch({
  what: "webhooks",
  async look({ db }: Infra) {
    const found = await db.one(sqlOf({ endpoint_count: int, late_seconds: float })`
      select count(*)::int as endpoint_count,
        coalesce(max(extract(epoch from app_now() - next_due_at)), 0)::float8 as late_seconds
      from (
        (${overdue(sql`failing_since is null`)}) union all
        (${overdue(sql`failing_since is not null`)})
      ) as overdue`);
    waiting.set(found.endpoint_count);
    late.set(found.late_seconds);
  },
});

/**
 * When an endpoint is due, and when it is claimed (Decisions 0034 and 0137).
 *
 * Each tx that makes a delivery wait also increments `wake_count`, and sets `next_due_at`, by which
 * messengers find it. The process that holds the endpoint's lease releases it only if it has seen
 * the last count, so no delivery is left behind.
 */

import { leaseEnd } from "../../infra/db/clock.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";

/** After this another process takes over from one that died; a live one renews well before. */
export const LEASE_SECONDS = 10;
/** A lease that ends later was taken before the clock was set back. It does not count. */
const LEASE_SECONDS_MAX = 2 * LEASE_SECONDS;

/** Of a row of `webhook_endpoints`; never null. */
export const IS_CLAIMED = sql`(claimed_until is not null and claimed_until > (select app_now())
  and claimed_until <= ${leaseEnd(LEASE_SECONDS_MAX)})`;

/** Each kind is found by an index of its own. */
export const IS_HEALTHY = sql`failing_since is null`;
export const IS_FAILING = sql`failing_since is not null`;

/** For deliveries that a person requested: they do not wait until a failing endpoint has rested. */
export async function wakeEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints
    set wake_count = wake_count + 1, rests_until = null, next_due_at = app_now()
    where endpoint_id = ${endpointId} and status = 'active'`);
}

/** Lets an endpoint begin anew: enabled again, its failures forgotten, what waits for it due. */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { cancelDeliveries } from "./cancel-deliveries.ts";
import { EndpointIsBeingDisabled } from "./endpoint-refusals.ts";

/** More than an endpoint that only fails ever collects; what is beyond keeps its time. */
const MADE_DUE_MAX = 10_000;
/** What is under way is among the first that are due. */
const UNDER_WAY_AMONG = 1_000;

/** Of an endpoint that begins anew, or elsewhere. */
export const FORGETTING_FAILURE = sql`, failing_since = null, warned_at = null, life = life + 1`;

/** A disabled one. What waited when it was disabled is cancelled first, so nothing old is sent. */
export async function enableEndpoint(tx: Tx, endpointId: string): Promise<void> {
  if (!(await cancelDeliveries(tx, endpointId))) throw new EndpointIsBeingDisabled();
  await tx.run(sql`
    update webhook_endpoints set status = 'active', disabled_because = null ${FORGETTING_FAILURE}
    where endpoint_id = ${endpointId}`);
}

/**
 * What waited for the old address to get well need not wait for the new one. A round of its own:
 * what is under way to the old address says nothing about the new one. The count of attempts stays.
 */
export async function makeDue(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(sql`
    with found as materialized (
      (select delivery_id from webhook_deliveries
      where endpoint_id = ${endpointId} and state = 'waiting' and due_at > app_now()
      order by due_at limit ${MADE_DUE_MAX})
      union all
      select delivery_id from (
        select delivery_id, attempt_count from webhook_deliveries
        where endpoint_id = ${endpointId} and state = 'waiting' and due_at <= app_now()
        order by due_at limit ${UNDER_WAY_AMONG}) as next
      join webhook_attempts using (delivery_id)
      where attempt = attempt_count and duration_ms is null
    ), held as materialized (
      select delivery_id from webhook_deliveries
      where delivery_id in (select delivery_id from found) and state = 'waiting'
      order by sequence, delivery_id for no key update
    )
    update webhook_deliveries as one
    set due_at = least(due_at, (select app_now())), round = round + 1
    from held where one.delivery_id = held.delivery_id`);
}

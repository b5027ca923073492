/**
 * Gives an endpoint a fresh start: enabled again, its failures forgotten, or what waits for it due
 * now (Decisions 0033 and 0073).
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { cancelDeliveries } from "./cancel-deliveries.ts";
import { ENDPOINT, ENDPOINT_COLUMNS, type EndpointRow } from "./endpoint.ts";
import { EndpointIsBeingDisabled } from "./endpoint-refusals.ts";
import { wakeEndpoint } from "./wake-endpoint.ts";

/** More than a failing endpoint ever collects; the rest keeps its due time. */
const MADE_DUE_MAX = 10_000;
/** Attempts in progress are among the first that are due. */
const UNDER_WAY_AMONG = 1_000;

/** For a fresh start, or a new address. */
export const FORGET_FAILURES = sql`, failing_since = null, warned_at = null, life = life + 1`;

/** What still waits since it was disabled is cancelled first, so nothing old is sent. */
export async function enableEndpoint(tx: Tx, endpointId: string): Promise<void> {
  if (!(await cancelDeliveries(tx, endpointId))) throw new EndpointIsBeingDisabled();
  await tx.run(sql`
    update webhook_endpoints set status = 'active', disabled_because = null ${FORGET_FAILURES}
    where endpoint_id = ${endpointId}`);
}

/**
 * Makes due what waits for its retry, in a new round: the result of an attempt in progress does not
 * count any more. The number of attempts stays.
 */
export async function retryNow(tx: Tx, endpointId: string): Promise<void> {
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
  await wakeEndpoint(tx, endpointId);
}

export type Revived = "enabled" | "made due" | "is healthy" | "was disabled by its owner";

/**
 * For an operator. An endpoint that we disabled is enabled as by its owner's PATCH: nothing old is
 * sent, a replay is up to the owner. An active one is tried at once with all that waits, and has
 * its five days again. Undefined when there is no such endpoint.
 */
export async function reviveEndpoint(
  tx: Tx,
  endpointId: string,
): Promise<{ outcome: Revived; endpoint: EndpointRow } | undefined> {
  const endpoint = await tx.maybeOne(sqlOf(ENDPOINT)`
    select ${ENDPOINT_COLUMNS} from webhook_endpoints
    where endpoint_id = ${endpointId} and status <> 'deleted'
    for update`);
  return endpoint && { outcome: await revive(tx, endpoint), endpoint };
}

async function revive(tx: Tx, endpoint: EndpointRow): Promise<Revived> {
  const { endpoint_id: endpointId, status, disabled_because: because, failing_since } = endpoint;
  if (because === "asked") return "was disabled by its owner";
  if (status === "disabled") {
    await enableEndpoint(tx, endpointId);
    await tx.run(sql`
      update webhook_endpoints set changed_at = app_now() where endpoint_id = ${endpointId}`);
    return "enabled";
  }
  if (failing_since === null) return "is healthy";
  await tx.run(sql`
    update webhook_endpoints set changed_at = app_now() ${FORGET_FAILURES}
    where endpoint_id = ${endpointId}`);
  await retryNow(tx, endpointId);
  return "made due";
}

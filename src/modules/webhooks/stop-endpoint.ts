/**
 * Nothing is sent to this endpoint any more: it was deleted, disabled by its owner, or by us
 * (Decision 0033).
 *
 * The rule that matters: an attempt begins under a shared lock of the endpoint's key and this takes
 * the row for itself, so that once the stop has been answered none begins. What waits is cancelled
 * and stays so, whatever becomes of the endpoint.
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { cancelDeliveries } from "./cancel-deliveries.ts";
import { ENDPOINT, ENDPOINT_COLUMNS, type EndpointRow } from "./endpoint.ts";

export type Stop =
  | { readonly status: "deleted" }
  | { readonly status: "disabled"; readonly because: "asked" | "gone" | "failing" };

/** The endpoint as it is now; undefined when there was nothing to stop. */
export async function stopEndpoint(
  tx: Tx,
  endpointId: string,
  stop: Stop,
): Promise<EndpointRow | undefined> {
  await tx.run(sql`select from webhook_endpoints where endpoint_id = ${endpointId} for update`);
  const because = stop.status === "disabled" ? stop.because : null;
  const stopped = await tx.maybeOne(sqlOf(ENDPOINT)`
    update webhook_endpoints
    set status = ${stop.status}, disabled_because = ${because}, changed_at = app_now(),
      next_due_at = null, rests_until = null, claimed_until = null, claim_count = claim_count + 1
    where endpoint_id = ${endpointId}
      and (status = 'active' or (status = 'disabled' and ${stop.status} = 'deleted'))
    returning ${ENDPOINT_COLUMNS}`);
  if (stopped !== undefined) await cancelDeliveries(tx, endpointId);
  return stopped;
}

/**
 * Stops an endpoint: deleted, disabled by its owner, or disabled by us (Decision 0033). An attempt
 * begins under a shared lock of the endpoint's key and this locks the row exclusively, so none
 * begins once the stop was answered. What waits is cancelled for good.
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { cancelDeliveries } from "./cancel-deliveries.ts";
import {
  ENDPOINT,
  ENDPOINT_COLUMNS,
  type EndpointRow,
  holdEndpoint,
  type WantedEndpoint,
} from "./endpoint.ts";

type Stop =
  | { readonly status: "deleted" }
  | { readonly status: "disabled"; readonly because: "asked" | "gone" | "failing" };

/** Returns the endpoint as it is now; undefined when there was nothing to stop. */
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

export async function removeEndpoint(
  tx: Tx,
  caller: Caller,
  wanted: WantedEndpoint,
): Promise<void> {
  const { endpointId } = wanted;
  await holdEndpoint(tx, caller, wanted);
  await stopEndpoint(tx, endpointId, { status: "deleted" });
  await recordAudit(tx, caller, "webhook_deleted", { detail: { webhook_id: endpointId } });
}

/**
 * Sends a `webhook.test` to one endpoint: an ordinary event, in the feed too, with the same checks,
 * signature and retries. Its deliveries show whether it arrived.
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { holdEndpoint, type WantedEndpoint } from "./endpoint.ts";
import { EndpointIsDisabled } from "./endpoint-refusals.ts";
import { recordEndpointEvent } from "./failing.ts";

/** Returns the event's id. */
export async function sendTest(tx: Tx, caller: Caller, wanted: WantedEndpoint): Promise<string> {
  const row = await holdEndpoint(tx, caller, wanted, "to send");
  if (row.status !== "active") throw new EndpointIsDisabled();
  const { endpoint_id: endpointId } = row;
  const eventId = await recordEndpointEvent(tx, row, "webhook.test", {
    onlyEndpointId: endpointId,
  });
  await recordAudit(tx, caller, "webhook_tested", {
    detail: { webhook_id: endpointId, event_id: eventId },
  });
  return eventId;
}

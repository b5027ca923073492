/**
 * Sends a `webhook.test` to one endpoint: an ordinary event, in the feed too, with the same checks,
 * signature and retries. Its deliveries show whether it arrived.
 */

import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { findEndpoint, type WantedEndpoint } from "./endpoint.ts";
import { EndpointIsDisabled } from "./endpoint-refusals.ts";
import { recordEndpointEvent } from "./failing.ts";

/** Returns the event's id. */
export async function sendTest(tx: Tx, caller: Caller, wanted: WantedEndpoint): Promise<string> {
  const row = await findEndpoint(tx, caller, wanted);
  if (row.status !== "active") throw new EndpointIsDisabled();
  return recordEndpointEvent(tx, row, "webhook.test", { onlyEndpointId: row.endpoint_id });
}

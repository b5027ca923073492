/**
 * Tells one endpoint a `webhook.test`: an event like any other, in the feed too, with the same
 * guards, signature and retries. Whether it arrived is told by its deliveries.
 */

import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { recordEvent } from "../events/record-event.ts";
import { findEndpoint, viewEndpoint, type WantedEndpoint } from "./endpoint.ts";
import { EndpointIsDisabled } from "./endpoint-refusals.ts";

/** Gives the event's id. */
export async function sendTest(tx: Tx, caller: Caller, wanted: WantedEndpoint): Promise<string> {
  const row = await findEndpoint(tx, caller, wanted);
  if (row.status !== "active") throw new EndpointIsDisabled();
  return recordEvent(tx, {
    accountNumber: row.account_number,
    environment: row.environment,
    event: "webhook.test",
    resource: row.endpoint_id,
    record: viewEndpoint(row),
    onlyEndpointId: row.endpoint_id,
  });
}

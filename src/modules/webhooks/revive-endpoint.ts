/**
 * Lets an endpoint that failed begin anew, for an operator (Decision 0073). One that we disabled is
 * enabled as its owner would by PATCH: nothing old is sent, a replay is the owner's to ask for. One
 * that is still active is tried at once with all that waits for it, and has its five days again.
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { enableEndpoint, FORGETTING_FAILURE, makeDue } from "./enable-endpoint.ts";
import { ENDPOINT, ENDPOINT_COLUMNS, type EndpointRow } from "./endpoint.ts";
import { wakeEndpoint } from "./wake-endpoint.ts";

export type Revived = "enabled" | "made due" | "is healthy" | "was disabled by its owner";

/** What was done, or why nothing was; undefined when there is no such endpoint. */
export async function reviveEndpoint(
  tx: Tx,
  endpointId: string,
): Promise<{ outcome: Revived; endpoint: EndpointRow } | undefined> {
  const endpoint = await tx.maybeOne(sqlOf(ENDPOINT)`
    select ${ENDPOINT_COLUMNS} from webhook_endpoints
    where endpoint_id = ${endpointId} and status <> 'deleted'
    for update`);
  if (endpoint === undefined) return undefined;
  return { outcome: await revive(tx, endpoint), endpoint };
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
    update webhook_endpoints set changed_at = app_now() ${FORGETTING_FAILURE}
    where endpoint_id = ${endpointId}`);
  await makeDue(tx, endpointId);
  await wakeEndpoint(tx, endpointId);
  return "made due";
}

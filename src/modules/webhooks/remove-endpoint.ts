/** Deletes an endpoint. Once that is answered nothing more is sent to it (Decision 0033). */

import { recordAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import { findEndpoint, type WantedEndpoint } from "./endpoint.ts";
import { stopEndpoint } from "./stop-endpoint.ts";

export async function removeEndpoint(
  tx: Tx,
  caller: Caller,
  wanted: WantedEndpoint,
): Promise<void> {
  const { endpointId } = wanted;
  await holdCredential(tx, caller, "read");
  await findEndpoint(tx, caller, wanted, "to change");
  await stopEndpoint(tx, endpointId, { status: "deleted" });
  await recordAudit(tx, caller, "webhook_deleted", { detail: { webhook_id: endpointId } });
}

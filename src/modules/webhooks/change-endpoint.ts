/**
 * Changes where an endpoint is, what it is told and whether it is told anything (Decision 0033).
 *
 * The rule that matters: once disabling has been answered no attempt begins, because whoever begins
 * one asks this row first; and what waited is cancelled, so that enabling sends nothing old.
 */

import { recordAudit } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NothingToChange } from "../../kit/errors.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { EventName } from "../events/catalogue.ts";
import { enableEndpoint, FORGETTING_FAILURE, makeDue } from "./enable-endpoint.ts";
import {
  ENDPOINT,
  ENDPOINT_COLUMNS,
  type EndpointRow,
  findEndpoint,
  type WantedEndpoint,
} from "./endpoint.ts";
import { AddressIsTaken } from "./endpoint-refusals.ts";
import { stopEndpoint } from "./stop-endpoint.ts";
import { wakeEndpoint } from "./wake-endpoint.ts";

export const NOTHING_TO_CHANGE = "Give at least one of url, events, description and status.";

export interface EndpointChange {
  readonly url: string | undefined;
  /** Null: every event. */
  readonly events: readonly EventName[] | null | undefined;
  readonly description: string | undefined;
  readonly status: "active" | "disabled" | undefined;
}

export async function changeEndpoint(
  tx: Tx,
  caller: Caller,
  wanted: WantedEndpoint,
  change: EndpointChange,
): Promise<EndpointRow> {
  const { endpointId } = wanted;
  await holdCredential(tx, caller, "read");
  const old = await findEndpoint(tx, caller, wanted, "to change");
  const fields = Object.entries(change).filter(([, value]) => value !== undefined);
  if (fields.length === 0) throw new NothingToChange(NOTHING_TO_CHANGE);
  await recordAudit(tx, caller, "webhook_changed", {
    detail: { webhook_id: endpointId, fields: fields.map(([name]) => name) },
  });
  if (change.status !== undefined && change.status !== old.status)
    await turn(tx, endpointId, change.status);
  const isMoved = change.url !== undefined && change.url !== old.url;
  const row = await onConstraint(
    { an_account_has_an_address_once: (cause) => new AddressIsTaken(cause) },
    tx.one(sqlOf(ENDPOINT)`
      update webhook_endpoints set
        url = ${change.url ?? old.url},
        events = ${change.events === undefined ? old.events : change.events},
        description = ${change.description ?? old.description},
        changed_at = app_now()
        ${isMoved ? FORGETTING_FAILURE : sql``}
      where endpoint_id = ${endpointId}
      returning ${ENDPOINT_COLUMNS}`),
  );
  if (isMoved && row.status === "active") {
    await makeDue(tx, endpointId);
    await wakeEndpoint(tx, endpointId);
  }
  return row;
}

async function turn(tx: Tx, endpointId: string, status: "active" | "disabled"): Promise<void> {
  if (status === "disabled") {
    await stopEndpoint(tx, endpointId, { status, because: "asked" });
    return;
  }
  await enableEndpoint(tx, endpointId);
}

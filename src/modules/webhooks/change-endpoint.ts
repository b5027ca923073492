/**
 * Changes the address, filter, description or status of an endpoint (Decision 0033). No attempt
 * begins once disabling was answered, because beginning one locks this row first. What waited is
 * cancelled, so that enabling sends nothing old.
 */

import { recordAudit } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NothingToChange } from "../../kit/errors.ts";
import type { EventName } from "../events/catalogue.ts";
import { enableEndpoint, FORGET_FAILURES, retryNow } from "./enable-endpoint.ts";
import {
  ENDPOINT,
  ENDPOINT_COLUMNS,
  type EndpointRow,
  holdEndpoint,
  type WantedEndpoint,
} from "./endpoint.ts";
import { AddressIsTaken } from "./endpoint-refusals.ts";
import { stopEndpoint } from "./stop-endpoint.ts";

export const NOTHING_TO_CHANGE = "Give at least one of url, events, description and status.";

interface EndpointChange {
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
  const old = await holdEndpoint(tx, caller, wanted);
  const fields = Object.entries(change).filter(([, value]) => value !== undefined);
  if (fields.length === 0) throw new NothingToChange(NOTHING_TO_CHANGE);
  await recordAudit(tx, caller, "webhook_changed", {
    detail: { webhook_id: endpointId, fields: fields.map(([name]) => name) },
  });
  if (change.status === "disabled" && old.status !== "disabled")
    await stopEndpoint(tx, endpointId, { status: "disabled", because: "asked" });
  if (change.status === "active" && old.status !== "active") await enableEndpoint(tx, endpointId);
  const isMoved = change.url !== undefined && change.url !== old.url;
  const row = await onConstraint(
    { an_account_has_an_address_once: (cause) => new AddressIsTaken(cause) },
    tx.one(sqlOf(ENDPOINT)`
      update webhook_endpoints set
        url = ${change.url ?? old.url},
        events = ${change.events === undefined ? old.events : change.events},
        description = ${change.description ?? old.description},
        changed_at = app_now()
        ${isMoved ? FORGET_FAILURES : sql``}
      where endpoint_id = ${endpointId}
      returning ${ENDPOINT_COLUMNS}`),
  );
  if (isMoved && row.status === "active") await retryNow(tx, endpointId);
  return row;
}

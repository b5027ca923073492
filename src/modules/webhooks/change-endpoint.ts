/**
 * Changes where an endpoint is, what it is told and whether it is told anything (Decision 0033).
 *
 * The rule that matters: once disabling has been answered no attempt begins, because whoever begins
 * one asks this row first; and what waited is cancelled, so that enabling sends nothing old.
 */

import { recordDeed } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NothingToChange } from "../../kit/errors.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { EventName } from "../events/catalogue.ts";
import { cancelDeliveries } from "./cancel-deliveries.ts";
import {
  ENDPOINT_COLUMNS,
  type EndpointRow,
  findEndpoint,
  type WantedEndpoint,
} from "./endpoint.ts";
import { AddressIsTaken, EndpointIsBeingDisabled } from "./endpoint-refusals.ts";
import { stopEndpoint } from "./stop-endpoint.ts";
import { wakeEndpoint } from "./wake-endpoint.ts";

/** More than an endpoint that only fails ever collects; what is beyond keeps its time. */
const MADE_DUE_MAX = 10_000;
/** What is under way is among the first that are due. */
const UNDER_WAY_AMONG = 1_000;

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
  await recordDeed(tx, caller, "webhook_changed", {
    detail: { webhook_id: endpointId, fields: fields.map(([name]) => name) },
  });
  if (change.status !== undefined && change.status !== old.status)
    await turn(tx, endpointId, change.status);
  const isMoved = change.url !== undefined && change.url !== old.url;
  const row = await onConstraint(
    { an_account_has_an_address_once: (cause) => new AddressIsTaken(cause) },
    tx.one<EndpointRow>(sql`
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

/** Of an endpoint that begins anew, or elsewhere. */
const FORGETTING_FAILURE = sql`, failing_since = null, warned_at = null, life = life + 1`;

/**
 * What waited for the old address to get well need not wait for the new one. A round of its own:
 * what is under way to the old address says nothing about the new one. The count of attempts stays.
 */
async function makeDue(tx: Tx, endpointId: string): Promise<void> {
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
}

async function turn(tx: Tx, endpointId: string, status: "active" | "disabled"): Promise<void> {
  if (status === "disabled") {
    await stopEndpoint(tx, endpointId, { status, because: "asked" });
    return;
  }
  if (!(await cancelDeliveries(tx, endpointId))) throw new EndpointIsBeingDisabled();
  await tx.run(sql`
    update webhook_endpoints set status = 'active', disabled_because = null ${FORGETTING_FAILURE}
    where endpoint_id = ${endpointId}`);
}

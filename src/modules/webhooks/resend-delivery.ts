/**
 * Sends one delivery again, in any state: the same event under the same id, with a new time, a new
 * signature and a new round of attempts (Decision 0033). An attempt in progress belongs to the
 * round before: its failure does not count in this one.
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import { NotFound } from "../../kit/errors.ts";
import { UUID } from "../../kit/ids.ts";
import { recordResends } from "../events/record-resends.ts";
import { feedOf, holdEndpoint, type WantedEndpoint } from "./endpoint.ts";
import { EndpointIsDisabled } from "./endpoint-refusals.ts";
import { wakeEndpoint } from "./wake-endpoint.ts";

export const NEW_ROUND = sql`
  state = 'waiting', due_at = (select app_now()), round = webhook_deliveries.round + 1,
  round_attempt_count = 0, ended_at = null`;

export async function resendDelivery(
  tx: Tx,
  caller: Caller,
  wanted: WantedEndpoint & { readonly deliveryId: string },
): Promise<void> {
  const { endpointId, deliveryId } = wanted;
  const endpoint = await holdEndpoint(tx, caller, wanted, "to send");
  if (!UUID.test(deliveryId)) throw new NotFound("not the shape of an id");
  const found = await tx.maybeOne(sqlOf(pick(tables.webhook_deliveries, "event_id"))`
    select event_id from webhook_deliveries
    where delivery_id = ${deliveryId} and endpoint_id = ${endpointId}
    for update`);
  if (found === undefined) throw new NotFound("no such delivery of this endpoint");
  if (endpoint.status !== "active") throw new EndpointIsDisabled();
  await tx.run(sql`
    update webhook_deliveries set ${NEW_ROUND} where delivery_id = ${deliveryId}`);
  await recordAudit(tx, caller, "webhook_resent", {
    detail: { webhook_id: endpointId, delivery_id: deliveryId },
  });
  await wakeEndpoint(tx, endpointId);
  await recordResends(tx, feedOf(endpoint), [found.event_id]);
}

/**
 * Gives an endpoint a new secret. The old one also signs for a day, so that receivers can switch.
 * Rotating again within that day ends the oldest at once, as after a leak (Decision 0033).
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Infra } from "../../infra/context.ts";
import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller } from "../../infra/http/caller.ts";
import {
  ENDPOINT,
  ENDPOINT_COLUMNS,
  type EndpointRow,
  holdEndpoint,
  type WantedEndpoint,
} from "./endpoint.ts";
import { newSecret, sealSecret } from "./endpoint-secret.ts";

const OVERLAP_HOURS = 24;

export async function rotateSecret(
  { config }: Infra,
  tx: Tx,
  caller: Caller,
  wanted: WantedEndpoint,
): Promise<{ row: EndpointRow; secret: string }> {
  const { endpointId } = wanted;
  await holdEndpoint(tx, caller, wanted);
  const secret = newSecret();
  const { keyId, box } = sealSecret(config.wrappingKeys, endpointId, secret);
  const row = await tx.one(sqlOf(ENDPOINT)`
    update webhook_endpoints set
      previous_secret_key_id = secret_key_id, previous_secret_box = secret_box,
      previous_secret_until = real_now() + make_interval(hours => ${OVERLAP_HOURS}),
      secret_key_id = ${keyId}, secret_box = ${box}, changed_at = app_now()
    where endpoint_id = ${endpointId}
    returning ${ENDPOINT_COLUMNS}`);
  await recordAudit(tx, caller, "webhook_rotated", { detail: { webhook_id: endpointId } });
  return { row, secret };
}

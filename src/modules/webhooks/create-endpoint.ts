/** Creates an endpoint and returns its secret, which is never shown again (Decision 0033). */

import { randomUUID } from "node:crypto";
import { recordAudit } from "../../infra/audit.ts";
import type { Infra } from "../../infra/context.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, reachOf } from "../../infra/http/caller.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { EventName } from "../events/catalogue.ts";
import { ENDPOINT, ENDPOINT_COLUMNS, type EndpointRow } from "./endpoint.ts";
import { AddressIsTaken, ENDPOINTS_MAX, TooManyEndpoints } from "./endpoint-refusals.ts";
import { newSecret, sealSecret } from "./endpoint-secret.ts";

export interface NewEndpoint {
  readonly url: string;
  /** Null: every event. */
  readonly events: readonly EventName[] | null;
  readonly environment: Environment;
  readonly description: string | null;
}

export async function createEndpoint(
  { config }: Infra,
  tx: Tx,
  caller: Caller,
  wanted: NewEndpoint,
): Promise<{ row: EndpointRow; secret: string }> {
  reachOf(caller.credential, wanted.environment);
  // Held for writing, so that two requests cannot both create the last one allowed.
  await holdCredential(tx, caller, "write");
  const { accountNumber } = caller;
  const { held } = await tx.one(sqlOf({ held: int })`
    select count(*)::int as held from webhook_endpoints
    where account_number = ${accountNumber} and status <> 'deleted'`);
  if (held >= ENDPOINTS_MAX) throw new TooManyEndpoints();
  const endpointId = randomUUID();
  const secret = newSecret();
  const { keyId, box } = sealSecret(config.wrappingKeys, endpointId, secret);
  // The clock is read once, so that both times are equal.
  const row = await onConstraint(
    { an_account_has_an_address_once: (cause) => new AddressIsTaken(cause) },
    tx.one(sqlOf(ENDPOINT)`
      insert into webhook_endpoints (endpoint_id, account_number, environment, url, events,
        description, secret_key_id, secret_box, created_at, changed_at)
      select ${endpointId}, ${accountNumber}, ${wanted.environment}, ${wanted.url},
        ${wanted.events}::text[], ${wanted.description}, ${keyId}, ${box}::bytea, now, now
      from app_now() as now
      returning ${ENDPOINT_COLUMNS}`),
  );
  await recordAudit(tx, caller, "webhook_created", { detail: { webhook_id: endpointId } });
  return { row, secret };
}

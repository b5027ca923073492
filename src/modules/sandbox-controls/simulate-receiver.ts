/**
 * For a while, the deliveries of a sandbox endpoint are answered by us instead of by its receiver
 * (Decision 0102). Stored with the endpoint, so every process obeys; it ends by itself. Everything
 * else is as ever: signatures, attempts, the retry schedule, disabling.
 */

import { recordAudit } from "../../infra/audit.ts";
import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, demandSandbox } from "../../infra/http/caller.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import {
  ENDPOINT,
  ENDPOINT_COLUMNS,
  type EndpointRow,
  holdEndpoint,
} from "../webhooks/endpoint.ts";
import { SimulationRefused } from "./simulation-refused.ts";

export const RECEIVERS = ["ok", "error", "timeout", "gone"] as const;

/** Longer than the retries of a delivery go on. */
export const SIMULATED_SECONDS_MAX = 7 * 24 * 60 * 60;

export function receiverRefused(status: string): SimulationRefused {
  return new SimulationRefused("A receiver", ["active"], `the endpoint is ${status}`);
}

/** No attempt begins with the old answer once this was answered. Zero seconds end it. */
export async function simulateReceiver(
  tx: Tx,
  caller: Caller,
  wanted: {
    endpointId: string;
    environment: Environment | undefined;
    receiver: (typeof RECEIVERS)[number];
    seconds: number;
  },
): Promise<EndpointRow> {
  const { endpointId, receiver, seconds } = wanted;
  demandSandbox(caller, wanted.environment);
  const row = await holdEndpoint(tx, caller, { endpointId, environment: "sandbox" });
  if (row.status !== "active") throw receiverRefused(row.status);
  await recordAudit(tx, caller, "receiver_simulated", {
    detail: { endpoint_id: endpointId, receiver, seconds },
  });
  return tx.one(sqlOf(ENDPOINT)`
    update webhook_endpoints
    set simulated_receiver = case when ${seconds}::int > 0 then ${receiver} end,
      simulated_until = case when ${seconds}::int > 0
        then app_now() + make_interval(secs => ${seconds}) end
    where endpoint_id = ${endpointId}
    returning ${ENDPOINT_COLUMNS}`);
}

/** The jobs of the messenger. They only delegate, and end once the sending has begun (0034). */

import { defineJob, type Lane } from "../../infra/jobs/job.ts";
import type { Ward } from "./drains.ts";
import type { WebhooksContext } from "./messenger.ts";
import { DELIVER_WEBHOOKS, RETRY_WEBHOOKS } from "./wake-endpoint.ts";

/** Jobs that begin at once, not endpoints that are sent to: those have places of their own. */
const HEALTHY: Lane = { name: "healthy endpoints", concurrentMax: 100 };
const TROUBLED: Lane = { name: "endpoints in trouble", concurrentMax: 100 };

interface Payload {
  readonly endpointId?: string;
}

function beginIn(ward: Ward) {
  return async ({ messenger }: WebhooksContext, { endpointId }: Payload): Promise<void> => {
    if (endpointId !== undefined) await messenger.begin(endpointId, ward);
  };
}

export const deliverWebhooksJob = defineJob({
  name: DELIVER_WEBHOOKS,
  lane: HEALTHY,
  run: beginIn("healthy"),
});

export const retryWebhooksJob = defineJob({
  name: RETRY_WEBHOOKS,
  lane: TROUBLED,
  run: beginIn("troubled"),
});

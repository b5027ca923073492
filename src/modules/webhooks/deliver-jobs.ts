/** The jobs of the messenger. They only delegate (Decision 0034). */

import { defineJob, type Lane } from "../../infra/jobs/job.ts";
import type { WebhooksContext } from "./messenger.ts";
import { DELIVER_WEBHOOKS, RETRY_WEBHOOKS } from "./wake-endpoint.ts";

/** Endpoints that one process sends to at once. Most of the time each of them waits. */
const HEALTHY: Lane = { name: "healthy endpoints", concurrentMax: 100 };
const TROUBLED: Lane = { name: "endpoints in trouble", concurrentMax: 100 };

interface Payload {
  readonly endpointId?: string;
}

async function deliver({ messenger }: WebhooksContext, { endpointId }: Payload): Promise<void> {
  if (endpointId !== undefined) await messenger.deliver(endpointId);
}

export const deliverWebhooksJob = defineJob({
  name: DELIVER_WEBHOOKS,
  lane: HEALTHY,
  run: deliver,
});

export const retryWebhooksJob = defineJob({
  name: RETRY_WEBHOOKS,
  lane: TROUBLED,
  run: deliver,
});

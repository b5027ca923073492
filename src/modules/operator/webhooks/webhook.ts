/** A webhook endpoint as an operator reaches it: anybody's, by its id. */

import { ServiceError } from "../../../kit/errors.ts";
import { text } from "../../../kit/fields/text.ts";
import { UUID } from "../../../kit/ids.ts";
import type { AttemptRow } from "../../webhooks/delivery.ts";
import { viewEndpoint } from "../../webhooks/endpoint.ts";
import type { TroubledEndpoint } from "../../webhooks/troubled-endpoints.ts";
import { asked } from "../command.ts";

export const webhookIdField = asked(
  text({
    max: 36,
    pattern: UUID,
    patternRefusal: "The webhook id must look like 5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d.",
  }),
  "webhook_id",
  "As failing-webhooks tells it.",
);

export class UnknownWebhook extends ServiceError {
  constructor(webhookId: string) {
    super({
      status: 404,
      code: "unknown_webhook",
      message: `There is no webhook endpoint ${webhookId}.`,
    });
  }
}

/** As its owner sees it, and whose it is. */
export function viewWebhook(endpoint: TroubledEndpoint) {
  const { account_number, since, waiting } = endpoint;
  return { account_number, ...viewEndpoint(endpoint), in_trouble_since: since, waiting };
}

/** What a receiver answered, or why it did not. */
export function outcomeOf(attempt: AttemptRow | undefined): string | undefined {
  if (attempt === undefined) return undefined;
  const { failure, response_status: status, duration_ms: ms } = attempt;
  if (failure !== null) return failure;
  if (status !== null) return `status ${status}`;
  return ms === null ? "under way" : undefined;
}

export function stateOf({ status, disabled_because: because, failing_since }: TroubledEndpoint) {
  if (status === "disabled") return `disabled (${because})`;
  return failing_since === null ? "active" : "failing";
}

/** A webhook endpoint as an operator reaches it: any, by its id. */

import { NoSuchRecord } from "../../../kit/errors.ts";
import type { AttemptRow } from "../../webhooks/delivery.ts";
import { viewEndpoint } from "../../webhooks/endpoint.ts";
import type { TroubledEndpoint } from "../../webhooks/troubled-endpoints.ts";
import { uuidField } from "../fields.ts";

export const webhookIdField = uuidField("webhook", "As failing-webhooks shows it.");

export const unknownWebhook = (webhookId: string) =>
  new NoSuchRecord(`There is no webhook endpoint ${webhookId}.`);

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

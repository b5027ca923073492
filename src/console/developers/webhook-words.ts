/** How endpoints and deliveries are told of. */

import { type Html, html } from "../../kit/html.ts";
import type { DeliveryView } from "../../modules/webhooks/delivery.ts";
import type { EndpointRow } from "../../modules/webhooks/endpoint.ts";
import { badge } from "../../parts/badge.ts";
import { type Reason, reasonOf } from "./failure-words.ts";

export function endpointBadge({ status, failing_since }: EndpointRow): Html {
  if (status !== "active") return badge("plain", "Disabled");
  return failing_since === null ? badge("good", "Active") : badge("bad", "Failing");
}

export function endpointName({ description, url }: EndpointRow): string {
  return description ?? url;
}

export function eventsText({ events }: EndpointRow): string {
  if (events === null) return "Every event";
  return events.length === 1 ? (events[0] ?? "") : `${events.length} kinds of events`;
}

export function deliveryBadge({ state, attempt_count }: DeliveryView): Html {
  switch (state) {
    case "delivered":
      return badge("good", "Delivered");
    case "failed":
      return badge("bad", "Failed");
    case "cancelled":
      return badge("plain", "Cancelled");
    case "waiting":
      return attempt_count === 0 ? badge("progress", "Waiting") : badge("warn", "Will be retried");
  }
}

/** What the last attempt came to: a status, or why there was none. */
export function lastAnswer({ attempts }: DeliveryView): Html {
  const last = attempts.at(-1);
  if (last === undefined) return html``;
  if (last.response_status !== null) return html`${last.response_status}`;
  return html`${reasonOf(last)?.what ?? "Under way"}`;
}

export function lastReason({ attempts, state }: DeliveryView): Reason | undefined {
  const last = attempts.at(-1);
  return last === undefined || state === "delivered" ? undefined : reasonOf(last);
}

/** JSON as people read it; other text as it is. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

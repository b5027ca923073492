/**
 * A webhook as the service sends it. The bytes are signed as they are, and one letter of the JSON
 * is written as an escape and the next one is not: both are right, and no program that parses the
 * body writes it back like that (Decision 0110).
 */

import type { Json } from "../tool/api.ts";
import { deliveryHeaders } from "../tool/listen/sign-delivery.ts";
import { newEventId } from "./payment.ts";

export interface Webhook {
  readonly id: string;
  readonly event: string;
  readonly body: string;
}

export interface Delivery {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** Events are numbered from here on: above what a sandbox has, and higher with every exam. */
let sequence = Math.floor(Date.now() / 1000);

export function nextSequence(): number {
  sequence += 1;
  return sequence;
}

export function webhookOf(
  event: string,
  record: Record<string, Json>,
  about: { accountNumber: string; sequence: number },
): Webhook {
  const id = newEventId();
  const { transaction_id, environment, net, currency } = record;
  const body = JSON.stringify({
    id,
    api_family: "payments_api",
    event,
    sequence: about.sequence,
    occurred_at: new Date().toISOString(),
    data: { ...record, total_credited: net, currency_credited: currency },
    meta: { transaction_id, environment, account_number: about.accountNumber },
  });
  return { id, event, body: body.replace(/[^\0-\x7f]/, escaped) };
}

export function signed(webhook: Webhook, secret: string, at = new Date()): Delivery {
  return { body: webhook.body, headers: deliveryHeaders(webhook, { secret, at }) };
}

const isSignature = (name: string) => /signature$/i.test(name);

/** In both schemes, as the next two. */
export function unsigned(webhook: Webhook): Delivery {
  return withoutHeaders(webhook, isSignature);
}

export function emptySigned(webhook: Webhook): Delivery {
  const { body, headers } = signed(webhook, NO_SECRET);
  const emptied = Object.entries(headers).map(([name, value]) => [
    name,
    isSignature(name) ? "" : value,
  ]);
  return { body, headers: Object.fromEntries(emptied) };
}

/** As anybody posts JSON. */
export function bare(webhook: Webhook): Delivery {
  return withoutHeaders(webhook, (name) => name !== "content-type");
}

const NO_SECRET = "";

function withoutHeaders(webhook: Webhook, isLeftOut: (name: string) => boolean): Delivery {
  const { body, headers } = signed(webhook, NO_SECRET);
  const kept = Object.entries(headers).filter(([name]) => !isLeftOut(name));
  return { body, headers: Object.fromEntries(kept) };
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * The headers of a delivery (Interface §6, Decision 0034): those of Standard Webhooks, and those of
 * older clients. The signed text is byte for byte what is sent. Ids and times contain no dot, so no
 * character can move from one part of the signed text to the next.
 */

import assert from "node:assert/strict";
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { epochSeconds } from "../../kit/clock.ts";

const SECRET_PREFIX = "whsec_";

interface SignedParts {
  readonly eventId: string;
  readonly event: string;
  /** The time of the attempt, not of the event: receivers refuse what is old. */
  readonly at: Date;
  readonly body: string;
  /** Valid at that time, newest first. */
  readonly secrets: readonly string[];
}

export function webhookHeaders(parts: SignedParts): Record<string, string> {
  const { eventId, secrets } = parts;
  const [newest] = secrets;
  assert(newest !== undefined, "an endpoint has a secret");
  assert(!eventId.includes("."), "an event's id has no dot");
  const timestamp = String(epochSeconds(parts.at));
  const signed = `${eventId}.${timestamp}.${parts.body}`;
  return {
    ...plainHeaders({ ...parts, timestamp }),
    "webhook-signature": secrets
      .map((secret) => `v1,${standardSignature(secret, signed)}`)
      .join(" "),
    // Older clients read one value, so by the newest secret alone.
    "X-SVC-Webhook-Signature": `sha256=${hmac(newest, parts.body).toString("hex")}`,
  };
}

/** Without signatures: what may be shown of a delivery. */
export function plainHeaders(parts: {
  eventId: string;
  event: string;
  timestamp: string;
}): Record<string, string> {
  const { eventId, event, timestamp } = parts;
  return {
    "content-type": "application/json",
    "user-agent": "Windward-Webhooks/1",
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "X-SVC-Webhook-Event": event,
    "X-SVC-Webhook-Id": eventId,
    "X-SVC-Webhook-Timestamp": timestamp,
    "X-SVC-Webhook-Version": "v1",
  };
}

/**
 * Standard Webhooks keys the digest with the decoded bytes of the secret. As a key object: 9.6 µs,
 * and 29.5 with plain bytes (Node 24, 2 cores, November 2026).
 */
function standardSignature(secret: string, signed: string): string {
  assert(secret.startsWith(SECRET_PREFIX), "a secret begins with its prefix");
  const key = createSecretKey(secret.slice(SECRET_PREFIX.length), "base64");
  return hmac(key, signed).toString("base64");
}

function hmac(key: string | KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

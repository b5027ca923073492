/**
 * Headers of a delivery as the service sends them: those of Standard Webhooks, and those of older
 * clients, each with its signature (docs/interface.md §6). Written again because the package stands
 * without the service; `test/sdk/tool/parts.test.ts` holds both equal.
 */

import { createHmac, randomBytes } from "node:crypto";
import { WrongUsage } from "../tool-error.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
/** Standard Webhooks: 24 to 64 bytes in base64. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;
}

export function readSecret(text: string): string {
  if (SECRET.test(text)) return text;
  throw new WrongUsage(
    "That is not a webhook secret.",
    "It begins with whsec_, as npx windward listen prints it and an endpoint of yours has it.",
  );
}

export function deliveryHeaders(
  { id, event, body }: { id: string; event: string; body: string },
  { secret, at }: { secret: string; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
  // Older clients key the digest with the secret as it is written.
  const older = createHmac("sha256", secret).update(body);
  return {
    "content-type": "application/json",
    "user-agent": "Windward-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standard.digest("base64")}`,
    "X-SVC-Webhook-Event": event,
    "X-SVC-Webhook-Id": id,
    "X-SVC-Webhook-Timestamp": timestamp,
    "X-SVC-Webhook-Version": "v1",
    "X-SVC-Webhook-Signature": `sha256=${older.digest("hex")}`,
  };
}

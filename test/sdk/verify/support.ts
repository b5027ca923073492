/**
 * A redirect and a delivery as we send them, made here by the written rule and with Node's own
 * means: what the verifier reads must not come from the verifier.
 */

import { createHash, createHmac, randomBytes } from "node:crypto";

export const SIGNING_SECRET = "Zq7bX0uR3kLw9VtYc1DfGh5JnMp2Qs4TaEiOyB6vCxZ";
export const HASH_KEY = "hK8sD2fG5jL1zX4cV7bN0mQ3wE6rT9yU";
export const REQUESTED = "1000.00";

/** All that a check of a redirect asks for. */
export const KEYS = {
  signingSecret: SIGNING_SECRET,
  hashKey: HASH_KEY,
  requestedTotal: REQUESTED,
} as const;

export type Values = Record<string, string>;

/** 1000.00 asked for, 1036.70 paid, and everything in it that encodings stumble over. */
export const RESULT: Values = {
  status: "success",
  transaction_id: "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
  message: "[1-R00]: Transaction is approved.",
  order_id: "order 7+1",
  total: "1036.70",
  currency: "TTD",
  date: "2026-11-15T14:03:07.412Z",
  card: "visa **** 1111",
  data: '{"cart": "a+b~é", "path": "x/y"}',
};

export function signatureOf(values: Values, secret = SIGNING_SECRET): string {
  const text = Object.keys(values)
    .sort()
    .map((name) => `${name}=${formEncoded(values[name] ?? "")}`)
    .join("&");
  return createHmac("sha256", secret).update(text, "utf8").digest("hex");
}

export function md5Of(text: string): string {
  return createHash("md5").update(text).digest("hex");
}

/** The whole address of a result, with a parameter of the shop's own. */
export function redirectOf(values: Values = RESULT, secret = SIGNING_SECRET): string {
  const id = values.transaction_id ?? "";
  const hash = values.status === "success" ? { hash: md5Of(id + REQUESTED + HASH_KEY) } : {};
  return addressOf({ ...values, ...hash, signature: signatureOf(values, secret) });
}

export function addressOf(values: Values): string {
  const query = Object.entries(values).map(([name, value]) => `${name}=${formEncoded(value)}`);
  return `https://shop.example/paid?shelf=7&${query.join("&")}#top`;
}

/** What was sent, with something done to it. */
export function changedRedirect(changes: Record<string, string | undefined>): string {
  const values = Object.fromEntries(new URL(redirectOf()).searchParams);
  delete values.shelf;
  const all = Object.entries({ ...values, ...changes });
  const kept = all.filter((each): each is [string, string] => each[1] !== undefined);
  return addressOf(Object.fromEntries(kept));
}

/** application/x-www-form-urlencoded, byte by byte. */
function formEncoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) => {
    const char = String.fromCharCode(byte);
    if (/[A-Za-z0-9*._-]/.test(char)) return char;
    return char === " " ? "+" : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
/** With signs in it that only the standard alphabet of base64 has. */
const KEY_BYTES = Buffer.from([251, 255, 190, ...Array(29).fill(63)]);
export const SECRET = `whsec_${KEY_BYTES.toString("base64")}`;
export const SENT_AT = new Date("2026-11-15T14:03:10Z");

export const BODY = JSON.stringify({
  id: "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
  api_family: "payments_api",
  event: "payment.success",
  sequence: 18,
  occurred_at: "2026-11-15T14:03:07.412Z",
  data: {
    transaction_id: RESULT.transaction_id,
    order_id: "order/7",
    total: "1000.00",
    customer_total: "1036.70",
    customer: { email: "anika+1@example.com", fname: "Anika", lname: "Méndez" },
    data: "a+b",
    created_at: "2026-11-15T14:03:07.412Z",
  },
  meta: {
    transaction_id: RESULT.transaction_id,
    environment: "sandbox",
    account_number: "1234567890",
  },
});

/** The same with the fields of everything in it the other way round. */
export function turned(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, each]) => [name, turned(each)]));
}

export function webhookSignature(body: string, timestamp: string, secret = SECRET): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const id = "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70";
  return createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
}

export function deliveryHeaders(secrets: readonly string[] = [SECRET], body = BODY): Values {
  const timestamp = String(SENT_AT.getTime() / 1000);
  const [newest = ""] = secrets;
  return {
    "content-type": "application/json",
    "webhook-id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets
      .map((secret) => `v1,${webhookSignature(body, timestamp, secret)}`)
      .join(" "),
    "X-SVC-Webhook-Id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
    "X-SVC-Webhook-Timestamp": timestamp,
    "X-SVC-Webhook-Signature": `sha256=${createHmac("sha256", newest).update(body).digest("hex")}`,
  };
}

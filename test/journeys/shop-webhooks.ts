/** Webhooks as a shop may get them, signed by the test: late, at the same time, in part. */

import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";

export interface WebhookShop {
  readonly url: string;
  readonly secret: string;
  /** The id of the payment that the shop requested for an order. */
  transactionIdOf(order: string): Promise<string>;
}

interface Story {
  readonly told: readonly [event: string, sequence: number, refunded?: string][];
  readonly becomes: { readonly state: string; readonly shipped: number };
}

const STORIES: Readonly<Record<string, Story>> = {
  "a success that comes after a request for a refund still ships": {
    told: [
      ["payment.refund_requested", 12],
      ["payment.success", 11],
    ],
    becomes: { state: "paid", shipped: 1 },
  },
  "a refund of a part leaves the order paid": {
    told: [
      ["payment.success", 11],
      ["payment.refunded", 13, "5.00"],
    ],
    becomes: { state: "paid", shipped: 1 },
  },
  "a chargeback that is released leaves the order paid": {
    told: [
      ["payment.success", 11],
      ["payment.chargeback_pending", 12],
      ["payment.chargeback_released", 13],
    ],
    becomes: { state: "paid", shipped: 1 },
  },
  "an old chargeback does not undo its release": {
    told: [
      ["payment.success", 11],
      ["payment.chargeback_released", 13],
      ["payment.chargeback_pending", 12],
    ],
    becomes: { state: "paid", shipped: 1 },
  },
};

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const ODD: readonly [path: string, init?: RequestInit][] = [
  ["/paid?order_id[]=x"],
  ["/orders?order_id[]=x"],
  ["/buy", { method: "POST", headers: FORM, body: "item[]=1" }],
  ["/webhook", { method: "POST", body: "{}" }],
  ["/webhook", { method: "POST", body: "{}", headers: { "webhook-timestamp": "9".repeat(5_000) } }],
];

/** Nothing breaks by what strangers send. */
export async function expectOddAnswered({ url }: Pick<WebhookShop, "url">): Promise<void> {
  for (const [path, init = {}] of ODD) {
    const { status } = await fetch(`${url}${path}`, init);
    assert(status < 500, `${path} was answered with ${status}`);
  }
}

export async function expectSteadyOrders(shop: WebhookShop): Promise<void> {
  for (const [name, { told, becomes }] of Object.entries(STORIES)) {
    const deliver = await openOrder(shop);
    for (const each of told) await deliver(...each);
    assert.deepEqual(await deliver.report(), becomes, name);
  }
  const deliver = await openOrder(shop);
  await Promise.all(Array.from({ length: 8 }, () => deliver("payment.success", 11)));
  assert.deepEqual(
    await deliver.report(),
    { state: "paid", shipped: 1 },
    "eight at once ship once",
  );
}

async function openOrder({ url, secret, transactionIdOf }: WebhookShop) {
  const body = new URLSearchParams({ item: "0" });
  const ordersOf = async () => (await (await fetch(`${url}/orders`)).json()) as { id: string }[];
  const before = new Set((await ordersOf()).map(({ id }) => id));
  await fetch(`${url}/buy`, { method: "POST", body, redirect: "manual" });
  const order = (await ordersOf()).find(({ id }) => !before.has(id))?.id ?? "";
  const transaction_id = await transactionIdOf(order);

  async function deliver(event: string, sequence: number, refunded = "0.00"): Promise<void> {
    const data = { transaction_id, order_id: order, customer_total: "26.58" };
    const sent = signed({ event, sequence, data: { ...data, refunded_total: refunded } }, secret);
    const answer = await fetch(`${url}/webhook`, { method: "POST", ...sent });
    assert(answer.ok, await answer.text());
  }
  async function report() {
    const answer = await fetch(`${url}/orders?order_id=${order}`);
    const { state, shipped } = (await answer.json()) as Record<string, unknown>;
    return { state, shipped };
  }
  return Object.assign(deliver, { report });
}

function signed(
  { event, sequence, data }: { event: string; sequence: number; data: Record<string, string> },
  secret: string,
): { headers: Record<string, string>; body: string } {
  const id = randomUUID();
  const { transaction_id } = data;
  const meta = { transaction_id, environment: "sandbox", account_number: "1234567890" };
  const at = { api_family: "payments_api", occurred_at: new Date().toISOString() };
  const body = JSON.stringify({ id, event, sequence, ...at, data, meta });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${digest}`,
  };
  return { headers, body };
}

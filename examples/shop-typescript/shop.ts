/**
 * A small complete shop: a page with goods, payments by Windward, every order shipped once.
 * An order is paid only by what Windward has signed: the result that the customer's browser brings,
 * or a webhook. Either may come first, twice, late or never.
 */

import { randomBytes } from "node:crypto";
import * as sdk from "@windward/sdk";
import Fastify from "fastify";

const { env } = process;
const PORT = Number(env.PORT ?? 4000);
const SHOP = `http://localhost:${PORT}`;
/** The demo merchant's, which every `npm start` of Windward has. */
const ACCOUNT = env.WINDWARD_ACCOUNT ?? "1234567890";
const SIGNING_SECRET = env.WINDWARD_SIGNING_SECRET ?? "sandbox-signing-secret";
/** Of the webhook endpoint, or of `windward listen` and `windward exam`. */
const WEBHOOK_SECRET = env.WINDWARD_WEBHOOK_SECRET ?? "whsec_c2VhLWdyYXBlLWJvb2tzLXdlYmhvb2tz";
const windward = sdk.createWindward({ baseUrl: env.WINDWARD_URL ?? "http://localhost:3000" });

const GOODS: readonly [name: string, price: string][] = [
  ["Pepper sauce", "25.00"],
  ["A history of Tobago", "100.00"],
];
/** What an event makes of an order, if it is newer than the last one that did. */
const STATES: Readonly<Record<string, Order["state"]>> = {
  "payment.refunded": "refunded",
  "payment.chargeback_pending": "disputed",
  "payment.fraud_confirmed": "disputed",
  "payment.chargeback_released": "paid",
};

export interface Order extends Readonly<Record<"id" | "item" | "total", string>> {
  /** Of the payment that this shop requested: anybody may request another under our order id. */
  readonly transactionId: string;
  state: "unpaid" | "paid" | "refunded" | "disputed";
  shipped: number;
  /** Of the event that made the state. */
  sequence: number;
}

type Headers = NodeJS.Dict<string | string[]>;
type ByOrder = { Querystring: { order_id?: string } };

/** What it believes, and does then (Decision 0111). The shops of ../broken get one rule wrong. */
export const rules = {
  async isPaid(address: string, { transactionId }: Order): Promise<boolean> {
    const checks = { signingSecret: SIGNING_SECRET, transactionId };
    return (await sdk.verifyRedirect(address, checks)).status === "success";
  },

  async readWebhook(body: Buffer, headers: Headers): Promise<sdk.WebhookEvent> {
    return (await sdk.verifyWebhook(body, headers, WEBHOOK_SECRET)).event;
  },

  async handle(order: Order, { event, sequence, data }: sdk.WebhookEvent): Promise<void> {
    if (data.transaction_id !== order.transactionId) return;
    if (event === "payment.success") pay(order);
    const state = STATES[event];
    const isPart = event === "payment.refunded" && data.refunded_total !== data.customer_total;
    if (state === undefined || isPart || sequence <= order.sequence) return;
    Object.assign(order, { state, sequence });
  },
};

/** Result and webhook both lead here; the first one ships. */
function pay(order: Order): void {
  if (order.state !== "unpaid") return;
  Object.assign(order, { state: "paid", shipped: order.shipped + 1 });
}

export async function startShop(own: typeof rules = rules): Promise<void> {
  const orders = new Map<string, Order>();
  const app = Fastify();
  // Every body stays as it came: a webhook is signed over its bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  app.setErrorHandler((error, _, reply) =>
    reply.code(error instanceof sdk.VerificationError ? 400 : 500).send(String(error)),
  );
  app.get("/", (_, reply) => reply.type("text/html").send(page("Sea Grape Books", FRONT)));

  app.post("/buy", async ({ body }, reply) => {
    const [item = "", total] =
      GOODS[Number(new URLSearchParams(String(body)).get("item") ?? -1)] ?? [];
    if (total === undefined) return reply.code(404).send();
    const id = `shop-${randomBytes(5).toString("hex")}`;
    const asked = await requestPayment(id, item, total);
    const order = { id, item, total, transactionId: asked.transaction_id };
    orders.set(id, { ...order, state: "unpaid", shipped: 0, sequence: 0 });
    return reply.redirect(asked.url, 303);
  });

  app.get<ByOrder>("/paid", async ({ url, query }, reply) => {
    const order = orders.get(query.order_id ?? "");
    if (order === undefined) return reply.code(404).send();
    if (await own.isPaid(url, order)) pay(order);
    const title = order.state === "unpaid" ? "Not paid. Try again." : "Thank you, it is paid.";
    const words = `${order.item}, TTD ${order.total}. Order ${order.id}.`;
    const content = `<p>${words}</p><p><a href="/">Back to the shop</a></p>`;
    return reply.type("text/html").send(page(title, content));
  });

  app.post<{ Body: Buffer }>("/webhook", async (request, reply) => {
    const event = await own.readWebhook(request.body, request.headers);
    const order = orders.get(String(event.data.order_id));
    if (order !== undefined) await own.handle(order, event);
    return reply.code(204).send();
  });

  // For `windward exam` and `npm run orders`. A real shop shows this to nobody.
  app.get<ByOrder>("/orders", async ({ query: { order_id: wanted } }, reply) => {
    const found = wanted === undefined ? [...orders.values()] : orders.get(wanted);
    return found ?? reply.code(404).send();
  });

  await app.listen({ host: "127.0.0.1", port: PORT });
  process.stdout.write(`The shop is open: ${SHOP}\n`);
}

async function requestPayment(order_id: string, description: string, total: string) {
  const fields = {
    account_number: ACCOUNT,
    country_code: "TT",
    currency: "TTD",
    description,
    environment: "sandbox",
    fee_structure: "customer_pay",
    method: "credit_card_co",
    origin: "shop-typescript",
    order_id,
    response_url: `${SHOP}/paid`,
    total,
  } as const;
  const body = await sdk.signPaymentRequest(fields, SIGNING_SECRET);
  return windward.POST("/plugins/payments/request", { body });
}

const shelf = GOODS.map(
  ([name, price], at) =>
    `<li>${name}, TTD ${price} <button name="item" value="${at}">Buy</button></li>`,
).join("");
const FRONT = `<form method="post" action="/buy"><ul>${shelf}</ul></form>`;
const page = (title: string, content: string) => `<!doctype html><html lang="en">
<meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body { font: 1.1rem/1.5 system-ui; max-width: 34rem; margin: auto; padding: 1rem }
li { padding: 0.5rem } button { font: inherit; min-height: 3rem; padding: 0 1.5rem }
</style><main><h1>${title}</h1>${content}</main>`;

if (import.meta.main) await startShop();

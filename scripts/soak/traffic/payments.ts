/** Customers who pay: asked for by the merchant, on the page by its own forms, to the end. */

import { asForm, minimal, PATH } from "../../../testkit/payment-requests.ts";
import { type Client, type Environment, expectStatus, write } from "./client.ts";
import { pageAt, visitPage } from "./page.ts";
import type { WireRequest } from "./wire.ts";

export const RESPONSE_URL = "https://shop.example/paid?cart=7";
const LIVE_PERCENT = 15;
const ENDS = { pays: 50, "goes back": 7, leaves: 43 };
const TOTAL = 1_000;

export async function askForPayment(client: Client): Promise<void> {
  await pay(client, client.chance.percent(LIVE_PERCENT) ? "live" : "sandbox");
}

export async function pay(client: Client, environment: Environment): Promise<void> {
  const { chance } = client;
  const order = await askForOrder(client, environment);
  const end = chance.weigh(ENDS);
  if (order === undefined || end === "leaves") return;
  const { id, path } = order;
  const paysWith = end === "pays" ? "a card" : "nothing";
  const isLive = environment === "live" && client.hasAcquirer;
  const result = await visitPage(client, { path, paysWith, isLive });
  if (result?.get("status") === "success" && (environment === "sandbox" || isLive))
    client.paid.push({ id, left: TOTAL / 2, environment });
}

/** Where it is to be paid; undefined when no answer came. */
export async function askForOrder(
  client: Client,
  environment: Environment,
): Promise<{ id: string; path: string } | undefined> {
  const { chance, diary, me } = client;
  const orderId = client.word();
  const fields = minimal(me.accountNumber, {
    country_code: me.countryCode,
    currency: me.currency,
    environment,
    fee_structure: chance.pick(["customer_pay", "merchant_absorb", "split"]),
    method: chance.pick(["credit_card_co", "3co_simple"]),
    order_id: orderId,
    response_url: RESPONSE_URL,
    total: TOTAL.toFixed(2),
    data: orderId,
  });
  const body = chance.percent(50) ? { json: fields } : { form: asForm(fields) };
  const asked: WireRequest = { method: "POST", path: PATH, ...body, idempotencyKey: orderId };
  const outcome = await write(client, "payment asked for", asked);
  expectStatus(client, asked, outcome, [200]);
  const { answer } = outcome;
  if (answer?.status !== 200) return undefined;
  const id: string = answer.body.transaction_id;
  diary.addPayment(id, { accountNumber: me.accountNumber, environment, orderId, data: orderId });
  return { id, path: pageAt(client, answer.body.url) };
}

/**
 * Customers who pay: the order is asked for by the merchant, the page read, a card submitted. The
 * shop's own request comes on its customer's connection: one client less for each.
 */

import { PATH } from "../../testkit/payment-requests.ts";
import { until } from "../../testkit/until.ts";
import { type Connection, openConnection, requestText } from "./connection.ts";
import { ORDER } from "./open-checkout.ts";

const CUSTOMERS = 32;
const ARRIVAL_SECONDS_MAX = 60;
/** Of each checkout: that it began and that it was paid. */
const EVENTS = 2;
const CARD = {
  attempts: "0",
  number: "4111111111111111",
  expiry: "12/39",
  cvv: "123",
  holder: "Anika Mohammed",
};

export interface Till {
  readonly url: string;
  readonly merchants: readonly string[];
  /** One of them that has no endpoint, and is sent nothing. */
  readonly silent?: string;
  /** Every event that arrived. */
  readonly arrived: ReadonlyMap<string, number>;
}

export interface Paid {
  readonly paid: number;
  readonly perSecond: number;
}

/** Until the last event has arrived. */
export async function buyFor(
  { url, merchants, silent, arrived }: Till,
  seconds: number,
): Promise<Paid> {
  const arrivedBefore = arrived.size;
  const beganAt = performance.now();
  const endsAt = beganAt + seconds * 1_000;
  let asked = 0;
  let paid = 0;
  let toldPaid = 0;
  const buy = async () => {
    const customer = openConnection(url);
    try {
      while (performance.now() < endsAt) {
        const merchant = merchants[paid % merchants.length] ?? "";
        const order = { merchant, orderId: `o-${Math.floor(beganAt)}-${++asked}` };
        await payOrder(customer, await askForOrder(customer, url, order));
        paid += 1;
        if (merchant !== silent) toldPaid += 1;
      }
    } finally {
      customer.close();
    }
  };
  await Promise.all(Array.from({ length: CUSTOMERS }, buy));
  const haveArrived = () => arrived.size - arrivedBefore >= toldPaid * EVENTS;
  await until(haveArrived, "webhooks have arrived", ARRIVAL_SECONDS_MAX, { pauseMs: 5 });
  return { paid, perSecond: (paid / (performance.now() - beganAt)) * 1_000 };
}

/** Where its page is, here and for browsers, and all that the merchant was answered. */
export interface OrderPage {
  readonly url: string;
  readonly origin: string;
  readonly text: string;
}

export async function askForOrder(
  customer: Connection,
  base: string,
  { merchant, orderId }: { merchant: string; orderId: string },
): Promise<OrderPage> {
  const order = { ...ORDER, account_number: merchant, order_id: orderId };
  const headers = { "content-type": "application/json" };
  const request = requestText(base + PATH, { headers, body: JSON.stringify(order) });
  const { status, body: text } = await customer.ask(request);
  if (status !== 200) throw new Error(`a payment request was refused: ${text}`);
  const { origin, pathname } = new URL(JSON.parse(text).url);
  return { url: base + pathname, origin, text };
}

/** Gives the page. */
export async function payOrder(customer: Connection, { url, origin }: OrderPage): Promise<string> {
  const page = await customer.ask(requestText(url));
  if (page.status !== 200) throw new Error(`a payment page was answered ${page.status}`);
  const formToken = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
  const body = new URLSearchParams({ form_token: formToken, ...CARD }).toString();
  const form = {
    origin,
    "sec-fetch-site": "same-origin",
    "content-type": "application/x-www-form-urlencoded",
  };
  const paid = await customer.ask(requestText(url, { headers: form, body }));
  if (!/\r\nlocation: [^\r]*status=success/i.test(paid.head))
    throw new Error(`a checkout ended with ${paid.status}`);
  return page.body;
}

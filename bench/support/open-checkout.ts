/** Asks for a payment as a shop does, and tells where its page is on this machine. */

import type { Stage } from "./stage.ts";

/** The demo merchant's, to be paid in its own currency; a scene adds the order's id. */
export const ORDER = {
  account_number: "1234567890",
  country_code: "TT",
  currency: "TTD",
  environment: "sandbox",
  fee_structure: "customer_pay",
  method: "credit_card_co",
  origin: "bench",
  response_url: "https://shop.example/paid?cart=7",
  total: "100.00",
  email: "customer@example.com",
};

export const ORDER_PATH = "/plugins/payments/request";

export interface Opened {
  /** As the shop is told: its origin is the one that the page knows itself by. */
  readonly publicUrl: string;
  readonly url: string;
  readonly transactionId: string;
  readonly text: string;
}

export async function openCheckout(
  { service }: Stage,
  { merchant, orderId }: { merchant?: string; orderId: string },
): Promise<Opened> {
  const asked = await fetch(`${service.url}${ORDER_PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...ORDER,
      order_id: orderId,
      ...(merchant === undefined ? {} : { account_number: merchant }),
    }),
  });
  const text = await asked.text();
  if (asked.status !== 200) throw new Error(`a payment request was refused: ${text}`);
  const { url: publicUrl, transaction_id: transactionId } = JSON.parse(text);
  const url = new URL(new URL(publicUrl).pathname, service.url).href;
  return { publicUrl, url, transactionId, text };
}

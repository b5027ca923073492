/** Requests a payment as a shop does; gives the address of its page on this machine. */

import { minimal, PATH } from "../../testkit/payment-requests.ts";
import type { Stage } from "./stage.ts";

/** The demo merchant's, to be paid in its own currency; a scene gives the order its id. */
export const ORDER = minimal("1234567890", { origin: "bench" });

export interface Opened {
  readonly url: string;
  readonly transactionId: string;
  readonly text: string;
}

export async function openCheckout(
  { service }: Stage,
  { orderId }: { orderId: string },
): Promise<Opened> {
  const response = await fetch(`${service.url}${PATH}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...ORDER, order_id: orderId }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`a payment request was refused: ${text}`);
  const { url: publicUrl, transaction_id: transactionId } = JSON.parse(text);
  const url = new URL(new URL(publicUrl).pathname, service.url).href;
  return { url, transactionId, text };
}

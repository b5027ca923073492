/** The honest clients of a stage: what they read and order, and how often. */

import { PATH } from "../../testkit/payment-requests.ts";
import { honestLoad, type Sample } from "./honest-load.ts";
import { ORDER, openCheckout } from "./open-checkout.ts";
import type { Stage } from "./stage.ts";

const PER_SECOND = 100;

export type HonestClients = (seconds: number) => Promise<Sample[]>;

export async function honestClients(stage: Stage): Promise<HonestClients> {
  const { transactionId } = await openCheckout(stage, { orderId: `honest-${Date.now()}` });
  return (seconds) =>
    honestLoad({
      url: stage.service.url,
      seconds,
      perSecond: PER_SECOND,
      token: stage.token,
      reads: ["/auth/whoami", `/transactions/${transactionId}`],
      orders: { path: PATH, order: ORDER },
    });
}

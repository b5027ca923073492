/** Payments in every state that there is, each made in the real way. */

import assert from "node:assert/strict";
import { giveUp } from "../../../src/modules/checkout/session/end-sessions.ts";
import {
  confirmFraud,
  openChargeback,
  settleChargeback,
} from "../../../src/modules/transactions/dispute.ts";
import { settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import {
  CARDS,
  look,
  type Order,
  openOrder,
  submit,
  sweep,
} from "../../../testkit/checkout-sessions.ts";
import type { TestAnswer, TestService } from "../../../testkit/service.ts";
import type { Shop } from "../../../testkit/transactions.ts";
import { refundOf } from "../../api/transactions/refund-support.ts";

export const ON_PAPER = { by: "ria", why: "case 4711" };

export interface Scene {
  readonly service: TestService;
  readonly shop: Shop;
}

type Way = (scene: Scene, order: Order) => Promise<unknown>;

const then =
  (...ways: readonly Way[]): Way =>
  async (scene, order) => {
    for (const way of ways) await way(scene, order);
  };

let customers = 0;
/** Each customer has an address of their own: limits on card testing are not what is tried here. */
export const submitted =
  (card: keyof typeof CARDS): Way =>
  ({ service }, order) => {
    customers += 1;
    const address = `198.51.${Math.floor(customers / 250)}.${customers % 250}`;
    return submit(service, order, CARDS[card], { address });
  };
export const paid = submitted("approved");
export const refunded =
  (amount?: string): Way =>
  async ({ service }, order) => {
    const refundId = await refundOf(service, order, amount);
    await settleRefund(service.ctx, refundId);
  };
export const gaveUp: Way = async ({ service }, order) =>
  giveUp(service.ctx, await look(service, order));
export const timePasses =
  (seconds: number): Way =>
  async ({ service }) => {
    await service.clock.advance({ seconds });
    await sweep(service);
  };
export const disputed: Way = ({ service }, { id: transactionId }) =>
  service.ctx.db.transaction((tx) => openChargeback(tx, { transactionId, ...ON_PAPER }));
export const settled =
  (outcome: "processed" | "released"): Way =>
  ({ service }, { id: transactionId }) =>
    service.ctx.db.transaction((tx) =>
      settleChargeback(tx, { transactionId, ...ON_PAPER, outcome }),
    );
export const fraud: Way = ({ service }, { id: transactionId }) =>
  service.ctx.db.transaction((tx) => confirmFraud(tx, { transactionId, ...ON_PAPER }));
const asked =
  (amount?: string): Way =>
  ({ service }, order) =>
    refundOf(service, order, amount);

/** How each is reached from an open payment. */
export const STATES = {
  created: then(),
  "card declined": submitted("declined"),
  "challenge open": submitted("asked"),
  "outcome unknown": submitted("unknownThenApproved"),
  "gateway down": submitted("down"),
  paid,
  failed: then(submitted("declined"), gaveUp),
  "never answered": then(submitted("late"), timePasses(211)),
  "refund under way": then(paid, asked("10.98")),
  "refund of all under way": then(paid, asked()),
  "refunded in part": then(paid, refunded("10.00")),
  refunded: then(paid, refunded()),
  "refund rejected": then(paid, refunded("10.98")),
  disputed: then(paid, disputed),
  "disputed beside a refund": then(paid, asked("10.98"), disputed),
  "charged back": then(paid, disputed, settled("processed")),
  "charged back beside a refund": then(paid, asked("10.98"), disputed, settled("processed")),
  "dispute released": then(paid, disputed, settled("released")),
  fraud: then(paid, fraud),
} as const satisfies Record<string, Way>;

export type State = keyof typeof STATES;

export async function paymentThatIs(scene: Scene, state: State): Promise<Order> {
  const order = await openOrder(scene.service, { shop: scene.shop });
  await STATES[state](scene, order);
  return order;
}

export function simulate(
  { service, shop }: Scene,
  { id }: Pick<Order, "id">,
  json: object,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const path = `/sandbox/transactions/${id}/simulate`;
  return service.request(path, { method: "POST", token: shop.token, json, headers });
}

/** Expects a yes, with the record that a read gives. */
export async function happens(scene: Scene, order: Order, json: object): Promise<void> {
  const answer = await simulate(scene, order, json);
  assert.equal(answer.status, 200, answer.text);
  const read = await scene.service.request(`/transactions/${order.id}`, {
    token: scene.shop.token,
  });
  assert.deepEqual(answer.body, read.body);
}

/**
 * Live orders on the fake acquirer, each brought to the moment before a process does something
 * about it; and the time after, in which somebody else brings all of them to an end.
 */

import assert from "node:assert/strict";
import { sql } from "../../src/infra/db/query.ts";
import { claimDue, settleAttempt } from "../../src/modules/checkout/session/ask-gateway.ts";
import { completeChallenge } from "../../src/modules/checkout/session/complete-challenge.ts";
import { settleRefund } from "../../src/modules/transactions/settle-refunds.ts";
import { look, type Order, openByRequest, submit, sweep } from "../../testkit/checkout-sessions.ts";
import { NO_LIMITS } from "../../testkit/no-limits.ts";
import { minimal } from "../../testkit/payment-requests.ts";
import type { PowertranzFake } from "../../testkit/powertranz/fake.ts";
import { startFakeProcess } from "../../testkit/powertranz/fake-process.ts";
import type { Endpoint, Fault } from "../../testkit/powertranz/faults.ts";
import { undecidedIn } from "../../testkit/powertranz/live-truth.ts";
import { playBrowser } from "../../testkit/powertranz/play-browser.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { returnChecks, sweepRefunds } from "../../testkit/sweeps.ts";
import { openShop } from "../../testkit/transactions.ts";
import { askToSave, savedOf, verify } from "../../testkit/trusted-cards.ts";
import { until } from "../../testkit/until.ts";
import type { LiveOrder } from "./live-lanes.ts";

export interface Scene {
  readonly service: TestService;
  readonly fake: PowertranzFake;
}

export interface OpenScene extends Scene {
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

type ShopOrder = LiveOrder & Order;

const ASKED = "4012000000020006";
const PACE_SECONDS = 5;
const ADDRESS = "203.0.113.250";

export async function openScene(more: Record<string, string> = {}): Promise<OpenScene> {
  const fake = await startFakeProcess();
  await fake.control.set({ centsDecide: false });
  const { url, id, password } = fake;
  const account = { POWERTRANZ_ID: id, POWERTRANZ_PASSWORD: password };
  const settings = { ...NO_LIMITS, POWERTRANZ_URL: url, ...account, ...more };
  const service = await startService({ settings });
  return {
    service,
    fake,
    settings,
    async close() {
      await service.stop();
      await fake.stop();
    },
  };
}

/** So many, and so long ago. */
export const several =
  (make: (scene: Scene) => Promise<LiveOrder>, seconds = 0) =>
  async (scene: Scene, count: number): Promise<LiveOrder[]> => {
    const orders: LiveOrder[] = [];
    while (orders.length < count) orders.push(await make(scene));
    await wait(scene, seconds);
    return orders;
  };

/** Both clocks. */
export async function wait({ service, fake }: Scene, seconds: number): Promise<void> {
  await service.clock.advance({ seconds });
  await fake.control.advance(seconds);
}

/** Of a shop of its own: a lane that stands still in a tx may hold what its shop owns. */
export async function newOrder({ service }: Scene): Promise<ShopOrder> {
  const shop = await openShop(service);
  const fields = minimal(shop.accountNumber, { environment: "live" });
  const { id, token } = await openByRequest(service, shop, fields);
  return { id, token, shop, number: ASKED };
}

/** The customer has been at the bank, and the browser is about to post the result. */
export async function askedOrder(scene: Scene): Promise<ShopOrder> {
  const order = await newOrder(scene);
  const { service } = scene;
  await submit(service, order, ASKED);
  const html = await service.ctx.gateways.live?.challengeDocument(await saleOf(scene, order));
  const { fields } = await playBrowser(html ?? "");
  return { ...order, posted: fields };
}

/** The sale that was sent last. */
async function saleOf({ service }: Scene, { id }: LiveOrder): Promise<string> {
  const { reference } = await service.ctx.db.one<{ reference: string }>(sql`
    select reference from powertranz_sales where transaction_id = ${id}
    order by began_at desc limit 1`);
  return reference;
}

async function orderFault(
  scene: Scene,
  order: LiveOrder,
  fault: { kind: Fault["kind"]; endpoint: Endpoint; times?: "always" },
): Promise<string> {
  const transactionIdentifier = await saleOf(scene, order);
  await scene.fake.control.fault({ ...fault, transactionIdentifier });
  return transactionIdentifier;
}

async function comeBack({ service }: Scene, order: ShopOrder): Promise<void> {
  const session = await look(service, order);
  const posted = order.posted ?? {};
  await completeChallenge(service.ctx, { session, posted, address: ADDRESS });
}

async function paidOrder(scene: Scene): Promise<ShopOrder> {
  const order = await askedOrder(scene);
  await comeBack(scene, order);
  return { ...order, saleReference: await saleOf(scene, order) };
}

/** Its completion was lost: `cut-after` with the charge, `cut-before` without. */
export async function lostOrder(
  scene: Scene,
  kind: "cut-before" | "cut-after",
): Promise<LiveOrder> {
  const order = await askedOrder(scene);
  await orderFault(scene, order, { kind, endpoint: "spi/payment" });
  await comeBack(scene, order);
  return order;
}

/** Charged, found out after the session had ended without a known outcome: voids are due. */
export async function lateOrders(scene: Scene, count: number): Promise<LiveOrder[]> {
  const { service, fake } = scene;
  const orders: LiveOrder[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const order = await lostOrder(scene, "cut-after");
    // An answer, though it says nothing: without one the acquirer would soon count as down.
    const fault = { kind: "iso-96-without-effect", endpoint: "lookup", times: "always" } as const;
    await orderFault(scene, order, fault);
    orders.push(order);
  }
  for (const seconds of [181, 31]) {
    await wait(scene, seconds);
    await sweep(service);
  }
  await fake.control.send({ clearFaults: true });
  await wait(scene, 250);
  for (const claimed of await claimDue(service.ctx, count))
    await settleAttempt(service.ctx, claimed);
  const due = await service.ctx.db.rows(sql`
    select from checkout_attempts where state = 'void_due'`);
  assert.equal(due.length, count, "every late approval is to be voided");
  return orders;
}

export async function refundedOrder(
  scene: Scene,
  lost?: "cut-before" | "cut-after",
): Promise<LiveOrder> {
  const { service } = scene;
  const order = await paidOrder(scene);
  const path = `/transactions/${order.id}/refund`;
  const asked = { method: "POST", token: order.shop.token, json: { amount: "40.00" } };
  const { status, text, body } = await service.request(path, asked);
  assert.equal(status, 201, text);
  const refundId = body.data.refund.refund_id;
  if (lost !== undefined) {
    await orderFault(scene, order, { kind: lost, endpoint: "refund" });
    await settleRefund(service.ctx, refundId);
  }
  return { ...order, refundId };
}

export async function cardToSave({ service }: Scene): Promise<ShopOrder> {
  const order = await askToSave(service, await openShop(service), { environment: "live" });
  return { ...order, number: ASKED };
}

/** Its amount was named by the merchant, and goes back to the card. */
export async function cardToReturn(scene: Scene): Promise<LiveOrder> {
  const { service } = scene;
  const order = await cardToSave(scene);
  await submit(service, order, ASKED);
  const card = await savedOf(service, order);
  const { status, text } = await verify(service, card, card.amount);
  assert.equal(status, 200, text);
  return { ...order, saleReference: await saleOf(scene, order) };
}

/** The faults that the next process meets, for every sale of these orders. */
export async function orderFaults(
  scene: Scene,
  orders: readonly LiveOrder[],
  faultsOf: (turn: number) => readonly Fault[],
): Promise<void> {
  const rows = await scene.service.ctx.db.rows<{ id: string; reference: string }>(sql`
    select transaction_id as id, reference from powertranz_sales
    where transaction_id = any(${orders.map(({ id }) => id)}::text[])`);
  const faults = rows.flatMap(({ id, reference: transactionIdentifier }) =>
    faultsOf(orders.findIndex((one) => one.id === id)).map((fault) => ({
      ...fault,
      transactionIdentifier,
    })),
  );
  await scene.fake.control.fault(...faults);
}

/** Somebody is there again. Everything is decided at most so many seconds after the last fault. */
export async function settle(scene: Scene, secondsMax: number): Promise<void> {
  const { service, fake } = scene;
  const { live } = service.ctx.gateways;
  let faultCount = 0;
  for (let passed = 0; passed <= secondsMax; passed += PACE_SECONDS) {
    // After ten faults in a row it is asked whether it is back, by a clock that no test moves.
    await until(() => live?.state() === "up", "the acquirer is up", 90);
    await sweep(service);
    await sweepRefunds(service.ctx);
    await returnChecks(service.ctx);
    if ((await undecidedIn(service.ctx.db)).length === 0) return;
    const faults = (await fake.control.calls()).filter(({ fault }) => fault !== undefined);
    if (faults.length > faultCount) passed = 0;
    faultCount = faults.length;
    await wait(scene, PACE_SECONDS);
  }
  assert.deepEqual(await undecidedIn(service.ctx.db), [], `after ${secondsMax} s`);
}

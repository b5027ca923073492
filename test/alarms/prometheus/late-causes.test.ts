/**
 * The guarantee: approvals that come after the result raise their alarm, and those of the sandbox's
 * card that does it on purpose raise none, through real metrics, rules and a real Prometheus
 * (Decision 0130). Without a worker: it would ask about cards that this service asks about.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCheckoutSweep } from "../../../src/modules/checkout/session/sweep.ts";
import { CARDS, openOrder, states, submit, sweep } from "../../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { hostOf, type Watch, watch } from "./stage.ts";

const COUNT = 6;

let service: TestService;
let watched: Watch;

before(async () => {
  service = await startService();
  watched = await watch([{ job: "windward", role: "web", address: hostOf(service.url) }]);
});
after(async () => {
  await watched?.stop();
  await service?.stop();
});

/** Approved when the customers have been told that nobody knows, and voided. */
async function approveLate(environment: "live" | "sandbox"): Promise<void> {
  const orders = await Promise.all(
    Array.from({ length: COUNT }, () => openOrder(service, { environment })),
  );
  for (const order of orders) await submit(service, order, CARDS.late);
  await wait();
  for (const order of orders) assert.deepEqual(await states(service, order), ["voided"]);
  await watched.holds(voided(environment, COUNT));
}

/** Until the gateway has answered and been asked to void. */
async function wait(): Promise<void> {
  for (const seconds of [180, 30, 600, 900]) {
    await service.clock.advance({ seconds });
    await sweep(service);
  }
}

const voided = (environment: string, count: number) =>
  `windward_late_approvals_voided_total{environment="${environment}"} == ${count}`;

test("approvals of the sandbox that come late are nobody's trouble", async () => {
  for (const environment of ["live", "sandbox"]) await watched.holds(voided(environment, 0));
  await approveLate("sandbox");
  // There is no worker: that would be seen, so the others would be, too.
  const amiss = await watched.amiss(["LateApprovals", "LogErrors", "ProcessGone"]);
  assert.deepEqual(amiss, ["ProcessGone"]);
});

test("live ones are noticed", async () => {
  await approveLate("live");
  await watched.raised("LateApprovals");
});

test("so is one that the gateway does not void", async () => {
  const { live } = service.ctx.gateways;
  assert(live !== undefined);
  const voidSale = () => Promise.reject(new Error("The gateway is away."));
  Object.assign(service.ctx.gateways, { live: { ...live, voidSale } });
  const order = await openOrder(service, { environment: "live" });
  await submit(service, order, CARDS.late);
  await wait();
  assert.deepEqual(await states(service, order), ["void_due"]);
  await service.clock.advance({ hours: 1 });
  const sweeping = createCheckoutSweep(service.ctx);
  sweeping.start();
  await watched.raised("VoidsOld").finally(() => sweeping.stop());
});

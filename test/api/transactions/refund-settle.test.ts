/**
 * A refund that was asked for is ended exactly once, whatever the gateway does with the order or
 * the answer: paid to the customer, or back with the merchant (Decisions 0029 and 0030).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { appJobs } from "../../../src/app.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { runJobs } from "../../../src/infra/jobs/run-jobs.ts";
import { againAfterSeconds } from "../../../src/modules/gateway/call-lease.ts";
import type { Gateway, RefundOutcome } from "../../../src/modules/gateway/port.ts";
import { createSimulator } from "../../../src/modules/gateway/sandbox/simulator.ts";
import { settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { sweepRefunds } from "../../../testkit/sweeps.ts";
import { until } from "../../../testkit/until.ts";
import {
  expectAllToAddUp,
  fundsOf,
  isEnded,
  journal,
  paidOrder,
  refundOf,
  refundRow,
  settleAll,
  told,
} from "./refund-support.ts";

describe("ending a refund", () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(async () => {
    try {
      await expectAllToAddUp(service);
    } finally {
      await service.stop();
    }
  });

  const outcomes: [string, string, string, string, string, number][] = [
    ["at once", "40.00", "refunded", "Refunded, 40.00", "1060.00 + 0.00", 1],
    ["rejected", "39.98", "rejected", "Refund Rejected, 0.00", "1100.00 + 0.00", 1],
    ["done, the answer lost", "39.97", "refunded", "Refunded, 39.97", "1060.03 + 0.00", 1],
    ["lost before it was done", "39.96", "refunded", "Refunded, 39.96", "1060.04 + 0.00", 2],
    ["slow", "39.95", "refunded", "Refunded, 39.95", "1060.05 + 0.00", 1],
    ["undecided for a while", "39.94", "refunded", "Refunded, 39.94", "1060.06 + 0.00", 1],
  ];
  for (const [what, amount, state, words, funds, calls] of outcomes)
    test(`${what}: ${state} once, by ${calls} order(s) under one reference`, async () => {
      const order = await paidOrder(service);
      const refundId = await refundOf(service, order, amount);
      await settleAll(service);
      assert.equal((await refundRow(service, refundId)).state, state);
      assert.equal(await told(service, order), words);
      assert.equal(await fundsOf(service, order), funds);
      const [entry, ...more] = await journal(service, order.id);
      assert.deepEqual(more, []);
      assert.equal(entry?.outcome, state);
      assert.equal(entry?.call_count, calls);
    });

  test("a lost answer keeps the money held, and is asked about after a growing while", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "39.97");
    await settleRefund(service.ctx, refundId);
    const waiting = await refundRow(service, refundId);
    assert.equal(waiting.state, "unknown");
    assert.equal(await fundsOf(service, order), "1060.03 + 39.97");
    assert.equal(await told(service, order), "Refund Requested, 0.00");
    await settleRefund(service.ctx, refundId);
    assert.equal((await refundRow(service, refundId)).attempt_count, 1, "not due yet");
    await service.clock.advance({ seconds: 3 });
    await settleRefund(service.ctx, refundId);
    assert.equal((await refundRow(service, refundId)).state, "refunded");
    assert.deepEqual(
      [1, 2, 3, 11, 12, 500].map((tries) => againAfterSeconds(tries, 100)),
      [2, 4, 8, 2048, 3600, 3600],
    );
    const waits = Array.from({ length: 200 }, () => againAfterSeconds(11));
    assert(waits.every((seconds) => seconds >= 2048 * 0.8 && seconds <= 2048 * 1.2));
    assert(new Set(waits).size > 10, "refunds that failed together do not come again together");
  });

  test("a sweep finds one whose process died, after its lease and not before", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "20.00");
    await service.ctx.db.run(sql`
      update refunds set state = 'submitted', attempt_count = 1,
        leased_until = app_now() + interval '60 s', next_try_at = app_now() + interval '60 s'
      where refund_id = ${refundId}`);
    await sweepRefunds(service.ctx);
    assert.equal((await refundRow(service, refundId)).state, "submitted");
    await service.clock.advance({ seconds: 61 });
    await sweepRefunds(service.ctx);
    assert.equal((await refundRow(service, refundId)).state, "refunded");
    assert.equal((await journal(service, order.id)).length, 1);
  });

  test("two partial refunds: the words follow the last that ended, the total both", async () => {
    const order = await paidOrder(service);
    const good = await refundOf(service, order, "40.00");
    const bad = await refundOf(service, order, "9.98");
    await settleRefund(service.ctx, good);
    assert.equal(await told(service, order), "Refund Requested, 40.00");
    await settleRefund(service.ctx, bad);
    assert.equal(await told(service, order), "Refund Rejected, 40.00");
    await refundOf(service, order);
    assert.equal(await told(service, order), "Refund Requested, 40.00");
    await settleAll(service);
    assert.equal(await told(service, order), "Refunded, 105.20");
  });

  test("eight workers at one refund tell the gateway once and pay once", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "50.00");
    await Promise.all(Array.from({ length: 8 }, () => settleRefund(service.ctx, refundId)));
    const [entry] = await journal(service, order.id);
    assert.equal(entry?.call_count, 1);
    assert.equal(await fundsOf(service, order), "1050.00 + 0.00");
  });

  test("what has ended stays so when the gateway says otherwise later, and it is told", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "30.00");
    let sayLate: (answer: { outcome: "rejected"; reason: string }) => void = () => {};
    const late: Gateway = {
      ...createSimulator(service.ctx),
      refund: () =>
        new Promise((resolve) => {
          sayLate = resolve;
        }),
      refundOutcome: async (): Promise<RefundOutcome> => ({ outcome: "never seen" }),
    };
    const gateways = { live: late, sandbox: late };
    const slow = settleRefund({ ...service.ctx, gateways }, refundId);
    await until(async () => (await refundRow(service, refundId)).state === "submitted", "sent");
    await service.clock.advance({ seconds: 61 });
    await settleRefund(service.ctx, refundId);
    sayLate({ outcome: "rejected", reason: "Too late." });
    await slow;
    assert.equal((await refundRow(service, refundId)).state, "refunded");
    assert.equal(await fundsOf(service, order), "1070.00 + 0.00");
    assert(service.logged.some((line) => line.includes("the gateway contradicts a refund")));
  });

  test("without a gateway for its environment a refund waits and is not touched", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "10.00");
    const gateways = { ...service.ctx.gateways, live: undefined };
    await settleRefund({ ...service.ctx, gateways }, refundId);
    const { state, attempt_count } = await refundRow(service, refundId);
    assert.deepEqual({ state, attempt_count }, { state: "requested", attempt_count: 0 });
    await settleAll(service);
  });

  test("the jobs of the service end every kind within seconds, by themselves", async () => {
    const orders = [];
    for (const amount of ["40.00", "39.98", "39.97", "39.96", "39.94"]) {
      const order = await paidOrder(service, { environment: "sandbox" });
      await refundOf(service, order, amount);
      orders.push(order);
    }
    const runner = await runJobs(service.ctx, appJobs);
    try {
      for (const { id } of orders) await until(() => isEnded(service, id), `${id} has ended`);
    } finally {
      await runner.stop();
    }
    const words = await Promise.all(orders.map((order) => told(service, order)));
    assert.deepEqual(words, [
      "Refunded, 40.00",
      "Refund Rejected, 0.00",
      "Refunded, 39.97",
      "Refunded, 39.96",
      "Refunded, 39.94",
    ]);
  });
});

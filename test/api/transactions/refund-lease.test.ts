/**
 * While a refund's lease runs its order may still arrive: it cannot be rejected, whatever
 * became of the answer. Afterwards it is taken up again within seconds, and an answer that comes
 * too late still counts (Decision 0029).
 */

import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Gateway, RefundAnswer } from "../../../src/modules/gateway/port.ts";
import { askAboutRefund, rejectRefund } from "../../../src/modules/transactions/reject-refund.ts";
import { claimRefund, settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { sweepRefunds } from "../../../testkit/sweeps.ts";
import { until } from "../../../testkit/until.ts";
import {
  expectAllToAddUp,
  fundsOf,
  journal,
  paidOrder,
  refundOf,
  refundRow,
  settleAll,
  told,
} from "./refund-support.ts";

const UNDER_WAY = {
  name: "OperatorError",
  message: "The refund cannot be rejected: it is being submitted to the gateway at this moment.",
};

/** Lets others have their turn, also while the timers stand still. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the lease of a refund", () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(async () => {
    try {
      await settleAll(service);
      await expectAllToAddUp(service);
    } finally {
      mock.timers.reset();
      await service.stop();
    }
  });

  const reject = async (refundId: string, ctx = service.ctx) => {
    const inquiry = await askAboutRefund(ctx, refundId);
    return service.ctx.db.transaction((tx) =>
      rejectRefund(tx, { inquiry, by: "ria", why: "the customer does not want it" }),
    );
  };
  const simulator = (): Gateway => {
    const gateway = service.ctx.gateways.live;
    assert(gateway !== undefined);
    return gateway;
  };
  const behind = (changes: Partial<Gateway>) => {
    const live = { ...simulator(), ...changes };
    return { ...service.ctx, gateways: { live, sandbox: live } };
  };

  /** With a gateway that says nothing within the limit; what it gives lets the order through. */
  async function settleTooLate(refundId: string): Promise<() => Promise<RefundAnswer>> {
    let deliver: (() => Promise<RefundAnswer>) | undefined;
    const slow = behind({
      refund: (order) =>
        new Promise((resolve) => {
          deliver = async () => {
            const answer = await simulator().refund(order);
            resolve(answer);
            return answer;
          };
        }),
    });
    mock.timers.enable({ apis: ["setTimeout"] });
    const settling = settleRefund(slow, refundId);
    while (deliver === undefined) await turn();
    mock.timers.tick(20_000);
    mock.timers.reset();
    await settling;
    return deliver;
  }

  test("outlives an answer that did not come: rejecting is refused, and the late order ends it", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "40.00");
    const deliver = await settleTooLate(refundId);
    const { state, leased_until } = await refundRow(service, refundId);
    assert.equal(state, "unknown");
    assert(leased_until !== null);
    await assert.rejects(reject(refundId), UNDER_WAY);
    await deliver();
    await until(async () => (await refundRow(service, refundId)).state === "refunded", "ended");
    assert.equal(await fundsOf(service, order), "1060.00 + 0.00");
    assert.equal(await told(service, order), "Refunded, 40.00");
    assert(service.logged.some((line) => line.includes("answered about a refund after the limit")));
    await expectAllToAddUp(service);
  });

  test("is over after 30 seconds: then it is rejected, and a later order is told as a contradiction", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "35.00");
    const deliver = await settleTooLate(refundId);
    await service.clock.advance({ seconds: 31 });
    assert.equal((await reject(refundId)).state, "rejected");
    const late = simulatorSaysNothingOf(refundId);
    await deliver();
    const complained = () =>
      service.logged.some(
        (line) => line.includes("contradicts a refund") && line.includes(refundId),
      );
    await until(complained, "it is told");
    assert.equal((await refundRow(service, refundId)).state, "rejected");
    await late();
  });

  /** What the acquirer did against our word is taken out of its journal, for the adding up. */
  function simulatorSaysNothingOf(refundId: string) {
    return () =>
      service.ctx.db.transaction(async (tx) => {
        await tx.run(sql`alter table simulator_refunds disable trigger user`);
        await tx.run(sql`delete from simulator_refunds where reference = ${refundId}`);
        await tx.run(sql`alter table simulator_refunds enable trigger user`);
      });
  }

  test("a question answered after the limit is not followed by an order", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "39.96");
    await settleRefund(service.ctx, refundId);
    await service.clock.advance({ seconds: 3 });
    let answer: (() => void) | undefined;
    let sent = 0;
    const slow = behind({
      refundOutcome: () =>
        new Promise((resolve) => {
          answer = () => resolve({ outcome: "never seen" });
        }),
      async refund() {
        sent += 1;
        return { outcome: "refunded" };
      },
    });
    mock.timers.enable({ apis: ["setTimeout"] });
    const settling = settleRefund(slow, refundId);
    while (answer === undefined) await turn();
    mock.timers.tick(20_000);
    mock.timers.reset();
    await settling;
    answer();
    const isTold = () => service.logged.some((line) => line.includes("a late answer about"));
    await until(isTold, "the late answer is told");
    assert.equal(sent, 0);
  });

  test("of a process that died has a job for when it is over, and one that ends leaves none", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "20.00");
    const jobs = () =>
      service.ctx.db.rows<{ seconds: number }>(sql`
        select extract(epoch from run_at - clock_timestamp())::float8 as seconds
        from graphile_worker.jobs where key = ${`settle-refund ${refundId}`}`);
    let isSent = false;
    const lost = behind({
      refund() {
        isSent = true;
        return new Promise<never>(() => {});
      },
    });
    mock.timers.enable({ apis: ["setTimeout"] });
    void settleRefund(lost, refundId);
    // Its limit is set by then, on a clock that never goes on.
    while (!isSent) await turn();
    mock.timers.reset();
    const [job, ...more] = await jobs();
    assert.deepEqual(more, []);
    assert(job !== undefined && job.seconds > 20 && job.seconds < 31, JSON.stringify(job));
    await service.clock.advance({ seconds: 31 });
    await settleRefund(service.ctx, refundId);
    assert.equal((await refundRow(service, refundId)).state, "refunded");
    assert.deepEqual(await jobs(), []);
  });

  test("is not used by a process that slept after its claim: the next one sends", async (t) => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "40.00");
    const settle = await claimRefund(service.ctx, refundId);
    const now = performance.now.bind(performance);
    t.mock.method(performance, "now", () => now() + 5_001);
    await settle?.();
    t.mock.restoreAll();
    assert.equal((await refundRow(service, refundId)).state, "submitted");
    assert.deepEqual(await journal(service, order.id), []);
    await service.clock.advance({ seconds: 31 });
    await sweepRefunds(service.ctx);
    assert.equal((await refundRow(service, refundId)).state, "refunded");
  });

  test("decides, not the state: one whose process died can be rejected when it is over", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "25.00");
    await service.ctx.db.run(sql`
      update refunds set state = 'submitted', attempt_count = 1,
        leased_until = app_now() + interval '30 s', next_try_at = app_now() + interval '30 s'
      where refund_id = ${refundId}`);
    await assert.rejects(reject(refundId), UNDER_WAY);
    await service.clock.advance({ seconds: 31 });
    assert.equal((await reject(refundId)).state, "rejected");
    assert.deepEqual(await journal(service, order.id), []);
    assert.equal(await fundsOf(service, order), "1100.00 + 0.00");
  });

  test("where no gateway could tell, rejecting says what can be done", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "39.96");
    await settleRefund(service.ctx, refundId);
    await service.clock.advance({ seconds: 31 });
    const gateways = { ...service.ctx.gateways, live: undefined };
    await assert.rejects(reject(refundId, { ...service.ctx, gateways }), {
      name: "OperatorError",
      message:
        "The refund cannot be rejected: it was sent before, and no gateway is configured that " +
        "could tell whether it was done; configure the one that has it, and repeat.",
    });
  });

  test("a gateway that does not answer the operator's question cannot tell", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "39.96");
    await settleRefund(service.ctx, refundId);
    await service.clock.advance({ seconds: 31 });
    const silent = behind({ refundOutcome: () => Promise.reject(new Error("connection lost")) });
    await assert.rejects(reject(refundId, silent), {
      message: "The refund cannot be rejected: the gateway cannot tell whether it has done it.",
    });
  });
});

test("a hundred refunds that wait for a gateway do not keep a sweep from the others", async () => {
  const service = await startService();
  try {
    const live = await paidOrder(service, { funds: "5000.00 TTD" });
    await service.ctx.db.run(sql`
      insert into refunds (transaction_id, amount_minor)
      select ${live.id}, 1 from generate_series(1, 100)`);
    const shop = live.shop;
    const test = await paidOrder(service, { shop, environment: "sandbox" });
    const refundId = await refundOf(service, test, "5.00");
    const gateways = { ...service.ctx.gateways, live: undefined };
    assert.equal(await sweepRefunds({ ...service.ctx, gateways }), 1);
    assert.equal((await refundRow(service, refundId)).state, "refunded");
  } finally {
    await service.stop();
  }
});

/**
 * The second try of a refund is as safe as the first: while its order may still arrive nobody gives
 * the refund up, and what becomes of an older try does not touch it (Decision 0029).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Gateway, RefundAnswer } from "../../../src/modules/gateway/port.ts";
import { askAboutRefund, rejectRefund } from "../../../src/modules/transactions/reject-refund.ts";
import { settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import {
  expectAllToAddUp,
  fundsOf,
  journal,
  paidOrder,
  refundOf,
  refundRow,
  told,
} from "./refund-support.ts";

describe("the second try of a refund", () => {
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

  interface Try {
    /** Lets the order through, and the answer come back. */
    deliver(): Promise<void>;
    /** Breaks the connection before anything is done. */
    lose(): Promise<void>;
  }

  /** Claims the refund and sends an order that hangs until the test decides. */
  async function beginTry(refundId: string, count: number): Promise<Try> {
    const real = service.ctx.gateways.live;
    assert(real !== undefined);
    let end: { deliver(): void; lose(): void } | undefined;
    const hanging: Gateway = {
      ...real,
      refundOutcome: async () => ({ outcome: "never seen" }),
      refund: (order) =>
        new Promise<RefundAnswer>((resolve, reject) => {
          end = {
            deliver: () => resolve(real.refund(order)),
            lose: () => reject(new Error("the connection broke")),
          };
        }),
    };
    const gateways = { live: hanging, sandbox: hanging };
    const settling = settleRefund({ ...service.ctx, gateways }, refundId);
    await until(() => end !== undefined, `try ${count} is under way`);
    assert.equal((await refundRow(service, refundId)).attempt_count, count);
    return {
      async deliver() {
        end?.deliver();
        await settling;
      },
      async lose() {
        end?.lose();
        await settling;
      },
    };
  }

  test("keeps an operator from rejecting it: 409, and the customer gets the money once", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "40.00");
    await (await beginTry(refundId, 1)).lose();
    await service.clock.advance({ seconds: 31 });
    const second = await beginTry(refundId, 2);
    const inquiry = await askAboutRefund(service.ctx, refundId);
    assert.deepEqual([inquiry.outcome, inquiry.attemptCount], ["never seen", 2]);
    const rejecting = service.ctx.db.transaction((tx) =>
      rejectRefund(tx, { inquiry, by: "ria", why: "the customer does not want it" }),
    );
    await assert.rejects(rejecting, {
      name: "OperatorError",
      message:
        "The refund cannot be rejected: it is being submitted to the gateway at this moment.",
    });
    assert.equal(await fundsOf(service, order), "1060.00 + 40.00");
    await second.deliver();
    assert.equal(await told(service, order), "Refunded, 40.00");
    assert.equal(await fundsOf(service, order), "1060.00 + 0.00");
    assert.equal((await journal(service, order.id))[0]?.call_count, 1);
  });

  test("keeps its lease when the answer to the first is lost late: no third is sent beside it", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "30.00");
    const first = await beginTry(refundId, 1);
    await service.clock.advance({ seconds: 31 });
    const second = await beginTry(refundId, 2);
    const leased = await refundRow(service, refundId);
    await first.lose();
    assert.deepEqual(await refundRow(service, refundId), leased);
    await service.clock.advance({ seconds: 10 });
    await settleRefund(service.ctx, refundId);
    assert.equal((await refundRow(service, refundId)).attempt_count, 2);
    await second.deliver();
    assert.equal((await refundRow(service, refundId)).state, "refunded");
    assert.equal((await journal(service, order.id))[0]?.call_count, 1);
  });

  test("asks first what became of an order whose answer was lost: it is not sent again", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "20.00");
    const real = service.ctx.gateways.live;
    assert(real !== undefined);
    const deaf: Gateway = {
      ...real,
      async refund(sent) {
        await real.refund(sent);
        throw new Error("the answer was lost");
      },
    };
    const gateways = { live: deaf, sandbox: deaf };
    await settleRefund({ ...service.ctx, gateways }, refundId);
    assert.equal((await refundRow(service, refundId)).state, "unknown");
    await service.clock.advance({ seconds: 31 });
    await settleRefund(service.ctx, refundId);
    assert.equal((await refundRow(service, refundId)).state, "refunded");
    assert.equal((await journal(service, order.id))[0]?.call_count, 1);
  });
});

/**
 * An operator can reject a refund only while it has surely not been done; then the merchant has
 * the money back, and who and why is written (Decision 0029).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  askAboutRefund,
  type RefundInquiry,
  rejectRefund,
} from "../../../src/modules/transactions/reject-refund.ts";
import { settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import {
  expectAllToAddUp,
  fundsOf,
  paidOrder,
  refundOf,
  refundRow,
  settleAll,
  told,
} from "./refund-support.ts";

const why = "the customer wants a voucher instead";

describe("an operator rejects a refund", () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(async () => {
    try {
      await settleAll(service);
      await expectAllToAddUp(service);
    } finally {
      await service.stop();
    }
  });

  const ask = (refundId: string) => askAboutRefund(service.ctx, refundId);
  const reject = (inquiry: RefundInquiry) =>
    service.ctx.db.transaction((tx) => rejectRefund(tx, { inquiry, by: "ria", why }));
  const refusal = (message: string) => ({
    name: "OperatorError",
    message: `The refund cannot be rejected: ${message}.`,
  });

  test("that nobody was told of: the money is back, the reason kept, and no job does it later", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "40.00");
    const ended = await reject(await ask(refundId));
    assert.deepEqual([ended.state, ended.rejected_because], ["rejected", why]);
    assert.equal(await fundsOf(service, order), "1100.00 + 0.00");
    assert.equal(await told(service, order), "Refund Rejected, 0.00");
    await settleRefund(service.ctx, refundId);
    assert.equal((await refundRow(service, refundId)).state, "rejected");
    const entry = await service.ctx.db.one(sql`
      select actor, account_number, detail ->> 'why' as why from audit_entries
      where action = 'refund_rejected' and detail ->> 'refund_id' = ${refundId}`);
    const account_number = order.shop.accountNumber;
    assert.deepEqual(entry, { actor: "operator ria", account_number, why });
    await assert.rejects(reject(await ask(refundId)), refusal("it is rejected"));
  });

  test("that was lost before the gateway saw it: rejected", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "39.96");
    await settleRefund(service.ctx, refundId);
    const inquiry = await ask(refundId);
    assert.equal(inquiry.outcome, "never seen");
    await service.clock.advance({ seconds: 31 });
    assert.equal((await reject(inquiry)).state, "rejected");
    assert.equal(await fundsOf(service, order), "1100.00 + 0.00");
  });

  test("that the gateway has done or cannot tell of: 409, and the money stays held", async () => {
    for (const [amount, message] of [
      ["39.97", "the gateway has done it"],
      ["39.94", "the gateway cannot tell whether it has done it"],
    ] as const) {
      const order = await paidOrder(service);
      const refundId = await refundOf(service, order, amount);
      await settleRefund(service.ctx, refundId);
      await assert.rejects(reject(await ask(refundId)), refusal(message));
      assert.equal((await refundRow(service, refundId)).state, "unknown");
      assert.match(await fundsOf(service, order), new RegExp(`\\+ ${amount}$`));
    }
  });

  test("that is being sent, or was sent after the gateway was asked: 409", async () => {
    const moment = refusal("it is being submitted to the gateway at this moment");
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "39.95");
    const early = await ask(refundId);
    const sending = settleRefund(service.ctx, refundId);
    await until(async () => (await refundRow(service, refundId)).attempt_count === 1, "claimed");
    await assert.rejects(reject(early), moment);
    await assert.rejects(reject({ ...early, attemptCount: 1 }), moment);
    await sending;
    await assert.rejects(reject(early), refusal("it is refunded"));
    // Sent again meanwhile, and again without an answer: the earlier answer says nothing now.
    const other = await refundOf(service, order, "29.96");
    await settleRefund(service.ctx, other);
    const stale = await ask(other);
    await service.ctx.db.run(sql`
      update refunds set attempt_count = attempt_count + 1 where refund_id = ${other}`);
    await assert.rejects(reject(stale), moment);
  });

  test("against eight workers: it is either rejected or refunded, never both", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const order = await paidOrder(service);
      const refundId = await refundOf(service, order, "40.00");
      const inquiry = await ask(refundId);
      const work = () => settleRefund(service.ctx, refundId);
      const rejecting = () =>
        reject(inquiry).catch((error) => assert.equal(error.name, "OperatorError"));
      const first = round % 2 === 0 ? [rejecting(), work()] : [work(), rejecting()];
      await Promise.all([...first, ...Array.from({ length: 6 }, work)]);
      seen.add((await refundRow(service, refundId)).state);
      assert.match(await fundsOf(service, order), /^(1100|1060)\.00 \+ 0\.00$/);
      await expectAllToAddUp(service);
    }
    assert([...seen].every((state) => state === "rejected" || state === "refunded"));
  });

  test("that does not exist: 404", async () => {
    for (const id of ["x", "00000000-0000-4000-8000-000000000000"])
      await assert.rejects(ask(id), { status: 404 });
  });
});

/**
 * However many ask at once and in whatever order, no more goes back than was paid, no more is held
 * than there is, and nobody sees a deadlock (Decisions 0029 and 0030).
 */

import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { formatMoney, money } from "../../../src/kit/money.ts";
import { openChargeback, settleChargeback } from "../../../src/modules/transactions/dispute.ts";
import { refundsOf } from "../../../src/modules/transactions/refund.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import type { TestAnswer, TestService } from "../../../testkit/service.ts";
import { sweepRefunds } from "../../../testkit/sweeps.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import {
  askRefund,
  expectAllToAddUp,
  fundsOf,
  journal,
  type PaidOrder,
  paidOrder,
  settleAll,
  told,
} from "./refund-support.ts";

const two = await startTwoServices();

/** As a careful client: under a key of its own, and again after a 503, as busy cores may cause. */
async function askUntilAnswered(
  one: TestService,
  order: PaidOrder,
  json?: object,
): Promise<TestAnswer> {
  const headers = { "idempotency-key": randomUUID() };
  for (let tried = 1; ; tried++) {
    const answer = await askRefund(one, order, json, headers);
    if (answer.status !== 503 || tried === 20) return answer;
  }
}

describe("refunds at once", () => {
  test("32 of a whole payment on two services: one is taken, the others find nothing left", async () => {
    const order = await paidOrder(two.service);
    const answers = await two.atOnce(32, (one) => askUntilAnswered(one, order));
    const counts = Object.groupBy(answers, ({ status }) => String(status));
    assert.equal(counts[201]?.length, 1);
    assert.equal(counts[422]?.length, 31);
    assert.equal(await fundsOf(two.service, order), "994.80 + 105.20");
    await settleAll(two.service);
    assert.equal((await journal(two.service, order.id)).length, 1);
    await expectAllToAddUp(two.service);
  });

  test("two of 60 on 100: one is taken", async () => {
    const order = await paidOrder(two.service);
    const answers = await two.atOnce(2, (one) => askUntilAnswered(one, order, { amount: "60.00" }));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
    await settleAll(two.service);
    assert.equal(await told(two.service, order), "Refunded, 60.00");
    await expectAllToAddUp(two.service);
  });

  test("32 parts of 1 to 10 units in random order: taken while they fit, and no cent is lost", async () => {
    const order = await paidOrder(two.service);
    const parts = Array.from({ length: 32 }, () => BigInt(100 + randomInt(901)));
    const amount = (minor: bigint) => formatMoney(money("TTD", minor));
    const answers = await two.atOnce(32, async (one, turn) => {
      const minor = parts[turn] ?? 100n;
      const { status } = await askUntilAnswered(one, order, { amount: amount(minor) });
      return { minor, status };
    });
    assert(answers.every(({ status }) => status === 201 || status === 422));
    const sumOf = (minors: readonly bigint[]) => minors.reduce((sum, minor) => sum + minor, 0n);
    const taken = answers.filter(({ status }) => status === 201).map(({ minor }) => minor);
    const left = order.row.customer_total_minor - sumOf(taken);
    assert(left >= 0n, `${amount(-left)} more than was paid`);
    // What is left only shrinks, so what was refused would be refused now.
    const refused = answers.filter(({ status }) => status === 422);
    assert(refused.every(({ minor }) => minor > left));
    assert.equal(
      await fundsOf(two.service, order),
      `${amount(110_000n - sumOf(taken))} + ${amount(sumOf(taken))}`,
    );
    await settleAll(two.service);
    const refunds = await refundsOf(two.service.ctx.db, order.id);
    assert.deepEqual(refunds.map(({ amount_minor }) => amount_minor).sort(), [...taken].sort());
    await expectAllToAddUp(two.service);
  });

  test("32 of ten payments of one merchant who has money for three: three are taken", async () => {
    const first = await paidOrder(two.service, { funds: "none" });
    const orders = [first];
    const { shop } = first;
    for (let i = 0; i < 9; i++) orders.push(await paidOrder(two.service, { shop, funds: "none" }));
    // Ten nets of 100.00 are there; seven of them go.
    for (const order of orders.slice(0, 7)) await askRefund(two.service, order, { amount: "100" });
    const answers = await two.atOnce(32, (one, turn) =>
      askUntilAnswered(one, orders[turn % 10] ?? first, { amount: "100.00" }),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    assert(answers.every(({ status }) => status === 201 || status === 422));
    assert.equal(await fundsOf(two.service, first), "0.00 + 1000.00");
    await settleAll(two.service);
    await expectAllToAddUp(two.service);
  });

  test("parts of any size in any order, while workers end them: never more than was paid", async () => {
    const cents = fc.constantFrom(0, 1, 50, 94, 96, 97, 98, 99);
    const part = fc.tuple(fc.integer({ min: 0, max: 60 }), cents);
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 2, maxLength: 10 }), async (parts) => {
        const order = await paidOrder(two.service);
        const amounts = parts.map(([units, c]) => `${units}.${String(c).padStart(2, "0")}`);
        const asked = amounts.filter((amount) => amount !== "0.00");
        await Promise.all([
          two.atOnce(asked.length, (one, turn) =>
            askUntilAnswered(one, order, { amount: asked[turn] ?? "1.00" }),
          ),
          sweepRefunds(two.service.ctx),
          sweepRefunds(two.sibling.ctx),
        ]);
        await settleAll(two.service);
        const refunds = await refundsOf(two.service.ctx.db, order.id);
        const given = refunds.filter(({ state }) => state === "refunded");
        const total = given.reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
        assert(total <= order.row.customer_total_minor);
        const done = (await journal(two.service, order.id)).filter(
          ({ outcome }) => outcome === "refunded",
        );
        assert.equal(
          done.reduce((sum, { amount_minor }) => sum + amount_minor, 0n),
          total,
        );
      }),
      { numRuns: fuzzRuns({ usual: 5, proof: 15 }) },
    );
    await expectAllToAddUp(two.service);
  });

  test("refunds against a chargeback and its end: the sum stays within what was paid", async () => {
    for (let round = 0; round < fuzzRuns({ usual: 4, proof: 10 }); round++) {
      const order = await paidOrder(two.service);
      const action = { transactionId: order.id, by: "ria", why: "the bank says so" };
      const dispute = two.sibling.ctx.db
        .transaction((tx) => openChargeback(tx, action))
        .then(
          () => "opened",
          (error) => error.name,
        );
      const answers = await two.atOnce(8, (one) =>
        askUntilAnswered(one, order, { amount: "30.00" }),
      );
      const opened = await dispute;
      assert(["OperatorError", "opened"].includes(opened), String(opened));
      assert(answers.every(({ status }) => [201, 409, 422].includes(status)));
      const outcome = round % 2 === 0 ? "processed" : "released";
      const settle = () =>
        two.sibling.ctx.db.transaction((tx) => settleChargeback(tx, { ...action, outcome }));
      await Promise.all([settleAll(two.service), opened === "opened" ? settle() : undefined]);
      await expectAllToAddUp(two.service);
    }
  });
});

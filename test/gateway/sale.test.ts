/**
 * The guarantee: the simulated acquirer does what a card says (Decision 0038), gives everybody the
 * same answer about it, never forgets it, and never writes a card number down. What it shares with
 * other gateways is in `contract.test.ts`.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { money } from "../../src/kit/money.ts";
import type { Sale } from "../../src/modules/gateway/port.ts";
import { CARDS, MESSAGES } from "../../src/modules/gateway/sandbox/cards.ts";
import { createSimulator } from "../../src/modules/gateway/sandbox/simulator.ts";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { CVV, journalOf, saleWith, simulatorOf } from "./support.ts";

const service = await startService();
const gateway = simulatorOf(service);
after(() => service.stop());

const APPROVED = { outcome: "approved", code: "00", message: MESSAGES["00"], cvv: "M" };
const atOnce = CARDS.filter(({ does }) =>
  Object.keys(does).every((key) => /code|avs|cvv/.test(key)),
);

describe("a card that is answered at once", () => {
  assert.equal(atOnce.length, 10);
  for (const { numbers, about, does } of atOnce)
    for (const number of numbers)
      test(`${number}: ${about}`, async () => {
        const sale = saleWith(number, { wantsAvs: true });
        const answer = await gateway.sale(sale);
        assert.deepEqual(answer, {
          outcome: does.code === "00" ? "approved" : "declined",
          code: does.code,
          message: MESSAGES[does.code],
          avs: does.avs ?? "M",
          cvv: does.cvv ?? "M",
        });
        assert.deepEqual(await gateway.saleOutcome(sale.reference), answer);
      });

  test("an address is not checked when AVS is not requested", async () => {
    assert.deepEqual(await gateway.sale(saleWith("4111111111117777")), APPROVED);
  });

  test("an unlisted number is approved when it passes Luhn, and else it is declined with 14", async () => {
    assert.deepEqual(await gateway.sale(saleWith("4242424242424242")), APPROVED);
    const bad = await gateway.sale(saleWith("4242424242424241"));
    assert.deepEqual([bad.outcome, "code" in bad && bad.code], ["declined", "14"]);
  });
});

describe("the same reference", () => {
  test("is the same order: 32 at once over two processes, one sale and 32 equal answers", async () => {
    const sale = saleWith("4111111111111111");
    const other = createSimulator(service.ctx);
    const calls = Array.from({ length: 32 }, (_, at) => (at % 2 ? other : gateway).sale(sale));
    for (const answer of await Promise.all(calls)) assert.deepEqual(answer, APPROVED);
    const [entry, ...others] = await journalOf(service, sale.reference);
    assert.deepEqual([entry?.call_count, entry?.code, others.length], [32, "00", 0]);
  });

  test("with another order is refused, and the first order stays what it was", async () => {
    const sale = saleWith("4111111111111111");
    await gateway.sale(sale);
    const contradicting: Partial<Sale>[] = [
      { amount: money("TTD", 10521n) },
      { amount: money("USD", 10520n) },
      { transactionId: "SB-TT-11111111111111111111111111" },
      { card: { ...sale.card, number: "4111111111113333" } },
      { card: { ...sale.card, number: "5111111111111111" } },
    ];
    for (const more of contradicting)
      await assert.rejects(gateway.sale({ ...sale, ...more }), /came with another order/);
    assert.deepEqual(await gateway.saleOutcome(sale.reference), APPROVED);
  });
});

describe("an acquirer that answers late or not at all", () => {
  test("is slow: the sale is done at once, and its outcome can be read meanwhile", async () => {
    const sale = saleWith("4111111111112030");
    const began = performance.now();
    const slow = gateway.sale(sale);
    await until(async () => (await journalOf(service, sale.reference)).length === 1, "taken");
    assert.deepEqual(await gateway.saleOutcome(sale.reference), APPROVED);
    assert.deepEqual(await slow, APPROVED);
    assert(performance.now() - began >= 2_900);
  });

  for (const [number, seconds, outcome] of [
    ["4111111111112040", 5, "approved"],
    ["4111111111112050", 5, "declined"],
    ["4111111111112060", 600, "approved"],
  ] as const)
    test(`loses its answer: ${number} is ${outcome}, and its outcome is known after ${seconds} seconds`, async () => {
      const sale = saleWith(number);
      await assert.rejects(gateway.sale(sale));
      await service.clock.advance({ seconds: seconds - 2 });
      assert.deepEqual(await gateway.saleOutcome(sale.reference), { outcome: "unknown" });
      await assert.rejects(gateway.sale(sale));
      assert.equal((await gateway.voidSale(sale.reference)).outcome, "rejected");
      await service.clock.advance({ seconds: 2 });
      assert.equal((await gateway.saleOutcome(sale.reference)).outcome, outcome);
      assert.equal((await gateway.sale(sale)).outcome, outcome);
    });

  test("is down: it does not answer for 20 seconds and has no order after", async () => {
    const sale = saleWith("4111111111112070");
    await assert.rejects(gateway.sale(sale), /down/);
    await assert.rejects(gateway.saleOutcome(sale.reference), /down/);
    await service.clock.advance({ seconds: 18 });
    await assert.rejects(gateway.sale(sale), /down/);
    await service.clock.advance({ seconds: 2 });
    assert.deepEqual(await gateway.saleOutcome(sale.reference), { outcome: "never seen" });
    assert.equal((await gateway.voidSale(sale.reference)).outcome, "rejected");
    assert.deepEqual(await gateway.sale(sale), APPROVED);
    assert.deepEqual(await gateway.saleOutcome(sale.reference), APPROVED);
  });
});

describe("the journal", () => {
  test("outlives the calling process", async () => {
    const sale = saleWith("4111111111112040");
    await assert.rejects(gateway.sale(sale));
    await service.clock.advance({ seconds: 5 });
    assert.deepEqual(await createSimulator(service.ctx).saleOutcome(sale.reference), APPROVED);
  });

  for (const [what, change] of [
    ["an outcome", sql`outcome = 'declined', code = '05'`],
    ["an amount", sql`amount_minor = 1`],
    ["a void", sql`voided_at = null`],
  ] as const)
    test(`does not let ${what} change`, async () => {
      const sale = saleWith("4111111111111111");
      await gateway.sale(sale);
      await gateway.voidSale(sale.reference);
      await assert.rejects(
        service.ctx.db.run(sql`
          update simulator_sales set ${change} where reference = ${sale.reference}`),
      );
    });

  test("cannot be emptied", async () => {
    await assert.rejects(service.ctx.db.run(sql`delete from simulator_sales`));
  });

  test("and the log have no card number, no security code and no name", async () => {
    const hidden = [...new Set(CARDS.flatMap((card) => card.numbers))];
    const rows = await service.ctx.db.rows<{ text: string }>(sql`
      select entry::text as text from simulator_sales as entry`);
    assert(rows.length > 30);
    const all = [...rows.map(({ text }) => text), ...service.logged].join("\n");
    for (const secret of [...hidden, "4242424242424242", "Ann Baptiste"])
      assert(!all.includes(secret), secret);
    assert(!rows.some(({ text }) => text.split(",").includes(CVV)));
  });
});

/**
 * The guarantee: what the port promises, every gateway does. The same cases run against the
 * simulator and against PowerTranz on a fake of it (Decisions 0037 and 0080): an order has one
 * outcome however often it is sent and whatever is lost, and money moves at most once.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { money } from "../../src/kit/money.ts";
import type { Challenge, Sale } from "../../src/modules/gateway/port.ts";
import { startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { assertFakeInvariant } from "../../testkit/powertranz/invariant.ts";
import { expectNoSecrets } from "../../testkit/powertranz/secrets.ts";
import { startService } from "../../testkit/service.ts";
import { type Driver, powertranzDriver, simulatorDriver } from "./contract-driver.ts";

const fake = await startPowertranzFake();
const service = await startService({
  settings: {
    POWERTRANZ_URL: fake.url,
    POWERTRANZ_ID: fake.id,
    POWERTRANZ_PASSWORD: fake.password,
  },
});
const drivers = [simulatorDriver(service), powertranzDriver(service, fake)];
after(async () => {
  await Promise.all(drivers.map(({ other }) => other.stop()));
  await service.stop();
  await fake.stop();
});

/** Equal answers, or none; at least one. */
async function settleAll<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  const all = await Promise.allSettled(calls);
  const answers = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  assert(answers.length > 0, "somebody gets an answer");
  for (const one of answers) assert.deepEqual(one, answers[0]);
  return answers;
}

async function asked({ gateway, sale: make }: Driver) {
  const sale = await make("asked");
  const challenge = await gateway.sale(sale);
  assert.equal(challenge.outcome, "challenge");
  return { sale, challenge, token: (challenge as Challenge).token };
}

for (const driver of drivers) {
  const { gateway, other } = driver;
  const outcomeOf = async ({ reference }: Sale) =>
    (await gateway.saleOutcome(reference).catch(() => ({ outcome: "unknown" }))).outcome;

  describe(`${driver.name}: a sale`, () => {
    for (const outcome of ["approved", "declined"] as const)
      test(`is ${outcome}, and is the same in every process`, async () => {
        const sale = await driver.sale(outcome);
        const answer = await driver.pay(sale);
        assert.equal(answer.outcome, outcome);
        assert.match(answer.message, /^[A-Z].+\.$/);
        assert.deepEqual(await gateway.saleOutcome(sale.reference), answer);
        assert.deepEqual(await other.saleOutcome(sale.reference), answer);
        assert.deepEqual(await other.sale(sale), answer);
        const { charges } = await driver.truth(sale);
        assert.equal(charges, outcome === "approved" ? 1 : 0);
      });

    test("that nobody sent was never seen", async () => {
      const { reference } = await driver.sale("approved");
      assert.deepEqual(await gateway.saleOutcome(reference), { outcome: "never seen" });
      assert.equal(await gateway.challengeDocument(reference), undefined);
    });

    test("sent 16 times at once by two processes is one, and no answer differs", async () => {
      const sale = await driver.sale("asked");
      const calls = Array.from({ length: 16 }, (_, at) => (at % 2 ? other : gateway).sale(sale));
      const [challenge] = await settleAll(calls);
      assert.equal(challenge?.outcome, "challenge");
      assert.deepEqual(await gateway.sale(sale), challenge);
    });

    test("is refused when its reference comes with another order", async () => {
      const { sale, challenge } = await asked(driver);
      const contradicting: Partial<Sale>[] = [
        { amount: money("TTD", 10521n) },
        { amount: money("USD", 10520n) },
        { transactionId: `${sale.transactionId}x` },
      ];
      for (const more of contradicting)
        await assert.rejects(gateway.sale({ ...sale, ...more }), /came with another order/);
      assert.deepEqual(await gateway.saleOutcome(sale.reference), challenge);
    });

    test("that is slow is taken when its answer comes", async () => {
      const sale = await driver.sale("slow");
      const answer = await driver.pay(sale);
      assert.equal(answer.outcome, "approved");
      assert.equal((await driver.truth(sale)).charges, 1);
    });

    for (const outcome of ["approved", "declined"] as const)
      test(`whose answer is lost is ${outcome} when it is asked for`, async () => {
        const sale = await driver.sale(`answer lost, ${outcome}`);
        await assert.rejects(driver.pay(sale));
        const early = await outcomeOf(sale);
        assert(early === "unknown" || early === outcome, early);
        await driver.wait(driver.surelyKnownSeconds);
        assert.equal(await outcomeOf(sale), outcome);
        const { charges } = await driver.truth(sale);
        assert.equal(charges, outcome === "approved" ? 1 : 0);
      });

    test("whose order is lost is not charged, and that is known in the end", async () => {
      const sale = await driver.sale("order lost");
      await assert.rejects(driver.pay(sale));
      assert.equal(await outcomeOf(sale), "unknown");
      await driver.wait(driver.surelyKnownSeconds);
      assert(["never seen", "declined"].includes(await outcomeOf(sale)));
      assert.equal((await driver.truth(sale)).charges, 0);
    });
  });

  describe(`${driver.name}: a challenge`, () => {
    for (const [answer, outcome] of [
      ["passed", "approved"],
      ["refused", "declined"],
    ] as const)
      test(`that is ${answer} makes the sale ${outcome}, once`, async () => {
        const { sale, challenge, token } = await asked(driver);
        assert.deepEqual(await gateway.saleOutcome(sale.reference), challenge);
        assert.match((await gateway.challengeDocument(sale.reference)) ?? "", /^<!doctype html>/i);
        const posted = await driver.answerBank(sale, answer);
        assert.equal(gateway.returnedToken(posted), token);
        const open = await outcomeOf(sale);
        assert(open === "challenge" || open === "challenge pending", open);
        assert.equal((await gateway.voidSale(sale.reference)).outcome, "rejected");
        const first = await gateway.completeChallenge(sale.reference, token, posted);
        assert.equal(first.outcome, outcome);
        assert.deepEqual(await other.completeChallenge(sale.reference, token, posted), first);
        assert.deepEqual(await gateway.saleOutcome(sale.reference), first);
        const { charges } = await driver.truth(sale);
        assert.equal(charges, outcome === "approved" ? 1 : 0);
      });

    test("is completed by a process that has not got the browser's words", async () => {
      const { sale, token } = await asked(driver);
      await driver.answerBank(sale, "passed");
      const answer = await other.completeChallenge(sale.reference, token, {});
      assert.equal(answer.outcome, "approved");
    });

    test("that is never answered charges nothing, and no forged word changes that", async () => {
      const { sale, challenge, token } = await asked(driver);
      assert.deepEqual(await gateway.saleOutcome(sale.reference), challenge);
      const forged = { token, SpiToken: "forged", result: "passed", Response: "{}" };
      const answer = await gateway.completeChallenge(sale.reference, token, forged);
      assert.equal(answer.outcome, "declined");
      assert.equal((await driver.truth(sale)).charges, 0);
    });

    test("completed 16 times at once by two processes is one sale", async () => {
      const { sale, token } = await asked(driver);
      const posted = await driver.answerBank(sale, "passed");
      const calls = Array.from({ length: 16 }, (_, at) =>
        (at % 2 ? other : gateway).completeChallenge(sale.reference, token, posted),
      );
      const [answer] = await settleAll(calls);
      assert.equal(answer?.outcome, "approved");
      assert.deepEqual(await gateway.saleOutcome(sale.reference), answer);
      assert.equal((await driver.truth(sale)).charges, 1);
    });

    test("of another sale, or an invented one, completes nothing", async () => {
      const [one, another] = [await asked(driver), await asked(driver)];
      const posted = await driver.answerBank(one.sale, "passed");
      for (const token of [another.token, "invented", ""])
        await assert.rejects(gateway.completeChallenge(one.sale.reference, token, posted));
      assert.equal((await driver.truth(one.sale)).charges, 0);
    });
  });

  describe(`${driver.name}: a void`, () => {
    test("undoes an approved sale, however often it is asked for", async () => {
      const sale = await driver.sale("approved");
      const answer = await driver.pay(sale);
      for (const one of [gateway, other, gateway])
        assert.deepEqual(await one.voidSale(sale.reference), { outcome: "voided" });
      assert.equal((await driver.truth(sale)).isVoided, true);
      assert.deepEqual(await gateway.saleOutcome(sale.reference), answer);
    });

    test("of a sale that was declined, never sent or is undecided is rejected", async () => {
      const declined = await driver.sale("declined");
      await driver.pay(declined);
      const lost = await driver.sale("order lost");
      await assert.rejects(driver.pay(lost));
      for (const { reference } of [declined, lost, await driver.sale("approved")])
        assert.equal((await gateway.voidSale(reference)).outcome, "rejected");
      assert.equal((await driver.truth(declined)).isVoided, false);
    });
  });

  describe(`${driver.name}: a refund`, () => {
    const paid = async () => {
      const sale = await driver.sale("approved");
      assert.equal((await driver.pay(sale)).outcome, "approved");
      return sale;
    };

    test("is done once, however often it is asked for and by how many processes", async () => {
      const sale = await paid();
      const order = await driver.refund(sale, "refunded");
      const calls = Array.from({ length: 8 }, (_, at) => (at % 2 ? other : gateway).refund(order));
      assert.deepEqual(await settleAll(calls).then(([first]) => first), { outcome: "refunded" });
      assert.deepEqual(await other.refund(order), { outcome: "refunded" });
      assert.deepEqual(await other.refundOutcome(order.reference), { outcome: "refunded" });
      assert.equal((await driver.truth(sale)).refundedMinor, Number(order.amount.minor));
    });

    test("goes in parts", async () => {
      const sale = await paid();
      for (const _ of [1, 2, 3])
        assert.equal(
          (await gateway.refund(await driver.refund(sale, "refunded"))).outcome,
          "refunded",
        );
      assert.equal((await driver.truth(sale)).refundedMinor, 3030);
    });

    test("that is rejected says why, and stays rejected", async () => {
      const order = await driver.refund(await paid(), "rejected");
      const answer = await gateway.refund(order);
      assert.equal(answer.outcome, "rejected");
      assert.deepEqual(await gateway.refundOutcome(order.reference), answer);
      assert.deepEqual(await other.refund(order), answer);
    });

    test("that nobody asked for was never seen", async () => {
      const { reference } = await driver.refund(await paid(), "refunded");
      assert.deepEqual(await gateway.refundOutcome(reference), { outcome: "never seen" });
    });

    test("whose answer is lost is found, and not done twice", async () => {
      const sale = await paid();
      const order = await driver.refund(sale, "answer lost");
      await assert.rejects(gateway.refund(order));
      const early = (await gateway.refundOutcome(order.reference)).outcome;
      assert(early === "unknown" || early === "refunded", early);
      await driver.wait(driver.surelyKnownSeconds);
      assert.deepEqual(await gateway.refundOutcome(order.reference), { outcome: "refunded" });
      assert.deepEqual(await other.refund(order), { outcome: "refunded" });
      assert.equal((await driver.truth(sale)).refundedMinor, Number(order.amount.minor));
    });

    test("whose order is lost is sent again, and done once", async () => {
      const sale = await paid();
      const order = await driver.refund(sale, "order lost");
      await assert.rejects(gateway.refund(order));
      await driver.wait(driver.surelyKnownSeconds);
      assert.deepEqual(await gateway.refundOutcome(order.reference), { outcome: "never seen" });
      assert.deepEqual(await gateway.refund(order), { outcome: "refunded" });
      assert.equal((await driver.truth(sale)).refundedMinor, Number(order.amount.minor));
    });

    test("is refused when its reference comes with another order", async () => {
      const sale = await paid();
      const order = await driver.refund(sale, "refunded");
      await gateway.refund(order);
      await assert.rejects(
        gateway.refund({ ...order, amount: money("TTD", 2010n) }),
        /came with another order/,
      );
      assert.equal((await driver.truth(sale)).refundedMinor, Number(order.amount.minor));
    });
  });
}

test("the gateway's books hold, and nothing secret was written", async () => {
  await assertFakeInvariant(fake);
  await expectNoSecrets(service, fake);
});

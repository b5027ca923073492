/**
 * A gateway that is down, loses orders or answers, comes late or contradicts itself costs no
 * customer money twice and no merchant a paid order (Decision 0040).
 */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { attemptsOf } from "../../../src/modules/checkout/session/attempt.ts";
import { takeAnswer } from "../../../src/modules/checkout/session/take-answers.ts";
import type { Gateway } from "../../../src/modules/gateway/port.ts";
import {
  answerBank,
  auditOf,
  CARDS,
  expectAllToAddUp,
  journal,
  look,
  openOrder,
  states,
  submit,
  sweep,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

const APPROVED = "success, [1-R00]: Transaction is approved.";

let service: TestService;

before(async () => {
  service = await startService();
});
after(() => service.stop());
afterEach(() => expectAllToAddUp(service));

/** The same service with a gateway that does something else in some of its methods. */
function withGateway(change: (real: Gateway) => Partial<Gateway>): TestService {
  const real = service.ctx.gateways.sandbox;
  assert(real !== undefined);
  const sandbox = { ...real, ...change(real) };
  return { ...service, ctx: { ...service.ctx, gateways: { ...service.ctx.gateways, sandbox } } };
}

async function passes(seconds: number): Promise<void> {
  await service.clock.advance({ seconds });
  await sweep(service);
}

describe("a gateway in trouble", () => {
  test("down: nothing was charged, and the customer may try again", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.down);
    await passes(10);
    assert.equal((await look(service, order)).step.kind, "working");
    await passes(21);
    assert.deepEqual((await look(service, order)).step, {
      kind: "card",
      declined: {
        card: { brand: "visa", lastFour: "2070" },
        code: "92",
        message: "The card network could not be reached.",
      },
    });
    await submit(service, order, CARDS.approved);
    assert.equal(await told(service, order), APPROVED);
  });

  test("that loses the answer after the work was done: asked at once, and paid", async () => {
    const order = await openOrder(service);
    const lossy = withGateway((real) => ({
      async sale(sale) {
        await real.sale(sale);
        throw new Error(`lost: ${JSON.stringify(sale.card)}`);
      },
    }));
    await submit(lossy, order, CARDS.approved);
    assert.equal(await told(service, order), APPROVED);
    assert.equal((await journal(service, order)).length, 1);
    assert(!service.logged.some((line) => /\b739\b/.test(line) && line.includes("lost:")));
  });

  test("that loses the order before the work: not charged, and known when no order can arrive", async () => {
    const order = await openOrder(service);
    const lossy = withGateway(() => ({ sale: () => Promise.reject(new Error("lost")) }));
    await submit(lossy, order, CARDS.approved);
    await passes(20);
    assert.deepEqual(await states(service, order), ["unknown"]);
    await passes(11);
    assert.deepEqual(await states(service, order), ["declined"]);
    await passes(180);
    assert.equal(
      await told(service, order),
      "failed, [2-R92]: The card network could not be reached.",
    );
  });

  test("that does the work long after we gave it up: voided, and the other card stays paid", async () => {
    const order = await openOrder(service);
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const slow = withGateway((real) => ({ sale: (sale) => arrived.then(() => real.sale(sale)) }));
    const first = submit(slow, order, CARDS.approved);
    while ((await states(service, order)).length === 0);
    await passes(31);
    assert.deepEqual(await states(service, order), ["declined"]);
    await submit(service, order, CARDS.mastercard);
    assert.equal(await told(service, order), APPROVED);
    arrive();
    await first;
    await sweep(service);
    assert.deepEqual(await states(service, order), ["voided", "approved"]);
    assert.deepEqual(await auditOf(service, order), ["late_approval", "late_approval_voided"]);
  });

  test("the same without another card: the time runs out, and nobody is told of an approval", async () => {
    const order = await openOrder(service);
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const slow = withGateway((real) => ({ sale: (sale) => arrived.then(() => real.sale(sale)) }));
    const first = submit(slow, order, CARDS.approved);
    while ((await states(service, order)).length === 0);
    await passes(31);
    arrive();
    await first;
    await sweep(service);
    assert.deepEqual(await states(service, order), ["voided"]);
    await passes(180);
    assert.equal(await told(service, order), "failed, [3-R98]: Transaction timed out.");
  });

  test("that contradicts itself: the first final word counts, and somebody is told", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.asked);
    await answerBank(service, order, "passed");
    assert.equal(await told(service, order), APPROVED);
    const [attempt] = await attemptsOf(service.ctx.db, order.id);
    assert(attempt !== undefined);
    const declined = { outcome: "declined", code: "05", message: "No." } as const;
    assert.equal(await takeAnswer(service.ctx, attempt, declined), "contradiction");
    assert.equal(await told(service, order), APPROVED);
    assert(service.logged.some((line) => line.includes("the gateway contradicts an attempt")));
  });

  test("whose answer about a challenge is lost: the sale is completed by the sweep", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.asked);
    const lossy = withGateway(() => ({
      completeChallenge: () => Promise.reject(new Error("lost")),
    }));
    await answerBank(lossy, order, "passed");
    assert.equal((await look(service, order)).step.kind, "working");
    await passes(2);
    assert.equal(await told(service, order), APPROVED);
  });

  test("that answers about a challenge when an error was told: the sale is not completed any more", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.asked);
    const dead = withGateway(() => ({
      completeChallenge: () => Promise.reject(new Error("the line is dead")),
      saleOutcome: () => Promise.reject(new Error("the line is dead")),
    }));
    await answerBank(dead, order, "passed");
    for (const seconds of [180, 30]) {
      await service.clock.advance({ seconds });
      await sweep(dead);
    }
    assert.match(await told(service, order), /^error, /);
    await passes(3600);
    assert.deepEqual(await states(service, order), ["declined"]);
    assert.equal((await journal(service, order))[0]?.outcome, null);
  });

  test("whose first answer comes after the customer was at the bank: nobody is sent there again", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.asked);
    const lossy = withGateway(() => ({
      completeChallenge: () => Promise.reject(new Error("lost")),
    }));
    await answerBank(lossy, order, "passed");
    const [attempt] = await attemptsOf(service.ctx.db, order.id);
    assert(attempt !== undefined);
    const late = { outcome: "challenge", token: attempt.challenge_token ?? "", html: "" } as const;
    assert.equal(await takeAnswer(service.ctx, attempt, late), "nothing new");
    assert.deepEqual(await states(service, order), ["unknown"]);
    await passes(2);
    assert.equal(await told(service, order), APPROVED);
  });
});

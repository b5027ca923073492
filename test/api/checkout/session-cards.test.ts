/**
 * A submitted card comes to exactly one end, which the payment, the session, the books and the
 * events tell alike; a declined one leaves room for another, five times (Decision 0040).
 */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { attemptsOf } from "../../../src/modules/checkout/session/attempt.ts";
import { giveUp, returnUrl } from "../../../src/modules/checkout/session/end-sessions.ts";
import {
  answerBank,
  CARDS,
  comeBack,
  eventsOf,
  expectAllToAddUp,
  journal,
  look,
  openOrder,
  payment,
  states,
  submit,
  sweep,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

const APPROVED = "success, [1-R00]: Transaction is approved.";

describe("a card that is submitted", () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  afterEach(() => expectAllToAddUp(service));

  test("is approved: paid once, told once, and the browser may go back", async () => {
    const order = await openOrder(service);
    assert.equal((await look(service, order)).step.kind, "card");
    assert.deepEqual(await submit(service, order, CARDS.approved), {
      kind: "taken",
      isOver: true,
    });
    assert.equal(await told(service, order), APPROVED);
    assert.deepEqual(await journal(service, order), [
      { outcome: "approved", call_count: 1, is_void: false },
    ]);
    assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.success"]);
    const { card_brand, card_last_four } = await payment(service, order);
    assert.deepEqual([card_brand, card_last_four], ["visa", "1111"]);
    const session = await look(service, order);
    assert.deepEqual(session.step, {
      kind: "ended",
      outcome: "paid",
      message: "[1-R00]: Transaction is approved.",
      card: { brand: "visa", lastFour: "1111" },
    });
    const back = new URL((await returnUrl(service.ctx, session)) ?? "");
    assert.equal(back.searchParams.get("status"), "success");
    assert.equal(back.searchParams.get("basket"), "7");
    assert.equal(back.searchParams.get("total"), "105.20");
  });

  test("is declined, and another one pays", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.declined);
    const session = await look(service, order);
    assert.deepEqual(session.step, {
      kind: "card",
      declined: {
        card: { brand: "visa", lastFour: "3333" },
        code: "05",
        message: "Transaction is declined.",
      },
    });
    assert.equal(session.triesLeft, 4);
    assert.equal(await returnUrl(service.ctx, session), undefined);
    await submit(service, order, CARDS.mastercard);
    assert.equal(await told(service, order), APPROVED);
    assert.deepEqual(await states(service, order), ["declined", "approved"]);
    assert.equal((await payment(service, order)).card_brand, "mastercard");
  });

  test("with a wrong security code is declined by its bank", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.wrongCvv);
    const { step } = await look(service, order);
    assert(step.kind === "card");
    assert.equal(step.declined?.message, "The security code of the card is wrong.");
  });

  test("is the fifth that is declined: the session ends with what its bank said", async () => {
    const order = await openOrder(service);
    for (let tried = 0; tried < 5; tried++) await submit(service, order, CARDS.declined);
    assert.equal(await told(service, order), "failed, [2-R05]: Transaction is declined.");
    await submit(service, order, CARDS.approved);
    assert.equal((await journal(service, order)).length, 5);
    assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.failed"]);
  });

  test("keeps the answer about the address, and nothing of the card but four digits", async () => {
    const order = await openOrder(service, { isAvs: true });
    const form = { country: "TT", addr1: "12 Frederick Street", city: "Arima", state: "TT-ARI" };
    await submit(service, order, "4111111111117777", { form });
    assert.equal(await told(service, order), APPROVED);
    const [attempt] = await attemptsOf(service.ctx.db, order.id);
    assert.equal(attempt?.avs_answer, "N");
    assert.equal(attempt?.card_last_four, "7777");
  });

  test("that breaks a rule reaches nobody", async () => {
    const order = await openOrder(service, { cardType: "mastercard", isAvs: true });
    const form = { expiry: "01/20", cvv: "12", holder: " " };
    const submitted = await submit(service, order, CARDS.approved, { form });
    assert(submitted.kind === "refused");
    assert.deepEqual(
      submitted.problems.map(({ field }) => field),
      ["number", "expiry", "cvv", "holder", "country", "addr1", "city"],
    );
    assert.doesNotMatch(JSON.stringify(submitted), /1111/);
    assert.deepEqual(await states(service, order), []);
    assert.deepEqual(await journal(service, order), []);
    assert.equal((await look(service, order)).attempts, 0);
  });

  for (const [result, expected] of [
    ["passed", APPROVED],
    ["refused", "incomplete, null"],
  ] as const)
    test(`asks its bank, and the customer ${result}: ${expected}`, async () => {
      const order = await openOrder(service);
      await submit(service, order, CARDS.asked);
      const { step } = await look(service, order);
      assert(step.kind === "challenge");
      const document = await service.ctx.gateways.sandbox?.challengeDocument(step.attemptId);
      assert.match(document ?? "", /sandbox\/acs/);
      await answerBank(service, order, result);
      assert.equal(await told(service, order), expected);
      const now = await look(service, order);
      assert.equal(now.step.kind, result === "passed" ? "ended" : "card");
    });

  test("asks its bank: who names another challenge, or none, changes nothing", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.asked);
    const session = await look(service, order);
    for (const token of ["", "another", order.token]) await comeBack(service, session, token);
    assert.deepEqual(await states(service, order), ["challenged"]);
    await answerBank(service, order, "passed");
    assert.equal(await told(service, order), APPROVED);
  });

  test("is not sent where no gateway is configured, and no attempt is counted", async () => {
    const order = await openOrder(service);
    const gateways = { live: undefined, sandbox: undefined };
    const poor = { ...service, ctx: { ...service.ctx, gateways } };
    await assert.rejects(submit(poor, order, CARDS.approved), { status: 503 });
    assert.equal((await look(service, order)).attempts, 0);
  });

  test("when the customer goes back instead: failed, in words that say so", async () => {
    const order = await openOrder(service);
    await giveUp(service.ctx, await look(service, order));
    assert.equal(
      await told(service, order),
      "failed, [2-R17]: The customer went back without paying.",
    );
    await submit(service, order, CARDS.approved);
    assert.deepEqual(await journal(service, order), []);
    await giveUp(service.ctx, await look(service, order));
  });

  test("when the customer goes back after a decline: failed with what the bank said", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.declined);
    await giveUp(service.ctx, await look(service, order));
    assert.equal(await told(service, order), "failed, [2-R05]: Transaction is declined.");
  });

  test("when the customer goes back from the bank's question: failed, and passing comes too late", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.asked);
    const session = await look(service, order);
    assert(session.step.kind === "challenge");
    await giveUp(service.ctx, session);
    await service.request(`/sandbox/acs/${session.step.token}`, {
      method: "POST",
      form: { result: "passed" },
    });
    await comeBack(service, session, session.step.token);
    await sweep(service);
    assert.match(await told(service, order), /^failed, \[2-R17\]/);
    assert.equal((await journal(service, order))[0]?.outcome, null);
  });

  test("whose outcome is not known: the customer cannot go back, and the answer counts", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.unknownThenApproved);
    await giveUp(service.ctx, await look(service, order));
    assert.equal((await look(service, order)).step.kind, "working");
    await service.clock.advance({ seconds: 10 });
    await sweep(service);
    assert.equal(await told(service, order), APPROVED);
  });
});

/**
 * Timeouts: a session ends when its time is over, from the gateway's last answer; an unknown
 * outcome is asked about again, its answer counts, and an approval that comes after the result was
 * sent is undone (Interface §3.2, Decision 0040).
 */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { returnUrl } from "../../../src/modules/checkout/session/end-sessions.ts";
import { submitCard } from "../../../src/modules/checkout/session/submit-card.ts";
import { createCheckoutSweep } from "../../../src/modules/checkout/session/sweep.ts";
import type { Gateway } from "../../../src/modules/gateway/port.ts";
import {
  auditOf,
  CARDS,
  comeBack,
  eventsOf,
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
import { until } from "../../../testkit/until.ts";

const APPROVED = "success, [1-R00]: Transaction is approved.";
const TIMED_OUT = "failed, [3-R98]: Transaction timed out.";
const NOT_KNOWN = "error, [3-R96]: The outcome of the transaction is not known.";

let service: TestService;

before(async () => {
  service = await startService();
});
after(() => service.stop());
afterEach(async () => {
  await sweep(service);
  await expectAllToAddUp(service);
});

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

describe("a session whose time is over", () => {
  for (const { isAvs, seconds } of [
    { isAvs: false, seconds: 180 },
    { isAvs: true, seconds: 300 },
  ])
    test(`${isAvs ? "with" : "without"} AVS after ${seconds} s: failed, and nothing is sent any more`, async () => {
      const order = await openOrder(service, { isAvs });
      await passes(seconds - 2);
      assert.equal((await look(service, order)).step.kind, "card");
      assert.equal(await told(service, order), "incomplete, null");
      await passes(2);
      assert.equal(await told(service, order), TIMED_OUT);
      const session = await look(service, order);
      assert(session.step.kind === "ended" && session.step.outcome === "expired");
      assert.match((await returnUrl(service.ctx, session)) ?? "", /status=failed/);
      await submit(service, order, CARDS.approved, { seenAttempts: 0 });
      assert.deepEqual(await journal(service, order), []);
      assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.failed"]);
    });

  test("is shown as ended before the sweep has ended it", async () => {
    const order = await openOrder(service);
    await service.clock.advance({ seconds: 181 });
    assert.equal((await look(service, order)).step.kind, "ended");
    assert.equal(await told(service, order), TIMED_OUT);
  });

  test("takes no card, also when nobody has written down yet that it is over", async () => {
    const order = await openOrder(service);
    const session = await look(service, order);
    await service.clock.advance({ seconds: 181 });
    const submitted = await submitCard(service.ctx, {
      session,
      pageUrl: "https://pay.example.com/checkout/x",
      form: { number: CARDS.approved, expiry: "12/39", cvv: "739", holder: "Anika Mohammed" },
      language: "en",
      seenAttempts: 0,
      address: "203.0.113.7",
    });
    assert.equal(submitted.kind, "taken");
    assert.deepEqual(await journal(service, order), []);
  });

  test("ends by itself where work is done in the background, once a second", async () => {
    const order = await openOrder(service);
    const unknown = await openOrder(service);
    await submit(service, unknown, CARDS.unknownThenApproved);
    const loop = createCheckoutSweep(service.ctx);
    loop.start();
    await service.clock.advance({ seconds: 181 });
    await until(async () => (await told(service, order)) === TIMED_OUT, "the session ended");
    await until(async () => (await told(service, unknown)) === APPROVED, "the gateway was asked");
    await loop.stop();
  });

  test("after a declined card: failed with what its bank said", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.declined);
    await passes(180);
    assert.equal(await told(service, order), "failed, [2-R05]: Transaction is declined.");
  });

  for (const card of ["silent", "asked"] as const)
    test(`while the bank asks (${card}): failed, and an answer after that moves no money`, async () => {
      const order = await openOrder(service);
      await submit(service, order, CARDS[card]);
      const session = await look(service, order);
      assert(session.step.kind === "challenge");
      await passes(100);
      assert.deepEqual(await states(service, order), ["challenged"]);
      await passes(80);
      assert.equal(await told(service, order), TIMED_OUT);
      await comeBack(service, session, session.step.token);
      await passes(60);
      assert.equal(await told(service, order), TIMED_OUT);
      assert.equal((await journal(service, order))[0]?.outcome, null);
    });
});

describe("an attempt whose outcome nobody knows", () => {
  test("then approved: paid, by one order, told while the customer waits", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.unknownThenApproved);
    assert.equal((await look(service, order)).step.kind, "working");
    await passes(1);
    assert.equal(await told(service, order), "incomplete, null");
    await passes(2);
    await passes(5);
    assert.equal(await told(service, order), APPROVED);
    assert.deepEqual(await journal(service, order), [
      { outcome: "approved", call_count: 1, is_void: false },
    ]);
  });

  test("then declined: another card pays", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.unknownThenDeclined);
    await submit(service, order, CARDS.approved);
    assert.equal((await journal(service, order)).length, 1);
    await passes(8);
    assert.equal((await look(service, order)).step.kind, "card");
    await submit(service, order, CARDS.approved);
    assert.equal(await told(service, order), APPROVED);
  });

  test("when the time is over: the gateway's answer counts within the grace", async () => {
    const order = await openOrder(service);
    await passes(178);
    await submit(service, order, CARDS.unknownThenApproved);
    await passes(3);
    assert.equal(await told(service, order), "incomplete, null");
    assert.equal((await look(service, order)).step.kind, "working");
    await passes(10);
    assert.equal(await told(service, order), APPROVED);
  });

  test("for longer than the grace: error is told, and a later approval is voided and reported", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.late);
    await passes(180);
    assert.equal(await told(service, order), "incomplete, null");
    await passes(30);
    assert.equal(await told(service, order), NOT_KNOWN);
    const session = await look(service, order);
    assert(session.step.kind === "ended" && session.step.outcome === "notKnown");
    assert.deepEqual(await states(service, order), ["unknown"]);
    await passes(600);
    await passes(900);
    assert.deepEqual(await states(service, order), ["voided"]);
    assert.equal(await told(service, order), NOT_KNOWN);
    assert.deepEqual(await journal(service, order), [
      { outcome: "approved", call_count: 1, is_void: true },
    ]);
    assert.deepEqual(await auditOf(service, order), ["late_approval", "late_approval_voided"]);
    assert(service.logged.some((line) => line.includes("a late approval was voided")));
    await passes(3600);
    assert.deepEqual(await eventsOf(service, order), [
      "payment.created",
      "payment.error",
      "payment.late_approval_voided",
    ]);
  });

  test("and a void that is lost, or refused: it is asked for until it is done", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.late);
    await passes(180);
    await passes(30);
    const answers = [
      () => Promise.reject(new Error("the line is dead")),
      () => Promise.resolve({ outcome: "rejected", reason: "Not now." } as const),
    ];
    const stubborn = withGateway((real) => ({
      voidSale: (reference) => answers.shift()?.() ?? real.voidSale(reference),
    }));
    await service.clock.advance({ minutes: 30 });
    await sweep(stubborn);
    assert.deepEqual(await states(service, order), ["void_due"]);
    for (const minutes of [5, 15]) {
      await service.clock.advance({ minutes });
      await sweep(stubborn);
    }
    assert.deepEqual(await states(service, order), ["voided"]);
    assert.deepEqual(await auditOf(service, order), ["late_approval", "late_approval_voided"]);
  });

  test("is asked about after 1, 2, 5, 10, 30 s, then 1, 5, 15 min, and when time and grace are over", async () => {
    const silent = withGateway(() => ({
      sale: () => Promise.reject(new Error("the line is dead")),
      saleOutcome: () => Promise.reject(new Error("the line is dead")),
    }));
    const order = await openOrder(service);
    await submit(silent, order, CARDS.approved);
    // Seconds after the card was submitted; time is moved to each question exactly.
    const expected = [1, 3, 8, 18, 48, 108, 180, 210, 510, 1410, 5010];
    for (const seconds of expected) {
      const { age, left } = await service.ctx.db.one<{ age: number; left: number }>(sql`
        select extract(epoch from next_ask_at - began_at)::float8 as age,
          extract(epoch from next_ask_at - app_now())::float8 as left
        from checkout_attempts where transaction_id = ${order.id}`);
      assert(
        Math.abs(age - seconds) < Math.max(0.9, seconds / 40) && left > 0,
        `${age} is not ${seconds}`,
      );
      await service.clock.advance({ seconds: left });
      await sweep(silent);
    }
    assert.equal(await told(service, order), NOT_KNOWN);
    await passes(3600);
    assert.deepEqual(await states(service, order), ["declined"]);
  });
});

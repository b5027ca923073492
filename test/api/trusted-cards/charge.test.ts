/**
 * A verified card is charged through the hosted page, which asks for the security code alone: the
 * same order, result and hash as any payment (Interface §2.5, Decision 0042).
 */

import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { after, describe, test } from "node:test";
import { register } from "prom-client";
import { type Statement, sql } from "../../../src/infra/db/query.ts";
import { hashOf } from "../../../src/modules/checkout/result/result-parameters.ts";
import { sell } from "../../../src/modules/checkout/session/ask-gateway.ts";
import { attemptsOf } from "../../../src/modules/checkout/session/attempt.ts";
import type { Sale } from "../../../src/modules/gateway/port.ts";
import {
  answerBank,
  CARDS,
  eventsOf,
  journal,
  look,
  payment,
  submit,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { startService } from "../../../testkit/service.ts";
import {
  askToCharge,
  askToSave,
  charge,
  closeService,
  openShop,
  payWithCode,
  remove,
  resultOf,
  saveCard,
  savedOf,
  verifiedCard,
  verify,
} from "../../../testkit/trusted-cards.ts";
import { blockTheLoop } from "../../../testkit/until.ts";

const service = await startService();
const { ctx } = service;
after(() => closeService(service));
const shop = await openShop(service);

test("a charge is a payment: result, hash, record, balance and events", async () => {
  const own = await openShop(service);
  const card = await verifiedCard(service, { shop: own });
  const more = { order_id: "box-7", origin: "The shop's own app!", email: "ann@example.com" };
  const order = await askToCharge(service, card, { ...more, data: "cart 7" });
  const session = await look(service, order);
  assert.deepEqual(session.stored, {
    uuid: card.uuid,
    brand: "visa",
    lastFour: "1111",
    expMonth: 12,
    expYear: 2039,
  });
  await payWithCode(service, order);
  const { searchParams: result } = await resultOf(service, order);
  const keys = await service.request("/user/payment-key?environment=sandbox", { token: own.token });
  const { hash_key } = keys.body.data;
  assert.equal(result.get("status"), "success");
  assert.equal(result.get("order_id"), "box-7");
  assert.equal(result.get("total"), "105.20");
  assert.equal(result.get("card"), "visa **** 1111");
  assert.equal(result.get("data"), "cart 7");
  assert.equal(result.get("hash"), hashOf(order.id, "100.00", hash_key));
  const { body } = await service.request(`/transactions/${order.id}`, { token: own.token });
  assert.equal(body.data.method, "trusted_card");
  assert.equal(body.data.origin, "The shop's own app!");
  assert.deepEqual(body.data.customer, { email: "ann@example.com" });
  assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.success"]);
  const user = await service.request("/user/?environment=sandbox", { token: own.token });
  assert.equal(user.body.data.balances.local.available, "100.00");
});

test("the page shows which card it is and asks for its security code alone", async () => {
  const order = await askToCharge(service, await verifiedCard(service, { shop }));
  const { text } = await service.request(`/checkout/${order.token}`);
  assert.match(text, /Visa ending in 1111/);
  assert.match(text, /Expires 12 \/ 39/);
  assert.match(text, /id="cvv"/);
  for (const name of ["number", "expiry", "holder", "country"])
    assert.doesNotMatch(text, new RegExp(`id="${name}"`));
});

test("the gateway gets the card as it was typed, and the code of this time", async () => {
  const order = await askToCharge(service, await verifiedCard(service, { shop }));
  const real = ctx.gateways.sandbox;
  assert(real !== undefined);
  const sales: Sale[] = [];
  const sale = (one: Sale) => {
    sales.push(one);
    return real.sale(one);
  };
  Object.assign(ctx.gateways, { sandbox: { ...real, sale } });
  await payWithCode(service, order, "482").finally(() =>
    Object.assign(ctx.gateways, { sandbox: real }),
  );
  assert.deepEqual(
    sales.map(({ card }) => card),
    [
      {
        number: "4111111111111111",
        expiryMonth: 12,
        expiryYear: 2039,
        holder: "Anika Mohammed",
        cvv: "482",
      },
    ],
  );
});

test("a card that took too long to open is not sent any more", async () => {
  const order = await askToCharge(service, await verifiedCard(service, { shop }));
  await payWithCode(service, order);
  const [attempt] = await attemptsOf(ctx.db, order.id);
  const real = ctx.gateways.sandbox;
  assert(attempt !== undefined && real !== undefined);
  let sentCount = 0;
  const sale = async () => {
    sentCount += 1;
    return { outcome: "approved", code: "00", message: "" } as const;
  };
  const sold = (waitMs: number) =>
    sell(ctx, { ...real, sale }, attempt, performance.now() - 4_500, async () => {
      blockTheLoop(waitMs);
      return {} as Sale;
    });
  assert.deepEqual([await sold(600), sentCount], [{ outcome: "unknown" }, 0]);
  assert.deepEqual([(await sold(0)).outcome, sentCount], ["approved", 1]);
});

test("a charge needs one connection: inside its tx, nothing is asked beside it", async () => {
  const card = await verifiedCard(service, { shop });
  const inside = new AsyncLocalStorage<boolean>();
  const beside: unknown[] = [];
  const real = { ...ctx.db };
  const watched = <T>(run: (statement: Statement) => T) => {
    return (statement: Statement): T => {
      if (inside.getStore()) beside.push(statement);
      return run(statement);
    };
  };
  Object.assign(ctx.db, {
    rows: watched(real.rows),
    one: watched(real.one),
    maybeOne: watched(real.maybeOne),
    run: watched(real.run),
    transaction: (...[work, options]: Parameters<typeof real.transaction>) =>
      real.transaction((tx) => inside.run(true, () => work(tx)), options),
  });
  await askToCharge(service, card).finally(() => Object.assign(ctx.db, real));
  assert.deepEqual(beside, []);
});

test("a wrong code is the customer's to mend, and then the customer's total is asked for", async () => {
  const order = await askToCharge(service, await verifiedCard(service, { shop }));
  assert.deepEqual(await payWithCode(service, order, "12"), {
    kind: "refused",
    problems: [
      {
        field: "cvv",
        message: "The security code has 3 digits. It is on the back of the card.",
      },
    ],
  });
  assert.deepEqual(await journal(service, order), []);
  await payWithCode(service, order);
  const [sale] = await ctx.db.rows(sql`
    select card_brand, card_last_four, amount_minor from simulator_sales
    where transaction_id = ${order.id}`);
  assert.deepEqual(sale, { card_brand: "visa", card_last_four: "1111", amount_minor: 10_520n });
});

const failedCount = async () => {
  const { values = [] } = (await register.getSingleMetric("windward_checkouts_total")?.get()) ?? {};
  return values.reduce((sum, one) => sum + (one.labels.status === "failed" ? one.value : 0), 0);
};

test("an order whose time is over is counted once its end is committed", async () => {
  const card = await verifiedCard(service, { shop });
  const asked = { order_id: "over-1" };
  await askToCharge(service, card, asked);
  await service.clock.advance({ seconds: 181 });
  const before = await failedCount();
  // The old one is ended, then the new one is refused: neither is there.
  await ctx.db.run(sql`
    create function refuse_charges() returns trigger language plpgsql
    as 'begin raise exception ''no charges today''; end'`);
  await ctx.db.run(sql`
    create trigger no_charges before insert on card_charges
    for each row execute function refuse_charges()`);
  assert.equal((await charge(service, card, asked)).status, 500);
  assert.equal(await failedCount(), before);
  await ctx.db.run(sql`drop trigger no_charges on card_charges`);
  await askToCharge(service, card, asked);
  assert.equal(await failedCount(), before + 1);
});

describe("a charge is refused", () => {
  const refusal = async (answer: ReturnType<typeof charge>) => {
    const { status, body } = await answer;
    return [status, body.message];
  };

  test("of a card that is not verified, in a sentence", async () => {
    const card = await saveCard(service, { shop });
    assert.deepEqual(await refusal(charge(service, card)), [409, "The card is not verified."]);
  });

  test("of a card that has expired, in a sentence", async () => {
    const card = await verifiedCard(service, { shop });
    await ctx.db.transaction(async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      await tx.run(sql`
        update trusted_cards set exp_year = 2025 where card_uuid = ${card.uuid}`);
    });
    assert.deepEqual(await refusal(charge(service, card)), [409, "The card has expired."]);
  });

  test("of a card that was deleted, and a page that was open then ends", async () => {
    const card = await verifiedCard(service, { shop });
    const order = await askToCharge(service, card);
    assert.equal((await remove(service, card)).status, 200);
    assert.deepEqual(await refusal(charge(service, card)), [404, "Not Found"]);
    assert.equal((await service.request(`/checkout/${order.token}`)).status, 200);
    const before = await failedCount();
    assert.deepEqual(await payWithCode(service, order), { kind: "taken", isOver: false });
    assert.equal(await told(service, order), "failed, [2-R14]: The saved card was deleted.");
    assert.equal((await failedCount()) - before, 1);
    assert.deepEqual(await journal(service, order), []);
  });

  test("where the order is tried with another card, and the same one is opened once", async () => {
    const one = await verifiedCard(service, { shop });
    const two = await verifiedCard(service, { shop });
    const asked = { order_id: "same-order" };
    const order = await askToCharge(service, one, asked);
    assert.equal((await askToCharge(service, one, asked)).id, order.id);
    await payWithCode(service, order);
    assert.deepEqual(await refusal(charge(service, two, asked)), [
      400,
      "The order id is already being paid or has been paid.",
    ]);
  });

  test("where a field breaks a rule: the first one speaks", async () => {
    const card = await verifiedCard(service, { shop });
    const { email } = shop;
    const CASES: [Record<string, unknown>, string][] = [
      [{ currency: "" }, "The currency field is required."],
      [{ currency: "JMD", total: "100" }, "The currency must be one of: TTD, USD."],
      [{ currency: "BBD", total: "x" }, "The currency must be one of: TTD, USD."],
      [
        { fee_structure: "mine" },
        "The fee structure must be one of: customer_pay, merchant_absorb, split.",
      ],
      [{ order_id: "-x" }, "The order id format is invalid."],
      [{ order_id: "" }, "The order id field is required."],
      [{ response_url: "ftp://x.example" }, "The response url must be a valid URL."],
      [{ total: "1.00" }, "The total must be from 5.00 to 20400.00 TTD."],
      [{ total: "1.005" }, "The total must be a number with at most 2 decimal places."],
      [{ origin: "x".repeat(33) }, "The origin must not be longer than 32 characters."],
      [{ data: "x".repeat(4097) }, "The data must not be longer than 4096 characters."],
      [{ email: "nobody" }, "The email must be a valid email address."],
      [{ email }, "The email must not be the merchant's own."],
      [{ origin: "4111 1111 1111 1111" }, "The origin must not contain a card number."],
    ];
    const count = async () =>
      (await ctx.db.one<{ count: number }>(sql`select count(*)::int as count from card_charges`))
        .count;
    const before = await count();
    for (const [json, message] of CASES) {
      const { status, body } = await charge(service, card, json);
      assert.deepEqual([status, body], [400, { message }], JSON.stringify(json));
    }
    assert.equal(await count(), before);
  });
});

test("a card whose bank asks is charged after the answer, or not at all", async () => {
  for (const [result, status] of [
    ["passed", "success"],
    ["refused", "incomplete"],
  ] as const) {
    const saving = await askToSave(service, shop);
    await submit(service, saving, CARDS.asked);
    await answerBank(service, saving, "passed");
    const card = await savedOf(service, saving);
    assert.equal((await verify(service, card, card.amount)).status, 200);
    const order = await askToCharge(service, card);
    await payWithCode(service, order);
    assert.equal((await look(service, order)).step.kind, "challenge");
    await answerBank(service, order, result);
    assert.equal((await payment(service, order)).status, status);
  }
});

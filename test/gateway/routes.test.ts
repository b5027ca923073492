/**
 * The guarantee: each live sale goes to the gateway that the routes name for its platform and
 * currency, the most specific and latest one, and everything about it later goes to the same one,
 * whatever the routes say by then (Decision 0081).
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, beforeEach, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { type Currency, money } from "../../src/kit/money.ts";
import type { Gateway, GatewayName, Sale } from "../../src/modules/gateway/port.ts";
import { createRouter } from "../../src/modules/gateway/route-orders.ts";
import { startService } from "../../testkit/service.ts";
import { saleWith } from "./support.ts";

const service = await startService();
const { db } = service.ctx;
after(() => service.stop());

let asked: string[] = [];

/** A gateway that says nothing but that it was asked. */
function recorder(name: GatewayName): Gateway {
  const note = <T>(call: string, answer: T) => {
    asked.push(`${name} ${call}`);
    return Promise.resolve(answer);
  };
  const approved = { outcome: "approved", code: "00", message: "Approved." } as const;
  return {
    state: () => "up",
    onUp() {},
    async stop() {},
    returnedToken: ({ token }) => token,
    challengeDocument: () => note("document", "<!doctype html>"),
    sale: () => note("sale", approved),
    completeChallenge: () => note("completion", approved),
    saleOutcome: () => note("outcome", approved),
    voidSale: () => note("void", { outcome: "voided" }),
    refund: () => note("refund", { outcome: "refunded" }),
    refundOutcome: () => note("refund outcome", { outcome: "refunded" }),
  };
}

const adapters = new Map(
  (["simulator", "powertranz"] as const).map((name) => [name, recorder(name)]),
);
const router = createRouter(db, adapters, "powertranz");

async function route(
  country: string | null,
  currency: Currency | null,
  gateway: GatewayName,
  inHours = -1,
): Promise<void> {
  await db.run(sql`
    insert into gateway_routes (country_code, currency, gateway, valid_from)
    values (${country}, ${currency}, ${gateway},
      app_now() + make_interval(hours => ${inHours}))`);
}

const saleIn = (country: string, currency: Currency): Sale =>
  saleWith("4111111111111111", {
    transactionId: `${country}-${randomUUID()}`,
    amount: money(currency, 1000n),
  });

async function servedBy(country: string, currency: Currency): Promise<string> {
  asked = [];
  await router.sale(saleIn(country, currency));
  return asked.join();
}

beforeEach(async () => {
  asked = [];
  await db.run(sql`truncate gateway_routes`);
});

describe("a sale", () => {
  test("without a route goes to the gateway of the settings", async () => {
    assert.equal(await servedBy("TT", "TTD"), "powertranz sale");
  });

  test("goes by the most specific route", async () => {
    await route(null, null, "powertranz");
    await route("JM", null, "simulator");
    await route("JM", "USD", "powertranz");
    assert.equal(await servedBy("JM", "JMD"), "simulator sale");
    assert.equal(await servedBy("JM", "USD"), "powertranz sale");
    assert.equal(await servedBy("TT", "TTD"), "powertranz sale");
  });

  test("goes by the latest of equal routes, and by none that is yet to come", async () => {
    await route(null, "TTD", "powertranz", -3);
    await route(null, "TTD", "simulator", -2);
    await route(null, "TTD", "powertranz", 2);
    assert.equal(await servedBy("TT", "TTD"), "simulator sale");
    await service.clock.advance({ hours: 3 });
    assert.equal(await servedBy("TT", "TTD"), "powertranz sale");
  });
});

describe("what follows a sale", () => {
  test("goes to the gateway that has it, though the routes have changed", async () => {
    await route(null, null, "simulator", -2);
    const sale = saleIn("TT", "TTD");
    await router.sale(sale);
    await route(null, null, "powertranz", -1);
    const { reference, transactionId, amount } = sale;
    const order = { reference: randomUUID(), transactionId, saleReference: reference, amount };
    asked = [];
    await router.sale(sale);
    await router.challengeDocument(reference);
    await router.completeChallenge(reference, "token", {});
    await router.saleOutcome(reference);
    await router.voidSale(reference);
    await router.refund(order);
    await router.refundOutcome(order.reference);
    assert.deepEqual(
      asked.map((one) => one.split(" ")[0]),
      Array.from({ length: 7 }, () => "simulator"),
    );
  });

  test("of a reference that no gateway was asked about is known without asking one", async () => {
    const reference = randomUUID();
    assert.deepEqual(await router.saleOutcome(reference), { outcome: "never seen" });
    assert.deepEqual(await router.refundOutcome(reference), { outcome: "never seen" });
    assert.equal((await router.voidSale(reference)).outcome, "rejected");
    assert.equal(await router.challengeDocument(reference), undefined);
    await assert.rejects(router.completeChallenge(reference, "token", {}));
    assert.deepEqual(asked, []);
  });
});

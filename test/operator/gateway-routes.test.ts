/**
 * The guarantee: a row says which gateway serves a live payment, by platform and currency from a
 * date on, and a payment stays with the gateway that served it.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { type Currency, money } from "../../src/kit/money.ts";
import type { Gateway, GatewayName, Sale } from "../../src/modules/gateway/port.ts";
import { createRouter } from "../../src/modules/gateway/route-orders.ts";
import {
  expectRefusal,
  operator,
  operatorEntries,
  operatorJson,
  SIGNED,
} from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";

const CONFIGURED = {
  POWERTRANZ_URL: "http://127.0.0.1:9/api/",
  POWERTRANZ_ID: "1",
  POWERTRANZ_PASSWORD: "nothing",
};

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

function route(...words: readonly string[]) {
  const options = { settings: CONFIGURED };
  return operatorJson(service, ["route-gateway", ...words, ...SIGNED], options);
}

/** Says who it is. */
function adapter(name: GatewayName): Gateway {
  const answer = { outcome: "declined", code: "05", message: name } as const;
  const unused = () => assert.fail("it is not asked");
  return {
    state: () => "up",
    onUp() {},
    stop: async () => {},
    sale: async () => answer,
    challengeDocument: async () => name,
    returnedToken: unused,
    completeChallenge: unused,
    saleOutcome: async () => answer,
    voidSale: unused,
    refund: async () => ({ outcome: "rejected", reason: name }),
    refundOutcome: unused,
  };
}

const router = (db = service.ctx.db) =>
  createRouter(
    db,
    new Map([
      ["simulator", adapter("simulator")],
      ["powertranz", adapter("powertranz")],
    ]),
    "simulator",
  );

function saleOf(platform: string, currency: Currency, reference: string = randomUUID()): Sale {
  return {
    reference,
    transactionId: `${platform}-01ARZ3NDEKTSV4RRFFQ69G5FAV`,
    attemptNumber: 1,
    amount: money(currency, 100n),
    isAmountSecret: false,
    card: { number: "", cvv: "", holder: "", expiryMonth: 1, expiryYear: 2030 },
    isStoredCard: false,
    billing: {},
    email: undefined,
    wantsAvs: false,
    challengeReturnUrl: "https://pay.example.com/",
  };
}

async function served(sale: Sale): Promise<string> {
  const answer = await router().sale(sale);
  return answer.outcome === "declined" ? answer.message : answer.outcome;
}

test("the row decides, from its date on, and a payment stays where it was served", async () => {
  const early = saleOf("TT", "TTD");
  assert.equal(await served(early), "simulator");
  await route("--platform", "TT", "--currency", "TTD", "--gateway", "powertranz");
  assert.equal(await served(saleOf("TT", "TTD")), "powertranz");
  for (const [platform, currency] of [
    ["JM", "TTD"],
    ["TT", "USD"],
  ] as const)
    assert.equal(await served(saleOf(platform, currency)), "simulator");
  assert.equal(await served(early), "simulator");
  assert.deepEqual(await router().saleOutcome(early.reference), {
    outcome: "declined",
    code: "05",
    message: "simulator",
  });
  const order = {
    reference: randomUUID(),
    transactionId: early.transactionId,
    saleReference: early.reference,
    amount: early.amount,
  };
  assert.deepEqual(await router().refund(order), { outcome: "rejected", reason: "simulator" });
  const orders = await service.ctx.db.rows<{ gateway: string }>(sql`
    select gateway from gateway_orders
    where reference in (${early.reference}, ${order.reference})`);
  assert.deepEqual(orders, [{ gateway: "simulator" }, { gateway: "simulator" }]);
});

test("a route of tomorrow is listed and does not hold today", async () => {
  const tomorrow = new Date(Date.now() + 36 * 3600_000).toISOString();
  await route("--currency", "JMD", "--gateway", "powertranz", "--from", tomorrow);
  assert.equal(await served(saleOf("JM", "JMD")), "simulator");
  const listed = await operatorJson(service, ["gateway-routes"], { settings: CONFIGURED });
  assert.equal(listed.without_a_route, "powertranz");
  assert.deepEqual(
    listed.routes.map((one: Record<string, unknown>) => [
      one.country_code,
      one.currency,
      one.gateway,
      one.is_current,
    ]),
    [
      [null, "JMD", "powertranz", false],
      ["TT", "TTD", "powertranz", true],
    ],
  );
  await service.clock.advance({ hours: 37 });
  assert.equal(await served(saleOf("JM", "JMD")), "powertranz");
});

test("a later route takes the place of an earlier one", async () => {
  const list = async () => {
    const { routes } = await operatorJson(service, ["gateway-routes"], { settings: CONFIGURED });
    return routes.filter((one: Record<string, unknown>) => one.country_code === "BB");
  };
  await route("--platform", "BB", "--gateway", "powertranz");
  const [first] = await list();
  await service.clock.advance({ minutes: 1 });
  await route("--platform", "BB", "--gateway", "powertranz");
  const after = await list();
  assert.equal(after.length, 1);
  assert.notEqual(after[0].valid_from, first.valid_from);
});

test("it is signed, and refused when it says nothing new or names what is not configured", async () => {
  const words = ["--platform", "GD", "--gateway", "powertranz", "--from", "2027-01-01"];
  await route(...words);
  const [entry] = (await operatorEntries(service)).slice(-1);
  assert.equal(entry?.action, "gateway_routed");
  assert.deepEqual([entry?.detail.platform, entry?.detail.gateway], ["GD", "powertranz"]);
  const again = await operator(service, ["route-gateway", ...words, ...SIGNED], {
    settings: CONFIGURED,
  });
  assert.deepEqual(again, {
    code: 1,
    stdout: "",
    stderr: "A route of this platform, currency and time exists already.\n",
  });
  await expectRefusal(
    service,
    ["route-gateway", "--gateway", "powertranz", ...SIGNED],
    "The settings configure no live gateway powertranz.",
  );
});

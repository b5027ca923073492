/**
 * The guarantee: after a sale the fake gateway voids, refunds, remembers and settles as the
 * acquirer's documents say, and nothing beyond the sale.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, describe, test } from "node:test";
import { createCaller, saleRequest, verdict } from "../../testkit/powertranz/caller.ts";
import { startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { assertFakeInvariant } from "../../testkit/powertranz/invariant.ts";

const fake = await startPowertranzFake();
const { control } = fake;
const caller = createCaller(fake);
const { post, pay, lookUp, searchOrder, voidSale, refund } = caller;
afterEach(() => assertFakeInvariant(fake));
after(() => fake.stop());

const prepare = async () => (await post("spi/sale", saleRequest())).body;

describe("19: void", () => {
  test("once, with an identifier of its own; the lookup then has VoidDateTime and still 00", async () => {
    const { id, answer } = await pay();
    const { body } = await voidSale(id);
    assert.deepEqual(
      [body.TransactionType, body.Approved, body.OriginalTrxnIdentifier],
      [4, true, id],
    );
    assert.notEqual(body.TransactionIdentifier, answer.TransactionIdentifier);
    const { body: found } = await lookUp(id);
    assert.equal(found.IsoResponseCode, "00");
    assert.ok(found.OrderSummary.VoidDateTime);
    assert.equal(verdict((await voidSale(id)).body), "12/380");
    assert.equal(verdict((await refund(id, 1)).body), "96/384");
    assert.equal(verdict((await voidSale(randomUUID())).body), "12/381");
  });

  test("not after its window, not when switched off", async () => {
    const { id } = await pay();
    await control.set({ voidNever: true });
    assert.equal(verdict((await voidSale(id)).body), "12/380");
    await control.set({ voidNever: false });
    await control.advance(1201);
    assert.equal(verdict((await voidSale(id)).body), "12/380");
  });
});

describe("20: refund", () => {
  test("parts up to the sum; the same ExternalIdentifier twice refunds twice", async () => {
    const { id } = await pay();
    const ours = { ExternalIdentifier: "rf-1", CurrencyCode: "780" };
    for (const _ of [1, 2]) assert.equal((await refund(id, 60, ours)).body.Approved, true);
    assert.equal(verdict((await refund(id, 0.51)).body), "12/383");
    assert.equal((await refund(id, 0.5)).body.TransactionType, 5);
    assert.equal(verdict((await refund(randomUUID(), 1)).body), "12/381");
    assert.equal(verdict((await refund(id, 1, { Refund: false })).body), "97/37");
    const { body } = await searchOrder(id);
    assert.deepEqual(
      body.Transactions.map((one: Record<string, unknown>) => [
        one.TransactionType,
        one.ExternalIdentifier,
      ]),
      [
        [2, id],
        [5, "rf-1"],
        [5, "rf-1"],
        [5, undefined],
      ],
    );
    assert.deepEqual([body.CreditCount, body.TotalCreditAmount], [3, 120.5]);
  });

  test("one only, by switch", async () => {
    const { id } = await pay();
    await control.set({ oneRefundOnly: true });
    assert.equal((await refund(id, 1)).body.Approved, true);
    assert.equal(verdict((await refund(id, 1)).body), "12/382");
    await control.set({ oneRefundOnly: false });
  });
});

describe("21: lookups", () => {
  test("have no Approved, find declined sales, and do not find prepared ones", async () => {
    const { id } = await pay();
    const { body } = await lookUp(id);
    assert.ok(!("Approved" in body));
    assert.deepEqual(
      [body.IsoResponseCode, body.TotalAmount, body.CurrencyCode],
      ["00", 120.5, "780"],
    );
    const declined = await pay({ card: { CardPan: "5111111111113333" } });
    assert.equal((await lookUp(declined.id)).body.IsoResponseCode, "05");
    assert.equal((await searchOrder(declined.id)).status, 404);
    assert.equal((await lookUp((await prepare()).TransactionIdentifier)).status, 404);
    const { request } = await pay();
    const found = await caller.call(
      `Transactions/Search?OrderIdentifier=${request.OrderIdentifier}`,
    );
    assert.equal(found.body.length, 1);
    assert.equal(
      verdict((await caller.call("Transactions/Search?StartDateTime=2026-01-01")).body),
      "97/36",
    );
  });

  test("not found in three ways, a delay, and none at all, by switch", async () => {
    const unknown = randomUUID();
    const { status, text } = await lookUp(unknown);
    assert.deepEqual([status, text], [404, ""]);
    await control.set({ lookupNotFoundAs: "null" });
    assert.equal((await lookUp(unknown)).text, "null");
    await control.set({ lookupNotFoundAs: "12/381" });
    assert.equal(verdict((await lookUp(unknown)).body), "12/381");
    await control.set({ lookupNotFoundAs: "404", lookupDelaySeconds: 30 });
    const { id } = await pay();
    assert.equal((await lookUp(id)).status, 404);
    await control.advance(31);
    assert.equal((await lookUp(id)).body.IsoResponseCode, "00");
    await control.set({ lookupOff: true, lookupDelaySeconds: 0 });
    assert.equal((await lookUp(id)).status, 404);
    await control.set({ lookupOff: false });
  });
});

describe("23: settlement", () => {
  test("a tick settles sales and refunds; voids are refused from then on; the report lists them", async () => {
    const { id, request } = await pay();
    await refund(id, 20.25);
    await control.send({ settle: true, switches: { feeBasisPoints: 200 } });
    assert.equal(verdict((await voidSale(id)).body), "12/380");
    assert.equal((await lookUp(id)).body.OrderSummary.SettledAmount, 120.5);
    const lines = (await control.settlementReport()).split("\r\n");
    assert.match(lines[0] ?? "", /^TransactionIdentifier,OrderIdentifier,TransactionType,Amount,/);
    const own = lines.filter((line) => line.includes(request.OrderIdentifier));
    assert.deepEqual(
      own.map((line) => line.split(",").toSpliced(5, 1).slice(2)),
      [
        ["2", "120.50", "780", "2.41"],
        ["5", "20.25", "780", "0.00"],
      ],
    );
  });
});

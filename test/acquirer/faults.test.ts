/**
 * The guarantee: a fault that a test orders happens, where it was ordered and so often, and the
 * control door says what truly happened behind it without showing a secret.
 */

import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import { createCaller, saleRequest } from "../../testkit/powertranz/caller.ts";
import type { TransactionTruth } from "../../testkit/powertranz/control-door.ts";
import { FAKE_MERCHANT, startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { startFakeProcess } from "../../testkit/powertranz/fake-process.ts";
import { FAULT_KINDS, FAULTS, type FaultKind } from "../../testkit/powertranz/fault-kinds.ts";
import { assertFakeInvariant } from "../../testkit/powertranz/invariant.ts";
import { playBrowser } from "../../testkit/powertranz/play-browser.ts";

const fake = await startPowertranzFake();
const { control } = fake;
const { post, complete, lookUp, refund, voidSale, pay } = createCaller(fake);
afterEach(async () => {
  await control.send({ clearFaults: true });
  await assertFakeInvariant(fake);
});
after(() => fake.stop());

const prepared = async (changes = {}) => {
  const { body } = await post("spi/sale", saleRequest(changes));
  await playBrowser(body.RedirectData);
  return { id: String(body.TransactionIdentifier), token: String(body.SpiToken) };
};

/** What the caller of `spi/payment` gets, in short. */
const SEEN: Readonly<Record<FaultKind, string>> = {
  "slow-before": "200 true/00",
  "slow-after": "200 true/00",
  drip: "hangs",
  "cut-before": "broken",
  "cut-after": "broken",
  "cut-in-body": "broken",
  "reset-before": "broken",
  "reset-after": "broken",
  "502-before": "502 page",
  "504-after": "504 page",
  "500-html-before": "500 page",
  "500-html-after": "500 page",
  "cloudflare-403": "403 page",
  "cloudflare-429": "429 page",
  "cloudflare-520": "520 page",
  "cloudflare-522": "522 page",
  "200-html-before": "200 page",
  "200-html-after": "200 page",
  "200-empty-before": "200 empty",
  "200-empty-after": "200 empty",
  "json-bom": "200 no JSON",
  "json-5mb": "200 true/00",
  "redirect-302": "302 empty",
  "iso-96-with-effect": "200 false/96/317",
  "iso-96-without-effect": "200 false/96/317",
  "iso-91-with-effect": "200 false/91/391",
  "iso-91-without-effect": "200 false/91/391",
  "iso-99-with-effect": "200 false/99",
  "iso-99-without-effect": "200 false/99",
  "iso-68-with-effect": "200 false/68",
  "iso-68-without-effect": "200 false/68",
  "iso-09-with-effect": "200 false/09",
  "iso-09-without-effect": "200 false/09",
  "approved-with-10": "200 true/10",
  "approved-other-amount": "200 true/00",
  "approved-other-currency": "200 true/00",
  "approved-other-identifier": "200 true/00",
  "not-approved-with-00": "200 false/00",
  "without-approved": "200 undefined/00",
  "without-risk-management": "200 true/00",
};

/** Waits long for what must come, and not long for what must not. */
async function completeRaw(token: string, expected = ""): Promise<{ seen: string; text: string }> {
  const signal = AbortSignal.timeout(expected === "hangs" ? 1_500 : 20_000);
  try {
    const response = await fetch(`${fake.url}spi/payment`, {
      method: "POST",
      body: JSON.stringify(token),
      redirect: "manual",
      signal,
    });
    const { status } = response;
    // As bytes, because text() takes the BOM away.
    const text = Buffer.from(await response.arrayBuffer()).toString();
    if (text === "") return { seen: `${status} empty`, text };
    if (text.startsWith("<!DOCTYPE")) return { seen: `${status} page`, text };
    if (text.startsWith("\uFEFF")) return { seen: `${status} no JSON`, text };
    const { Approved, IsoResponseCode, Errors = [] } = JSON.parse(text);
    const errors = Errors.map(({ Code }: { Code: string }) => `/${Code}`);
    return { seen: `${status} ${Approved}/${IsoResponseCode}${errors.join("")}`, text };
  } catch {
    return { seen: signal.aborted ? "hangs" : "broken", text: "" };
  }
}

describe("9 to 12 and 18: each fault of spi/payment", () => {
  for (const kind of FAULT_KINDS)
    test(`${kind} is seen as "${SEEN[kind]}", ${FAULTS[kind].hasEffect ? "with" : "without"} effect`, async () => {
      const { id, token } = await prepared();
      await control.fault({
        kind,
        endpoint: "spi/payment",
        transactionIdentifier: id,
        seconds: 0.2,
      });
      const { seen } = await completeRaw(token, SEEN[kind]);
      assert.equal(seen, SEEN[kind]);
      const { isApproved, chargeCount } = await control.transaction(id);
      assert.deepEqual([isApproved, chargeCount], [FAULTS[kind].hasEffect, isApproved ? 1 : 0]);
      const [call] = (await control.calls("spi/payment")).slice(-1);
      assert.equal(call?.fault, kind);
    });

  test("odd approvals differ in the named field from what was asked for", async () => {
    const answers = await Promise.all(
      (
        [
          "approved-other-amount",
          "approved-other-currency",
          "approved-other-identifier",
          "without-risk-management",
        ] as const
      ).map(async (kind) => {
        const { id, token } = await prepared();
        await control.fault({ kind, transactionIdentifier: id, endpoint: "spi/payment" });
        return { id, body: JSON.parse((await completeRaw(token)).text) };
      }),
    );
    const [amount, currency, identifier, risk] = answers;
    assert.equal(amount?.body.TotalAmount, 121.5);
    assert.equal(currency?.body.CurrencyCode, "978");
    assert.notEqual(identifier?.body.TransactionIdentifier, identifier?.id);
    assert.equal(risk?.body.RiskManagement, undefined);
  });

  test("a 429 says when to come again, with a cookie; a redirect leads to another host", async () => {
    await control.fault(
      { kind: "cloudflare-429", endpoint: "lookup", seconds: 7 },
      { kind: "redirect-302", endpoint: "lookup" },
    );
    const limited = await fetch(`${fake.url}Transactions/x`, { redirect: "manual" });
    assert.equal(limited.headers.get("retry-after"), "7");
    assert.match(limited.headers.get("set-cookie") ?? "", /__cf_bm/);
    assert.equal(limited.headers.get("server"), "cloudflare");
    const moved = await fetch(`${fake.url}Transactions/x`, { redirect: "manual" });
    assert.match(moved.headers.get("location") ?? "", /^http:\/\/localhost:\d+\/elsewhere$/);
    await fetch(moved.headers.get("location") ?? "");
    assert.equal((await control.calls("elsewhere")).length, 1);
  });
});

describe("faults", () => {
  test("last for so many calls, of the endpoint they are for", async () => {
    await control.fault({ kind: "502-before", endpoint: "lookup", times: 2 });
    const { id } = await pay();
    const statuses = [await lookUp(id), await lookUp(id), await lookUp(id)].map(
      (one) => one.status,
    );
    assert.deepEqual(statuses, [502, 502, 200]);
  });

  test("come by chance, and the same seed repeats them", async () => {
    const { id } = await pay();
    const draw = async () => {
      await control.send({
        random: { rate: 0.3, kinds: ["502-before", "500-html-after"], seed: 7 },
      });
      const statuses: number[] = [];
      while (statuses.length < 20) statuses.push((await lookUp(id)).status);
      return statuses;
    };
    const first = await draw();
    assert.deepEqual(await draw(), first);
    assert.deepEqual([...new Set(first)].toSorted(), [200, 500, 502]);
  });

  test("a misspelt one is refused with what there is", async () => {
    const body = JSON.stringify({ faults: [{ kind: "cut" }] });
    const response = await fetch(fake.controlUrl, { method: "POST", body });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /no fault \\"cut\\"; there are slow-before/);
  });
});

describe("22: cents decide, from one dollar on", () => {
  const cases: readonly [amount: number, seen: string, isApproved: boolean][] = [
    [20.91, "200 false/05", false],
    [20.92, "200 false/51", false],
    [20.93, "hangs", true],
    [20.94, "broken", true],
    [20.95, "broken", false],
    [20.96, "200 false/96/317", true],
    [20.97, "500 page", true],
    [20.98, "200 false/91/391", false],
    [0.95, "200 true/00", true],
  ];
  for (const [TotalAmount, seen, isApproved] of cases)
    test(`a sale of ${TotalAmount} is seen as "${seen}"`, async () => {
      const { id, token } = await prepared({ TotalAmount });
      assert.equal((await completeRaw(token, seen)).seen, seen);
      assert.equal((await control.transaction(id)).isApproved, isApproved);
    });

  test("of refunds and voids, too", async () => {
    const { id } = await pay();
    assert.equal((await refund(id, 1.91)).body.IsoResponseCode, "05");
    assert.equal((await refund(id, 1.97)).status, 500);
    await assert.rejects(refund(id, 1.94));
    const { refunds } = await control.transaction(id);
    assert.deepEqual(
      refunds.map(({ amountMinor }) => amountMinor),
      [197, 194],
    );
    const { id: other, token } = await prepared({ TotalAmount: 30.97 });
    await completeRaw(token);
    assert.equal((await voidSale(other)).status, 500);
    assert.equal((await control.transaction(other)).isVoided, true);
  });
});

test("the list of calls has headers and bodies without a secret", async () => {
  const request = saleRequest({ card: { CardPan: "4012000000020071", CardCvv: "321" } });
  const { body } = await post("spi/sale", request, { "powertranz-powertranzpassword": "other" });
  assert.equal(body.IsoResponseCode, "89");
  const { id, token } = await prepared();
  await complete(token);
  const text = JSON.stringify(await control.calls());
  for (const secret of ["4012000000020071", '"321"', token, FAKE_MERCHANT.password])
    assert.ok(!text.includes(secret), "a secret is in the list of calls");
  const calls = await control.calls("spi/sale");
  assert.deepEqual(
    calls.slice(-2).map(({ headers, code }) => [headers["powertranz-powertranzpassword"], code]),
    [
      ["wrong", "89"],
      ["right", "SP4"],
    ],
  );
  assert.match(JSON.stringify(calls.at(-1)?.body), /"CardPan":"401200\*{6}0071"/);
  assert.equal((await control.calls("spi/payment")).at(-1)?.transactionIdentifier, id);
});

test("24: the invariant fails for two charges, too large refunds, and a payment paid twice", async () => {
  const { id } = await pay();
  const one = await control.transaction(id);
  const judge = (...transactions: TransactionTruth[]) =>
    assertFakeInvariant(
      { control: { ...control, transactions: async () => transactions } },
      { paymentOf: (order) => order.slice(0, 11) },
    );
  const refunds = [
    { transactionIdentifier: "r", externalIdentifier: undefined, amountMinor: 12_050 },
  ];
  await judge(one);
  await judge(one, { ...one, isVoided: true });
  await judge(one, { ...one, refunds });
  await assert.rejects(judge({ ...one, chargeCount: 2 }), /was charged 2 times/);
  await assert.rejects(judge({ ...one, refunds: [...refunds, ...refunds] }), /was refunded/);
  await assert.rejects(judge({ ...one, refunds, isVoided: true }), /voided and refunded/);
  const second = { ...one, orderIdentifier: `${one.orderIdentifier}-2` };
  await assert.rejects(judge(one, second), /is paid by/);
});

test("as a process of its own it does the same", async () => {
  const other = await startFakeProcess();
  try {
    const caller = createCaller(other);
    const { id } = await caller.pay();
    assert.equal((await other.control.transaction(id)).isApproved, true);
    await assertFakeInvariant(other);
  } finally {
    await other.stop();
  }
});

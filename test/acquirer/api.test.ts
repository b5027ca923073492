/**
 * The guarantee: the fake gateway answers as the acquirer's documents say, so that what passes
 * against it has a chance against the real one. Behaviours are numbered as in the list of what the
 * fake must do.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, describe, test } from "node:test";
import { createCaller, saleRequest, verdict } from "../../testkit/powertranz/caller.ts";
import { FAKE_MERCHANT, startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { assertFakeInvariant } from "../../testkit/powertranz/invariant.ts";
import { playBrowser } from "../../testkit/powertranz/play-browser.ts";

const OTHER = { id: "88805678", password: "another", currencies: ["840"] };
const fake = await startPowertranzFake({ merchants: [FAKE_MERCHANT, OTHER] });
const { control } = fake;
const caller = createCaller(fake);
const { post, pay, lookUp, complete } = caller;
afterEach(() => assertFakeInvariant(fake));
after(() => fake.stop());

const prepare = async (changes = {}) => (await post("spi/sale", saleRequest(changes))).body;

describe("1: paths and names", () => {
  test("are read in any case, unknown properties are ignored, alive needs no credentials", async () => {
    const { Source, ...request } = saleRequest();
    const { TransactionIdentifier, ...rest } = request;
    const body = { ...rest, transactionIDENTIFIER: TransactionIdentifier, source: Source, Foo: 1 };
    assert.equal((await post("SPI/Sale", body)).body.IsoResponseCode, "SP4");
    const alive = await caller.call("Alive", { headers: {} });
    assert.deepEqual([alive.status, alive.body.Name], [200, "PowerTranz Api"]);
  });
});

describe("2: credentials", () => {
  const asked = (headers: Record<string, string>) => post("spi/sale", saleRequest(), headers);

  test("a wrong id, password or gateway key is 200 with 03/310, 89/311, 89/312", async () => {
    const id = await asked({ "powertranz-powertranzid": "1" });
    const password = await asked({ "powertranz-powertranzpassword": "no" });
    const key = await asked({ "powertranz-gatewaykey": randomUUID() });
    assert.deepEqual(
      [id, password, key].map(({ status, body }) => `${status} ${verdict(body)}`),
      ["200 03/310", "200 89/311", "200 89/312"],
    );
    await control.set({ credentials401: true });
    const { status, text } = await asked({ "powertranz-powertranzid": "1" });
    await control.set({ credentials401: false });
    assert.deepEqual([status, text], [401, ""]);
  });

  test("17: the password is wrong from one moment on, and right again later; spi/payment goes on", async () => {
    const prepared = await prepare();
    await playBrowser(prepared.RedirectData);
    await control.set({ passwordWrong: true });
    assert.equal(verdict(await prepare()), "89/311");
    assert.equal((await complete(prepared.SpiToken)).body.Approved, true);
    await control.set({ passwordWrong: false });
    assert.equal(verdict(await prepare()), "SP4");
  });

  test("a sale belongs to the id it was made with", async () => {
    const { id } = await pay();
    const other = createCaller({ ...fake, ...OTHER });
    assert.equal(verdict((await other.voidSale(id)).body), "12/381");
    assert.equal((await other.lookUp(id)).status, 404);
    assert.equal(verdict((await other.post("spi/sale", saleRequest())).body), "12/315");
  });
});

describe("3: validation", () => {
  const longUrl = `https://pay.example/${"x".repeat(250)}`;
  const cases: readonly [what: string, changes: object, verdict: string][] = [
    ["no identifier and no order", { TransactionIdentifier: "", OrderIdentifier: "" }, "97/37/37"],
    ["an identifier that is no GUID", { TransactionIdentifier: "42" }, "97/38"],
    ["an amount as text", { TotalAmount: "120.50" }, "97/38"],
    ["an amount of three decimals", { TotalAmount: 1.005 }, "97/38"],
    ["a currency of letters", { CurrencyCode: "TTD" }, "97/38"],
    ["an expiry as MMYY", { card: { CardExpiration: "0931" } }, "97/38"],
    ["a long CVV and month 20", { card: { CardCvv: "12345", CardExpiration: "3120" } }, "97/38/38"],
    ["a part of an address", { BillingAddress: { Line1: "7 Bay Street" } }, "97/58/58"],
    [
      "a country of letters",
      { BillingAddress: { Line1: "7 Bay", City: "Roseau", CountryCode: "TT" } },
      "97/58",
    ],
    [
      "an accent",
      { BillingAddress: { Line1: "Calle Peñón", City: "Roseau", CountryCode: "780" } },
      "97/58",
    ],
    ["no URL", { ExtendedData: {} }, "97/37"],
    ["a URL of 270", { ExtendedData: { MerchantResponseUrl: longUrl } }, "97/38"],
    ["a currency that is not enabled", { CurrencyCode: "978" }, "12/315"],
    ["a brand that is not known", { card: { CardPan: "9999999999999995" } }, "57/316"],
    ["a fraud check", { FraudCheck: true }, "FC3/1011"],
  ];
  for (const [what, changes, expected] of cases)
    test(`${what} is ${expected}`, async () => {
      assert.equal(verdict(await prepare(changes)), expected);
    });

  test("what is no JSON object is 97/36, and an unknown path is an empty 404", async () => {
    assert.equal(verdict((await post("spi/sale", "text")).body), "97/36");
    const { status, text } = await post("spi/void", {});
    assert.deepEqual([status, text], [404, ""]);
  });

  test("brands and contact are switches", async () => {
    await control.set({ brands: ["MasterCard"], contactRequired: true });
    assert.equal(verdict(await prepare()), "97/58");
    assert.equal(
      verdict(await prepare({ BillingAddress: { PhoneNumber: "18685550100" } })),
      "57/316",
    );
    await control.set({ brands: ["Visa", "MasterCard"], contactRequired: false });
  });
});

describe("6 to 8: spi/payment", () => {
  test("takes a JSON string alone, a known token, once", async () => {
    const { SpiToken, RedirectData } = await prepare();
    assert.match(SpiToken, /^[0-9a-z-]{50,65}$/);
    assert.equal(verdict((await complete({ SpiToken })).body), "97/36");
    assert.equal(verdict((await complete("unknown")).body), "12");
    assert.equal(verdict((await complete(SpiToken)).body), "12");
    await playBrowser(RedirectData);
    assert.equal(verdict((await complete(SpiToken)).body), "00");
    assert.equal(verdict((await complete(SpiToken)).body), "12/787");
  });

  test("7: AVS by postal code when asked for, CVV by its digits", async () => {
    for (const [PostalCode, letter] of Object.entries({
      10001: "M",
      10002: "A",
      10003: "Z",
      10004: "N",
      10005: "G",
      10006: "U",
    })) {
      const { answer } = await pay({ AddressVerification: true, BillingAddress: { PostalCode } });
      assert.deepEqual(answer.RiskManagement, { AvsResponseCode: letter, CvvResponseCode: "M" });
    }
    const wrong = await pay({ card: { CardCvv: "999" } });
    assert.deepEqual(
      [wrong.answer.IsoResponseCode, wrong.answer.RiskManagement],
      ["82", { CvvResponseCode: "N" }],
    );
    const unchecked = await pay({ card: { CardCvv: "998" } });
    assert.deepEqual(
      [unchecked.answer.IsoResponseCode, unchecked.answer.RiskManagement],
      ["00", { CvvResponseCode: "P" }],
    );
  });

  test("the answer and the lookup say who was authenticated, when asked for", async () => {
    await fake.control.set({ authenticationRepeated: true, authenticationLookedUp: true });
    const { id, answer } = await pay();
    const found = await lookUp(id);
    for (const { RiskManagement } of [answer, found.body])
      assert.equal(RiskManagement.ThreeDSecure.AuthenticationStatus, "Y");
    await fake.control.set({ authenticationRepeated: false, authenticationLookedUp: false });
  });

  test("8: the name on the card says the code", async () => {
    for (const code of [
      "01",
      "05",
      "14",
      "41",
      "51",
      "54",
      "57",
      "61",
      "82",
      "N7",
      "91",
      "96",
      "Z9",
      "ABCD",
      "",
    ]) {
      const { answer, id } = await pay({ card: { CardholderName: `Code ${code}` } });
      assert.deepEqual([answer.IsoResponseCode, answer.Approved], [code, false]);
      assert.equal((await lookUp(id)).body.IsoResponseCode, code);
    }
    const { answer } = await pay({ card: { CardholderName: "Code 10" } });
    assert.deepEqual([answer.IsoResponseCode, answer.Approved], ["10", true]);
  });

  test("an expired card is taken by spi/sale and fails here", async () => {
    const { answer } = await pay({ card: { CardExpiration: "2001" } });
    assert.deepEqual([answer.IsoResponseCode, answer.ResponseMessage], ["97", "Host format error"]);
  });

  test("a direct sale without 3-D Secure is answered at once", async () => {
    const { body } = await post("sale", saleRequest({ ThreeDSecure: false, TotalAmount: 0.93 }));
    assert.deepEqual([body.Approved, body.IsoResponseCode, body.TotalAmount], [true, "00", 0.93]);
  });
});

describe("13: duplicates", () => {
  test("a used identifier is 12/788, an order with an approved sale 12/387", async () => {
    const { request } = await pay();
    assert.equal(verdict((await post("spi/sale", request)).body), "12/788");
    const { answer } = await pay({ OrderIdentifier: request.OrderIdentifier });
    assert.equal(verdict(answer), "12/387");
  });

  test("of equal calls at the same moment one wins", async () => {
    const request = saleRequest();
    const sales = await Promise.all([1, 2, 3].map(() => post("spi/sale", request)));
    assert.deepEqual(sales.map(({ body }) => verdict(body)).toSorted(), [
      "12/788",
      "12/788",
      "SP4",
    ]);
    const won = sales.find(({ body }) => body.SpiToken)?.body;
    await playBrowser(won.RedirectData);
    const paid = await Promise.all([1, 2, 3].map(() => complete(won.SpiToken)));
    assert.deepEqual(paid.map(({ body }) => verdict(body)).toSorted(), ["00", "12/787", "12/787"]);
  });
});

/**
 * What a payment costs is told before it is made, to the cent, and what may be paid at all
 * (Interface §4.5, Decision 0025).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { newPayment, openShop, pay, type Shop } from "../../../testkit/transactions.ts";

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
  shop = await openShop(service);
});
after(() => service.stop());

const fees = (query: string, credential: { token?: string; key?: string } = shop) =>
  service.request(`/transactions/fees?${query}`, {
    ...(credential.token === undefined ? {} : { token: credential.token }),
    ...(credential.key === undefined ? {} : { key: credential.key }),
  });
const GOOD = "fee_structure=split&currency=TTD&amount=10";

describe("GET /transactions/fees", () => {
  test("breaks the fee down, in this shape and no other", async () => {
    const answer = await fees(GOOD);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      message: "OK",
      data: {
        fee_structure: "split",
        currency: "TTD",
        amount: "10.00",
        fee: { percentage: "0.35", fixed: "1.70", tax: "0.00", total: "2.05" },
        customer: { fee: "1.03", total: "11.03" },
        merchant: { fee: "1.02", net: "8.98" },
      },
    });
  });

  const BY_PLATFORM = [
    ["TT", "TTD", "100", "5.20", "105.20"],
    ["TT", "USD", "100", "3.75", "103.75"],
    ["JM", "JMD", "1000", "48.30", "1048.30"],
    ["BB", "BBD", "100", "4.37", "104.37"],
  ] as const;
  for (const [country, currency, amount, fee, customer] of BY_PLATFORM)
    test(`is ${fee} for ${amount} ${currency} in ${country}`, async () => {
      const who = await openShop(service, country);
      const query = `fee_structure=customer_pay&currency=${currency}&amount=${amount}`;
      const { data } = (await fees(query, who)).body;
      assert.deepEqual([data.fee.total, data.customer.total], [fee, customer]);
    });

  const REFUSED: readonly [query: string, message: string][] = [
    ["", "The fee structure field is required."],
    ["currency=TTD&amount=10", "The fee structure field is required."],
    [
      "fee_structure=Split&currency=TTD&amount=10",
      "The fee structure must be one of: customer_pay, merchant_absorb, split.",
    ],
    ["fee_structure=split&amount=10", "The currency field is required."],
    ["fee_structure=split&currency=EUR&amount=10", "The currency must be one of: TTD, USD."],
    ["fee_structure=split&currency=JMD&amount=500", "The currency must be one of: TTD, USD."],
    ["fee_structure=split&currency=TTD", "The amount field is required."],
    [
      "fee_structure=split&currency=TTD&amount=4.99",
      "The amount must be from 5.00 to 20400.00 TTD.",
    ],
    [
      "fee_structure=split&currency=TTD&amount=20400.01",
      "The amount must be from 5.00 to 20400.00 TTD.",
    ],
    ["fee_structure=split&currency=USD&amount=0", "The amount must be from 0.74 to 3000.00 USD."],
    [`${GOOD}&amount=20`, "The amount field is given more than once."],
    ...["-5", "-0.01", "99999999999999.99", "9".repeat(60)].map((amount): [string, string] => [
      `fee_structure=split&currency=TTD&amount=${amount}`,
      "The amount must be from 5.00 to 20400.00 TTD.",
    ]),
    ...["1e999", "1e2", "10.005", "0x10", "ten", "10,00"].map((amount): [string, string] => [
      `fee_structure=split&currency=TTD&amount=${amount}`,
      "The amount must be a number with at most 2 decimal places.",
    ]),
  ];
  for (const [query, message] of REFUSED)
    test(`refuses "${query}"`, async () => {
      const answer = await fees(query);
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
    });

  test("takes both ends of the limits", async () => {
    for (const amount of ["5", "20400"])
      assert.equal((await fees(`fee_structure=split&currency=TTD&amount=${amount}`)).status, 200);
  });

  test("asks for its own scope, with a key as well", async () => {
    const { key } = await mintKey(service.ctx, shop, ["svc-transactions-get-fees"]);
    assert.equal((await fees(GOOD, { key })).status, 200);
    const { token } = await mintToken(service.ctx, shop, ["svc-transactions-retrieve"]);
    assert.equal((await fees(GOOD, { token })).status, 403);
  });

  test("quotes what is then charged, for every fee structure", async () => {
    for (const feeStructure of ["customer_pay", "merchant_absorb", "split"] as const)
      for (const amount of ["5.00", "10.01", "99.99", "20400.00"]) {
        const query = `fee_structure=${feeStructure}&currency=TTD&amount=${amount}`;
        const { data } = (await fees(query)).body;
        const paid = await pay(
          service,
          newPayment(shop, { feeStructure, amount: `${amount} TTD` }),
        );
        const { token } = shop;
        const path = `/transactions/${paid.transaction_id}`;
        const record = (await service.request(path, { token })).body.data;
        assert.deepEqual(
          [record.total, record.fee, record.customer_total, record.net],
          [amount, data.fee.total, data.customer.total, data.merchant.net],
        );
      }
  });
});

describe("GET /transactions/meta", () => {
  test("tells what the platform takes, limits as numbers", async () => {
    const answer = await service.request("/transactions/meta", { token: shop.token });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      message: "OK",
      data: {
        currencies: ["TTD", "USD"],
        environments: ["live", "sandbox"],
        fee_structures: ["customer_pay", "merchant_absorb", "split"],
        totals: {
          TTD: { minimum: 5, maximum: 20400 },
          USD: { minimum: 0.74, maximum: 3000 },
        },
      },
    });
    assert.match(answer.text, /"minimum":0\.74,"maximum":3000\}/);
  });

  test("is that of the caller's own platform", async () => {
    const { token } = await openShop(service, "GY");
    const { data } = (await service.request("/transactions/meta", { token })).body;
    assert.deepEqual(Object.keys(data.totals), ["GYD", "USD"]);
    assert.deepEqual(data.totals.GYD, { minimum: 155, maximum: 627000 });
  });

  test("asks for the scope to read", async () => {
    const { token } = await mintToken(service.ctx, shop, ["svc-transactions-get-fees"]);
    assert.equal((await service.request("/transactions/meta", { token })).status, 403);
  });
});

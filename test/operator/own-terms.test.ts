/**
 * The guarantee: what an account pays is what an operator has set for it, from its moment on, and
 * a payment keeps what it was requested with (Decision 0129). Limits: `own-limits.test.ts`.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { CARDS, expectAllToAddUp, openByRequest, submit } from "../../testkit/checkout-sessions.ts";
import {
  expectRefusals,
  operator,
  operatorEntries,
  operatorJson,
  SIGNED,
} from "../../testkit/operator.ts";
import { makeLink, openForm } from "../../testkit/payment-links.ts";
import { ask, minimal } from "../../testkit/payment-requests.ts";
import { startService } from "../../testkit/service.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { charge, verifiedCard } from "../../testkit/trusted-cards.ts";
import { ownTermsOn, request } from "./own-terms-support.ts";

const service = await startService();
const { db } = service.ctx;
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

const { setLimits, setFees, meta, fees } = ownTermsOn(service);
const feeOf = async (shop: Shop, amount = "100.00") => (await fees(shop, amount)).body.data.fee;

function priceOf(transactionId: string) {
  return db.one<{ total: bigint; fee: bigint; net: bigint; paid: bigint }>(sql`
    select total_minor as total, fee_minor as fee, net_minor as net, customer_total_minor as paid
    from transactions where transaction_id = ${transactionId}`);
}

describe("fees of one account", () => {
  test("price its payments, and a payment keeps what it was requested with", async () => {
    const shop = await openShop(service);
    const earlier = await openByRequest(service, shop, request(shop));
    await setFees(shop, "--percentage", "2.00", "--fixed", "0.10");
    // 2 % and 0.10 US dollars at 6.80; Trinidad and Tobago has no tax on it.
    assert.deepEqual(await feeOf(shop), {
      percentage: "2.00",
      fixed: "0.68",
      tax: "0.00",
      total: "2.68",
    });
    const later = await openByRequest(service, shop, request(shop));
    const keyed = await openByRequest(service, shop, request(shop), {
      "idempotency-key": "fee-1",
    });
    for (const order of [earlier, later, keyed]) await submit(service, order, CARDS.approved);
    const usual = { total: 10_000n, fee: 520n, net: 10_000n, paid: 10_520n };
    const own = { total: 10_000n, fee: 268n, net: 10_000n, paid: 10_268n };
    assert.deepEqual(await priceOf(earlier.id), usual);
    assert.deepEqual(await priceOf(later.id), own);
    assert.deepEqual(await priceOf(keyed.id), own);
    const card = await verifiedCard(service, { shop });
    const { body } = await charge(service, card);
    assert.deepEqual(await priceOf(body.transaction_id), own);
    const link = await makeLink(service, shop, { amount: "100.00", fee_structure: "customer_pay" });
    const { page, path, hidden } = await openForm(service, link);
    assert.match(page.text, /102\.68/);
    assert.equal((await service.request(path, { method: "POST", form: hidden })).status, 303);
    const { id } = await db.one<{ id: string }>(sql`
      select transaction_id as id from transactions where payment_link = ${link.id}`);
    assert.deepEqual(await priceOf(id), own);
  });

  test("begin at their moment, and end with the next ones", async () => {
    const shop = await openShop(service);
    const { now } = await db.one<{ now: Date }>(sql`select app_now() as now`);
    const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString();
    await setFees(shop, "--percentage", "1.50", "--fixed", "0", "--from", inHours(1));
    await setFees(shop, "--standard", "--from", inHours(2));
    const totals = [];
    for (const minutes of [0, 61, 60]) {
      await service.clock.advance({ minutes });
      const answer = await service.request(FEE_OF_100, { token: shop.token });
      totals.push(answer.body.data.fee.total);
    }
    assert.deepEqual(totals, ["5.20", "1.50", "5.20"]);
  });

  test("of two for the same moment the last one counts", async () => {
    const shop = await openShop(service);
    const from = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
    await setFees(shop, "--percentage", "1", "--fixed", "0", "--from", from);
    await setFees(shop, "--percentage", "2", "--fixed", "0", "--from", from);
    const shown = await operatorJson(service, ["show-account", shop.accountNumber]);
    assert.deepEqual(
      shown.fees.map((one: { percentage: string; state: string }) => [one.percentage, one.state]),
      [
        ["2.00", "later"],
        ["1.00", "over"],
      ],
    );
  });

  test("keep the platform's tax, and hold on the platform of the account alone", async () => {
    const shop = await openShop(service, "BB");
    await setFees(shop, "--percentage", "3.00", "--fixed", "0.50");
    const { fee } = (await fees(shop, "100.00", "customer_pay", "BBD")).body.data;
    assert.deepEqual(fee, { percentage: "3.00", fixed: "1.00", tax: "0.45", total: "4.45" });
    const { accountNumber } = await service.world.merchant();
    await db.run(sql`
      insert into accounts (account_number, account_type, country_code, email, first_name,
        last_name, password_digest, pepper_id)
      select '1234567890', account_type, country_code, 'trial@example.com', first_name, last_name,
        password_digest, pepper_id
      from accounts where account_number = ${accountNumber}`);
    const trial = ["set-fees", "1234567890", "--percentage", "1", "--fixed", "0", ...SIGNED];
    await operatorJson(service, trial);
    const ofOthers = { country_code: "JM", currency: "JMD", total: "1000" };
    const { body } = await ask(service, minimal("1234567890", ofOthers));
    assert.equal((await priceOf(body.transaction_id)).fee, 4830n);
    const home = await ask(service, minimal("1234567890"));
    assert.equal((await priceOf(home.body.transaction_id)).fee, 100n);
  });
});

const FEE_OF_100 = "/transactions/fees?fee_structure=customer_pay&currency=TTD&amount=100";

describe("what is set", () => {
  test("is shown with the account, and audited with the reason", async () => {
    const shop = await openShop(service);
    await setLimits(shop, "--currency", "USD", "--maximum", "9000");
    await setFees(shop, "--percentage", "2.75", "--fixed", "0.20");
    const { stdout } = await operator(service, ["show-account", shop.accountNumber]);
    assert.match(stdout, /USD +0\.74 +9000\.00 +\d{4}-.*Z +now/);
    assert.match(stdout, /2\.75 +0\.20 +\d{4}-.*Z +now/);
    const [limits, fee] = (await operatorEntries(service)).slice(-2);
    const { from: _, ...detail } = limits?.detail ?? {};
    assert.deepEqual(
      [limits?.action, limits?.account_number, detail],
      [
        "limits_set",
        shop.accountNumber,
        {
          why: "ticket 4711",
          currency: "USD",
          minimum: "0.74",
          maximum: "9000.00",
          standard: false,
        },
      ],
    );
    assert.deepEqual([fee?.action, fee?.detail.percentage], ["fees_set", "2.75"]);
  });

  test("is never changed or removed", async () => {
    for (const table of ["account_limits", "account_fees"])
      for (const change of [`delete from ${table}`, `truncate ${table}`])
        await assert.rejects(db.run({ name: "", text: change, values: [] }), /append-only/);
  });

  test("has to make sense, and else nothing is written", async () => {
    const shop = await openShop(service);
    const person = await service.world.person();
    const { accountNumber: number } = shop;
    const limits = (...given: string[]) => ["set-limits", number, ...given, ...SIGNED];
    const fee = (...given: string[]) => ["set-fees", number, ...given, ...SIGNED];
    const TTD = ["--currency", "TTD"];
    const yesterday = new Date(Date.now() - 26 * 3_600_000).toISOString().slice(0, 10);
    const past = "Terms begin now or later: what was requested before has its price.";
    const both = "Give the percentage and the fixed part; or standard, and neither.";
    const either = "Give a minimum, a maximum or both; or standard, and neither.";
    await expectRefusals(service, [
      [limits(...TTD), either],
      [limits(...TTD, "--standard", "--minimum", "5"), either],
      [limits(...TTD, "--maximum", "4.99"), "No payment is from 5.00 TTD to 4.99 TTD."],
      [limits(...TTD, "--minimum", "0"), "No payment is from 0.00 TTD to 20400.00 TTD."],
      [
        limits(...TTD, "--maximum", "10000000000"),
        "No payment is from 5.00 TTD to 10000000000.00 TTD.",
      ],
      [
        limits("--currency", "JMD", "--maximum", "500"),
        `Account ${number} is paid in TTD and USD.`,
      ],
      [limits(...TTD, "--maximum", "500", "--from", yesterday), past],
      [
        limits(...TTD, "--minimum", "0.05"),
        "Nothing would be left of the smallest payment: of 0.05 TTD the fee is 1.70 TTD.",
      ],
      [fee("--percentage", "2"), both],
      [fee("--fixed", "2"), both],
      [fee("--standard", "--percentage", "2"), both],
      [fee("--percentage", "20.01", "--fixed", "0"), "A fee is at most 20.00 % and 100.00 USD."],
      [fee("--percentage", "2", "--fixed", "100.01"), "A fee is at most 20.00 % and 100.00 USD."],
      [
        fee("--percentage", "2", "--fixed", "0.71"),
        "Nothing would be left of the smallest payment: of 0.74 USD the fee is 0.72 USD.",
      ],
      [fee("--percentage", "2", "--fixed", "0", "--from", "2020-01-01"), past],
      [
        ["set-fees", person.accountNumber, "--standard", ...SIGNED],
        `Account ${person.accountNumber} is PERSONAL: it takes no payments.`,
      ],
      [["set-fees", "9999999999", "--standard", ...SIGNED], "There is no account 9999999999."],
    ]);
  });

  test("is judged by what holds together at some moment, not by what was replaced", async () => {
    const shop = await openShop(service);
    const day = (days: number) =>
      new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);
    const TTD = ["--currency", "TTD", "--minimum"];
    const free = ["--percentage", "0", "--fixed", "0"];
    const high = ["--percentage", "0", "--fixed", "10"];
    const nothing =
      "Nothing would be left of the smallest payment: of 1.00 TTD the fee is 68.00 TTD.";
    await setFees(shop, ...free);
    await setLimits(shop, "--currency", "USD", "--minimum", "20");
    // The high fee comes with a high minimum: until then a low one holds.
    await setLimits(shop, ...TTD, "200", "--from", day(4));
    await setFees(shop, ...high, "--from", day(4));
    await setLimits(shop, ...TTD, "1", "--from", day(2));
    const early = ["set-fees", shop.accountNumber, ...high, "--from", day(3), ...SIGNED];
    await expectRefusals(service, [[early, nothing]]);
    // For ever after that day, unless the fee is corrected for the same moment.
    const low = ["set-limits", shop.accountNumber, ...TTD, "1", "--from", day(4), ...SIGNED];
    await expectRefusals(service, [[low, nothing]]);
    await setFees(shop, ...free, "--from", day(4));
    await operatorJson(service, low);
  });

  test("today's day means from now on", async () => {
    const shop = await openShop(service);
    const { today } = await db.one<{ today: string }>(sql`
      select to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD') as today`);
    await setLimits(shop, "--currency", "TTD", "--maximum", "500", "--from", today);
    assert.deepEqual((await meta(shop)).TTD, { minimum: 5, maximum: 500 });
  });
});

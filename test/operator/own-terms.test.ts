/**
 * The guarantee: limits and fees that an operator sets for one account hold for it alone, from
 * their moment on, wherever a payment is priced or judged; what was requested before keeps its
 * price, and the same request again is the same payment (Decision 0132).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { CARDS, expectAllToAddUp, openByRequest, submit } from "../../testkit/checkout-sessions.ts";
import { signInTo } from "../../testkit/console.ts";
import {
  expectRefusals,
  operator,
  operatorEntries,
  operatorJson,
  SIGNED,
} from "../../testkit/operator.ts";
import { askForLink, makeLink, openForm } from "../../testkit/payment-links.ts";
import { ask, ENCODINGS, expectRefused, minimal } from "../../testkit/payment-requests.ts";
import { startService } from "../../testkit/service.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { charge, verifiedCard } from "../../testkit/trusted-cards.ts";

const service = await startService();
const { db } = service.ctx;
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

const setLimits = ({ accountNumber }: Shop, ...given: string[]) =>
  operatorJson(service, ["set-limits", accountNumber, ...given, ...SIGNED]);
const setFees = ({ accountNumber }: Shop, ...given: string[]) =>
  operatorJson(service, ["set-fees", accountNumber, ...given, ...SIGNED]);

const meta = async ({ token }: Shop) =>
  (await service.request("/transactions/meta", { token })).body.data.totals;
const fees = (shop: Shop, amount: string, structure = "customer_pay", currency = "TTD") =>
  service.request(
    `/transactions/fees?fee_structure=${structure}&currency=${currency}&amount=${amount}`,
    { token: shop.token },
  );
const feeOf = async (shop: Shop, amount = "100.00") => (await fees(shop, amount)).body.data.fee;
const request = (shop: Shop, fields = {}) => minimal(shop.accountNumber, fields);

function priceOf(transactionId: string) {
  return db.one<{ total: bigint; fee: bigint; net: bigint; paid: bigint }>(sql`
    select total_minor as total, fee_minor as fee, net_minor as net, customer_total_minor as paid
    from transactions where transaction_id = ${transactionId}`);
}

const USUAL = { TTD: { minimum: 5, maximum: 20_400 }, USD: { minimum: 0.74, maximum: 3_000 } };

describe("limits of one account", () => {
  let wide: Shop;
  let narrow: Shop;
  before(async () => {
    [wide, narrow] = [await openShop(service), await openShop(service)];
    await setLimits(wide, "--currency", "TTD", "--minimum", "4", "--maximum", "50000");
    await setLimits(narrow, "--currency", "TTD", "--maximum", "200");
  });

  test("are in its metadata, and in nobody else's", async () => {
    assert.deepEqual(await meta(wide), { ...USUAL, TTD: { minimum: 4, maximum: 50_000 } });
    assert.deepEqual(await meta(narrow), { ...USUAL, TTD: { minimum: 5, maximum: 200 } });
    assert.deepEqual(await meta(await openShop(service)), USUAL);
  });

  test("hold for a payment request, in every encoding, with the sentence that names them", async () => {
    const range = "The total must be from 4.00 to 50000.00 TTD.";
    for (const encoding of ENCODINGS) {
      for (const total of ["4.00", "50000.00"])
        assert.ok((await ask(service, request(wide, { total }), encoding)).status < 400, total);
      for (const total of ["3.99", "50000.01"])
        await expectRefused(service, request(wide, { total }), encoding, { message: range });
      await expectRefused(service, request(narrow, { total: "200.01" }), encoding, {
        message: "The total must be from 5.00 to 200.00 TTD.",
      });
    }
    const { status } = await ask(service, request(wide, { total: "3000.01", currency: "USD" }));
    assert.equal(status, 400);
  });

  test("and for one with an Idempotency-Key, which leaves nothing behind when it is refused", async () => {
    const headers = { "idempotency-key": "wide-1" };
    const fields = request(wide, { total: "30000" });
    const first = await ask(service, fields, "json", { headers });
    const again = await ask(service, fields, "json", { headers });
    assert.deepEqual([first.status, again.status], [200, 200]);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.equal(again.body.transaction_id, first.body.transaction_id);
    const beyond = request(narrow, { total: "300" });
    const key = { headers: { "idempotency-key": "narrow-1" } };
    const refused = await ask(service, beyond, "json", key);
    assert.equal(refused.body.message, "The total must be from 5.00 to 200.00 TTD.");
    await setLimits(narrow, "--currency", "TTD", "--maximum", "300");
    assert.equal((await ask(service, beyond, "json", key)).status, 200);
    await setLimits(narrow, "--currency", "TTD", "--maximum", "200");
  });

  test("are judged after all fields and after what is wrong with the account", async () => {
    const total = "300";
    const said = async (shop: Shop, fields: Record<string, unknown>) =>
      (await ask(service, request(shop, fields))).body.message;
    const email = "The email must be a valid email address.";
    // An amount that no account of the platform may ask for is a field's matter, in its place.
    const usual = await openShop(service);
    const beyond = "The total must be from 5.00 to 20400.00 TTD.";
    assert.equal(await said(usual, { total: "30000", email: "x" }), beyond);
    assert.equal(await said(wide, { total: "30000", email: "x" }), email);
    assert.equal(await said(wide, { total: "50000.01", email: "x" }), email);
    assert.equal(await said(wide, { total: "1.005" }), TWO_DECIMALS);
    for (const total of ["0", "-3", "9".repeat(60)])
      assert.equal(await said(wide, { total }), "The total must be from 4.00 to 50000.00 TTD.");
    assert.equal(await said(narrow, { total, email: "x" }), email);
    const own = "The email must not be the merchant's own.";
    assert.equal(await said(narrow, { total, email: narrow.email }), own);
    await db.run(sql`
      update accounts set status = 'frozen' where account_number = ${narrow.accountNumber}`);
    const nobody = "The account number cannot take this payment.";
    assert.equal(await said(narrow, { total }), nobody);
    await db.run(sql`
      update accounts set status = 'active' where account_number = ${narrow.accountNumber}`);
  });

  test("do not touch an open payment: the same request again is the same payment", async () => {
    const shop = await openShop(service);
    await setLimits(shop, "--currency", "TTD", "--maximum", "50000");
    const fields = request(shop, { total: "40000" });
    const open = await ask(service, fields);
    assert.equal(open.status, 200, open.text);
    await setLimits(shop, "--currency", "TTD", "--standard");
    const again = await ask(service, fields);
    assert.deepEqual(again.body, open.body);
    const changed = await ask(service, { ...fields, total: "40001" });
    assert.equal(changed.body.message, "The total must be from 5.00 to 20400.00 TTD.");
    const order = { id: open.body.transaction_id, token: open.body.url.split("/").at(-1), shop };
    await submit(service, order, CARDS.approved);
    const { status } = await db.one<{ status: string }>(sql`
      select status from transactions where transaction_id = ${order.id}`);
    assert.equal(status, "success");
  });

  test("hold for fees, for a charge of a saved card, and for payment links", async () => {
    assert.equal((await fees(wide, "50000")).status, 200);
    const beyond = await fees(narrow, "200.01");
    assert.equal(beyond.body.message, "The amount must be from 5.00 to 200.00 TTD.");
    for (const [shop, good, bad] of [
      [wide, "50000", "50000.01"],
      [narrow, "200", "200.01"],
    ] as const) {
      const card = await verifiedCard(service, { shop });
      assert.equal((await charge(service, card, { total: good })).status, 200);
      const refused = await charge(service, card, { total: bad });
      assert.equal(refused.status, 400);
      assert.match(refused.body.message, /^The total must be from/);
      assert.equal((await askForLink(service, shop, { amount: good })).status, 201);
      const link = await askForLink(service, shop, { amount: bad });
      assert.match(link.body.message, /^The amount must be from/);
      const bounds = { amount: undefined, amount_min: "10", amount_max: bad };
      const range = await askForLink(service, shop, bounds);
      assert.match(range.body.message, /^The amount max must be from/);
    }
  });

  test("close a link that asks for more by now, and narrow one where the customer chooses", async () => {
    const shop = await openShop(service);
    const fixed = await makeLink(service, shop, { amount: "120.00" });
    const bounds = { amount: undefined, amount_min: "10", amount_max: "500" };
    const chosen = await makeLink(service, shop, bounds);
    await setLimits(shop, "--currency", "TTD", "--minimum", "20", "--maximum", "100");
    const { pathname } = new URL(fixed.url);
    assert.equal((await service.request(pathname)).status, 410);
    const { page, path, hidden } = await openForm(service, chosen);
    assert.match(page.text, /20\.00[^<]*100\.00/);
    const send = (amount: string) =>
      service.request(path, { method: "POST", form: { ...hidden, amount } });
    assert.equal((await send("100.01")).status, 422);
    assert.equal((await send("100")).status, 303);
  });

  test("are told in the form of a link at the console", async () => {
    await setFees(wide, "--percentage", "1.00", "--fixed", "0");
    const tab = await signInTo(service, wide);
    const { text } = await tab.get("/console/links/new");
    assert.match(text, /On TTD.100\.00 the fee is TTD.1\.00\./);
    const form = {
      title: "Whole hotel",
      currency: "TTD",
      amount: "45,000.00",
      fee_structure: "customer_pay",
    };
    const made = await tab.post("/console/links/new", form, { from: "/console/links/new" });
    assert.equal(made.status, 303, made.text);
    await setFees(wide, "--standard");
  });
});

const TWO_DECIMALS = "The total must be a number with at most 2 decimal places.";

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

  test("today's day means from now on", async () => {
    const shop = await openShop(service);
    const { today } = await db.one<{ today: string }>(sql`
      select to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD') as today`);
    await setLimits(shop, "--currency", "TTD", "--maximum", "500", "--from", today);
    assert.deepEqual((await meta(shop)).TTD, { minimum: 5, maximum: 500 });
  });
});

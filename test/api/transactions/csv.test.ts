/**
 * As CSV the whole history comes as one stream: the same rows, safe in a spreadsheet (Decision
 * 0027). `test/faults/long-history.test.ts` tries a long one.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  fillHistory,
  newPayment,
  openShop,
  pay,
  type Shop,
} from "../../../testkit/transactions.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

const HEAD =
  "transaction_id,order_id,environment,country_code,currency,total,customer_total,fee,net," +
  "refunded_total,fee_structure,method,origin,status,status_desc,message,card,created_at," +
  "finalised_at,data,customer_email,customer_fname,customer_lname,customer_addr1,customer_addr2," +
  "customer_city,customer_state,customer_zipcode,customer_country,customer_phone," +
  "description,items,payment_link,link_reference";

const csv = (query: string, { token }: { token: string }, accept = "text/csv") =>
  service.request(`/transactions/?${query}`, { token, headers: { accept } });

describe("the history as CSV", () => {
  test("has a head and a line for each transaction, newest first", async () => {
    const who = await openShop(service);
    const first = await pay(service, newPayment(who, { orderId: "a" }), APPROVED);
    const second = await pay(service, newPayment(who, { orderId: "b", origin: null }), DECLINED);
    const answer = await csv("", who);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8");
    assert.equal(
      answer.headers.get("content-disposition"),
      'attachment; filename="transactions.csv"',
    );
    assert.equal(answer.headers.get("vary"), "accept");
    const times = ({ created_at, finalised_at }: typeof first) =>
      `${created_at.toISOString()},${finalised_at?.toISOString()}`;
    assert.equal(
      answer.text,
      [
        HEAD,
        `${second.transaction_id},b,live,TT,TTD,100.00,105.20,5.20,100.00,0.00,customer_pay,` +
          `credit_card_co,,failed,Normal,[2-R05]: Transaction is declined.,visa **** 3333,` +
          `${times(second)},,anika@example.com,Anika,Mohammed,,,,,,,,,,,`,
        `${first.transaction_id},a,live,TT,TTD,100.00,105.20,5.20,100.00,0.00,customer_pay,` +
          `credit_card_co,shop,success,Normal,[1-R00]: Transaction is approved.,visa **** 1111,` +
          `${times(first)},,anika@example.com,Anika,Mohammed,,,,,,,,,,,`,
        "",
      ].join("\r\n"),
    );
  });

  test("holds no formula, and no text that breaks out of its cell", async () => {
    const who = await openShop(service);
    const customer = { fname: '=HYPERLINK("http://x")', lname: "+1,2", phone: "+18685551234" };
    const passThrough = '@SUM(A1)\r\n"x"';
    await pay(service, newPayment(who, { customer, details: { data: passThrough } }), APPROVED);
    const { text } = await csv("", who);
    assert(text.includes(`,"'=HYPERLINK(""http://x"")","'+1,2",`), text);
    assert(text.includes(`,"'@SUM(A1)\r\n""x""",`), text);
    assert(text.endsWith(",'+18685551234,,,,\r\n"), text);
  });

  test("has the description and the items, each in one cell that is no formula", async () => {
    const who = await openShop(service);
    const items = [
      { name: '=2+3; a "big" one', quantity: 3, unit_price_minor: 4_000 },
      { name: "Voucher", quantity: 1, unit_price_minor: -2_000 },
    ];
    const order = { description: '=HYPERLINK("http://x")', items };
    await pay(service, newPayment(who, { order }), APPROVED);
    const { text } = await csv("", who);
    const inOneCell = '"3 × =2+3; a ""big"" one (40.00); 1 × Voucher (-20.00)"';
    assert(text.endsWith(`,"'=HYPERLINK(""http://x"")",${inOneCell},,\r\n`), text);
  });

  test("has only what fits the filter, and all of it whatever the page", async () => {
    const who = await openShop(service);
    const old = { rows: 150, until: "2026-11-01T00:00:00Z", everySeconds: 60 };
    await fillHistory(service, who, old);
    const lines = async (query: string) => (await csv(query, who)).text.split("\r\n").length - 2;
    assert.equal(await lines(""), 150);
    assert.equal(await lines("page=3&page_size=1"), 150);
    assert.equal(await lines("status=failed"), 14);
    assert.equal(await lines("currency=USD&total_max=6.00"), 20);
    assert.equal(await lines("order_id=old-7"), 1);
    assert.equal(await lines("environment=sandbox"), 0);
  });

  test("refuses a bad filter with the sentence that JSON has", async () => {
    const answer = await csv("status=x", await openShop(service));
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, /^The status must be one of/);
  });

  test("is not read to its end for HEAD", async () => {
    const who = await openShop(service);
    const { token } = who;
    const headers = { accept: "text/csv" };
    const answer = await service.request("/transactions/", { method: "HEAD", token, headers });
    assert.deepEqual([answer.status, answer.text], [200, ""]);
    assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8");
  });
});

describe("whether it is CSV", () => {
  const CASES: readonly [query: string, accept: string, isCsv: boolean][] = [
    ["", "text/csv", true],
    ["", "TEXT/CSV;charset=utf-8", true],
    ["", "text/csv, */*", true],
    ["", "text/csv, application/json;q=0.5", true],
    ["", "application/json, text/csv", false],
    ["", "application/json;q=0.4, text/csv;q=0.5", true],
    ["", "text/csv;q=0", false],
    ["", "text/html", false],
    ["", "*/*", false],
    ["", "text/*", false],
    ["", "", false],
    ["", "text/csvx, ;;,q=", false],
    ["format=csv", "application/json", true],
    ["format=json", "text/csv", false],
    ["format=", "text/csv", true],
  ];
  let who: Shop;
  before(async () => {
    who = await openShop(service);
  });
  for (const [query, accept, isCsv] of CASES)
    test(`"${query}" and Accept "${accept}": ${isCsv ? "yes" : "no"}`, async () => {
      const answer = await csv(query, who, accept);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("content-type")?.startsWith("text/csv"), isCsv);
    });
});

/**
 * As CSV the whole history comes as one stream: the same rows, safe in a spreadsheet, and however
 * long it is, no more of it in memory than a handful (Decision 0027).
 */

import assert from "node:assert/strict";
import http from "node:http";
import { after, before, describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startCuttingProxy } from "../../../testkit/cutting-proxy.ts";
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
import { until } from "../../../testkit/until.ts";

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

describe("a long history", () => {
  const ROWS = 50_000;
  let who: Shop;
  before(async () => {
    who = await openShop(service);
    await fillHistory(service, who, {
      rows: ROWS,
      until: "2026-11-01T00:00:00Z",
      everySeconds: 60,
      data: "x".repeat(600),
    });
  });

  test("comes whole, and its answer is never held in memory", async () => {
    const { lines, bytes, most } = await download(who);
    assert.equal(lines, ROWS + 1);
    assert(bytes > 39_000_000, `${bytes} bytes`);
    assert(most < 16_000_000, `${most} bytes more were held for ${bytes}`);
  });

  test("is read no further when the client goes away", async () => {
    const { token } = who;
    const url = `${service.url}/transactions/?format=csv`;
    await new Promise<void>((resolve, reject) => {
      const request = http.get(url, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
        answer.once("data", () => answer.destroy()).once("close", resolve);
      });
      request.once("error", reject);
    });
    assert.equal((await service.request("/transactions/", { token })).body.meta.total, ROWS);
    const faults = service.logged.filter((line) => /"level":[56]0/.test(line));
    assert.deepEqual(faults, []);
  });

  test("is cut when the database goes away, and the log says so", async () => {
    const proxy = await startCuttingProxy(service.database.url);
    const database = { url: proxy.url, drop: async () => {} };
    const behind = await startService({ database });
    try {
      const url = `${behind.url}/transactions/?format=csv`;
      const headers = { authorization: `Bearer ${who.token}` };
      const reader = (await fetch(url, { headers })).body?.getReader();
      assert(reader !== undefined);
      await reader.read();
      await proxy.goAway();
      await assert.rejects(async () => {
        while (!(await reader.read()).done);
      });
      const isTold = () =>
        behind.logged.some(
          (line) => line.includes("a history was cut short") && line.includes(who.accountNumber),
        );
      await until(isTold, "the log says so");
    } finally {
      await behind.stop();
      await proxy.close();
    }
  });

  test("is walked to its end where the number of what fits is not known", async () => {
    const { token } = who;
    // Totals of 5.01 to 505.00: half of them fit, many more than are counted.
    const first = await service.request("/transactions/?total_min=255.01&page_size=100", { token });
    assert.deepEqual(first.body.meta, { page: 1, page_size: 100, total: 1_000, last_page: 10 });
    const seen = new Set<string>();
    let answer = first;
    for (;;) {
      for (const { order_id } of answer.body.data) seen.add(order_id);
      const { next } = answer.body.links;
      if (next === null) break;
      const { pathname, search } = new URL(next);
      answer = await service.request(pathname + search, { token });
    }
    assert.equal(seen.size, 25_000);
    assert.deepEqual(answer.body.meta, {
      page: 250,
      page_size: 100,
      total: 25_000,
      last_page: 250,
    });
    const { pathname, search } = new URL(first.body.links.last);
    const last = await service.request(pathname + search, { token });
    assert.equal(last.body.data.at(-1).order_id, "old-25001");
    const rare = "total_min=255.01&status=error";
    const narrow = await service.request(`/transactions/?${rare}`, { token });
    assert.equal(narrow.body.meta.total, 250);
  });
});

/** Counts lines and forgets them, asking now and then how much memory is held. */
async function download({ token }: Shop): Promise<{ lines: number; bytes: number; most: number }> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const held = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  const url = `${service.url}/transactions/?format=csv`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  assert(answer.body !== null);
  let [lines, bytes, most, chunks] = [0, 0, 0, 0];
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
    if (chunks++ % 20 === 0) most = Math.max(most, held() - before);
  }
  return { lines, bytes, most };
}

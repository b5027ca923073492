/**
 * A walk through the history by its links meets every row once, however many come meanwhile; and
 * any page may be asked for by its number (Interface §8, Decision 0027).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { addUpCounts } from "../../../src/modules/transactions/add-up-counts.ts";
import { recordTransaction } from "../../../testkit/record-transaction.ts";
import { startService, type TestAnswer, type TestService } from "../../../testkit/service.ts";
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

const get = (path: string, { token }: { token: string }) => service.request(path, { token });
const list = (query: string, who: { token: string }) => get(`/transactions/?${query}`, who);
const idsOf = ({ body }: TestAnswer): string[] =>
  body.data.map((row: { transaction_id: string }) => row.transaction_id);
const ordersOf = ({ body }: TestAnswer): string[] =>
  body.data.map((row: { order_id: string }) => row.order_id);

/** Links are addresses as callers see them. */
function follow(link: string, who: { token: string }): Promise<TestAnswer> {
  const { pathname, search } = new URL(link);
  return get(pathname + search, who);
}

async function allIds({ accountNumber }: Shop): Promise<string[]> {
  const rows = await service.ctx.db.rows<{ id: string }>(sql`
    select transaction_id as id from transactions where account_number = ${accountNumber}
    order by created_at desc, transaction_id desc`);
  return rows.map(({ id }) => id);
}

describe("an empty history", () => {
  test("is one page with nothing in it", async () => {
    const who = await openShop(service);
    const { status, body } = await list("", who);
    assert.equal(status, 200);
    assert.deepEqual([body.message, body.data], ["OK", []]);
    assert.deepEqual(body.meta, { page: 1, page_size: 20, total: 0, last_page: 1 });
    assert.deepEqual([body.links.prev, body.links.next], [null, null]);
  });
});

describe("a walk", () => {
  test("forwards meets each row once while 200 come", async () => {
    const who = await openShop(service);
    const old = { rows: 400, until: "2026-11-01T00:00:00Z", everySeconds: 600 };
    await fillHistory(service, who, old);
    const before = await allIds(who);
    const seen: string[] = [];
    let answer = await list("page_size=20", who);
    for (let page = 1; ; page++) {
      assert.deepEqual(
        answer.body.meta,
        { page, page_size: 20, total: 400, last_page: 20 },
        "the list is as long as it was",
      );
      seen.push(...idsOf(answer));
      const { next } = answer.body.links;
      if (next === null) break;
      for (let i = 0; i < 10; i++) await pay(service, newPayment(who));
      if (page === 7) await addUpCounts(service.ctx.db);
      answer = await follow(next, who);
    }
    assert.deepEqual(seen, before);
    assert.equal((await list("", who)).body.meta.total, 400 + 190);
  });

  test("meets each row once though a late commit lands among those already shown", async () => {
    const who = await openShop(service);
    const paid = async (orderId: string) => pay(service, newPayment(who, { orderId }));
    for (const orderId of ["a", "b", "c"]) await paid(orderId);
    const release = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const late = service.ctx.db.transaction(async (tx) => {
      await recordTransaction(tx, newPayment(who, { orderId: "late" }));
      written.resolve();
      await release.promise;
    });
    await written.promise;
    for (const orderId of ["d", "e"]) await paid(orderId);
    const page1 = await list("page_size=3", who);
    assert.deepEqual(ordersOf(page1), ["e", "d", "c"]);
    release.resolve();
    await late;
    assert.deepEqual(ordersOf(await follow(page1.body.links.next, who)), ["b", "a"]);
    const again = await list("page_size=3", who);
    assert.deepEqual([ordersOf(again), again.body.meta.total], [["e", "d", "late"], 6]);
  });

  test("meets each row that still fits once while others leave the filter", async () => {
    const who = await openShop(service);
    for (let i = 0; i < 12; i++) await pay(service, newPayment(who, { orderId: `open-${i}` }));
    const page1 = await list("status=incomplete&page_size=4", who);
    assert.deepEqual(ordersOf(page1), ["open-11", "open-10", "open-9", "open-8"]);
    await service.ctx.db.run(sql`
      update transactions set status = 'failed', message = 'Gone.', finalised_at = app_now()
      where account_number = ${who.accountNumber} and order_id in ('open-10', 'open-7', 'open-2')`);
    const page2 = await follow(page1.body.links.next, who);
    assert.deepEqual(ordersOf(page2), ["open-6", "open-5", "open-4", "open-3"]);
    const page3 = await follow(page2.body.links.next, who);
    assert.deepEqual([ordersOf(page3), page3.body.links.next], [["open-1", "open-0"], null]);
  });

  test("backwards meets the same pages again, new rows or not", async () => {
    const who = await openShop(service);
    const old = { rows: 95, until: "2026-11-01T00:00:00Z", everySeconds: 60 };
    await fillHistory(service, who, old);
    const pages: string[][] = [];
    let answer = await list("page_size=10", who);
    while (answer.body.links.next !== null) {
      pages.push(idsOf(answer));
      answer = await follow(answer.body.links.next, who);
    }
    assert.equal(answer.body.meta.page, 10);
    for (const expected of pages.reverse()) {
      await pay(service, newPayment(who));
      answer = await follow(answer.body.links.prev, who);
      assert.deepEqual(idsOf(answer), expected);
    }
    assert.deepEqual([answer.body.meta.page, answer.body.links.prev], [1, null]);
  });

  test("from the last link meets the oldest rows, and first begins with what is new", async () => {
    const who = await openShop(service);
    const old = { rows: 45, until: "2026-11-01T00:00:00Z", everySeconds: 60 };
    await fillHistory(service, who, old);
    const start = await list("page_size=20", who);
    const fresh = await pay(service, newPayment(who));
    const last = await follow(start.body.links.last, who);
    assert.deepEqual(last.body.meta, { page: 3, page_size: 20, total: 45, last_page: 3 });
    assert.deepEqual(ordersOf(last), ["old-5", "old-4", "old-3", "old-2", "old-1"]);
    const before = await follow(last.body.links.prev, who);
    assert.deepEqual([ordersOf(before)[0], ordersOf(before).at(-1)], ["old-25", "old-6"]);
    const first = await follow(before.body.links.first, who);
    assert.equal(idsOf(first)[0], fresh.transaction_id);
    assert.equal(first.body.meta.total, 46);
  });

  test("from the last link reaches any page of a list that was searched, as it was", async () => {
    const who = await openShop(service);
    const old = { rows: 45, until: "2026-11-01T00:00:00Z", everySeconds: 60 };
    await fillHistory(service, who, old);
    // Totals of 5.01 to 5.45: 5.11 and more are the numbers 11 to 45.
    const { links } = (await list("total_min=5.11&page_size=10", who)).body;
    await pay(service, newPayment(who));
    const link = new URL(links.last);
    for (const [page, newest, oldest] of [
      [4, 15, 11],
      [3, 25, 16],
      [2, 35, 26],
      [1, 45, 36],
    ] as const) {
      link.searchParams.set("page", String(page));
      const orders = ordersOf(await follow(link.href, who));
      assert.deepEqual([orders[0], orders.at(-1)], [`old-${newest}`, `old-${oldest}`]);
    }
  });

  test("keeps the caller's filters in its links, and its marker to those filters", async () => {
    const who = await openShop(service);
    for (let i = 0; i < 5; i++) await pay(service, newPayment(who), i < 3 ? DECLINED : APPROVED);
    const { links } = (await list("status=failed&page_size=1", who)).body;
    const next = new URL(links.next);
    assert.equal(next.searchParams.get("status"), "failed");
    assert.equal((await follow(links.next, who)).body.data[0].status, "failed");
    for (const [name, value] of [
      ["status", "success"],
      ["page_size", "2"],
      ["environment", "sandbox"],
    ] as const) {
      const bent = new URL(next);
      bent.searchParams.set(name, value);
      const answer = await follow(bent.href, who);
      assert.deepEqual(
        [answer.status, answer.body.message],
        [400, "The as of must come from a link of this list."],
      );
    }
    assert.equal((await follow(links.next, await openShop(service))).status, 400);
  });
});

describe("a page by its number", () => {
  const ROWS = 5_000;
  let who: Shop;
  before(async () => {
    who = await openShop(service);
    // A few in each hour, over a year: far pages are found by months, days and hours.
    const old = { rows: ROWS, until: "2026-11-01T00:30:00Z", everySeconds: 6_307 };
    await fillHistory(service, who, old);
  });

  for (const when of ["before", "after"])
    test(`is the right one anywhere, ${when} the counts were added up`, async () => {
      if (when === "after") assert((await addUpCounts(service.ctx.db)) > 0);
      for (const [size, page] of [
        [7, 1],
        [7, 100],
        [7, 143],
        [7, 144],
        [7, 145],
        [7, 357],
        [7, 500],
        [7, 714],
        [7, 715],
        [100, 25],
        [100, 50],
        [1, 2_500],
        [1, 5_000],
      ] as const) {
        const answer = await list(`page=${page}&page_size=${size}`, who);
        const newest = ROWS - (page - 1) * size;
        const length = Math.min(size, newest);
        const expected = Array.from({ length }, (_, i) => `old-${newest - i}`);
        assert.deepEqual(ordersOf(answer), expected, `page ${page} of ${size}`);
        assert.equal(answer.body.links.next === null, newest - length === 0);
      }
    });

  test("is the right one of a filtered list", async () => {
    // Every fifth is in US dollars: 5000, 4995, …
    for (const [page, first] of [
      [1, 5_000],
      [51, 2_500],
      [100, 50],
    ] as const) {
      const answer = await list(`currency=USD&page=${page}&page_size=10`, who);
      const expected = Array.from({ length: 10 }, (_, i) => `old-${first - 5 * i}`);
      assert.deepEqual(ordersOf(answer), expected);
      assert.equal(answer.body.meta.total, 1_000);
    }
  });

  test("is empty past the end, and its links lead back", async () => {
    for (const page of [51, 1_000_000]) {
      const { status, body } = await list(`page=${page}&page_size=100`, who);
      assert.equal(status, 200);
      assert.deepEqual([body.data, body.links.next], [[], null]);
      assert.deepEqual(body.meta, { page, page_size: 100, total: ROWS, last_page: 50 });
      const back = await follow(body.links.prev, who);
      assert.equal(ordersOf(back).at(-1), "old-1");
    }
  });

  test("may be another one of the same walk", async () => {
    const start = await list("page_size=10", who);
    const link = new URL(start.body.links.next);
    for (let i = 0; i < 3; i++) await pay(service, newPayment(who));
    for (const [page, first] of [
      [1, 5_000],
      [2, 4_990],
      [3, 4_980],
      [300, 2_010],
      [500, 10],
    ] as const) {
      link.searchParams.set("page", String(page));
      assert.equal(ordersOf(await follow(link.href, who))[0], `old-${first}`, `page ${page}`);
    }
  });
});

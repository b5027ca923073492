/**
 * The console's search finds a payment each way that a person may know it by, with every filter
 * beside it, and never one of another account or environment (Decision 0088).
 */

import assert from "node:assert/strict";
import { text as readAll } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { formatMoney, money } from "../../../src/kit/money.ts";
import { openChargeback } from "../../../src/modules/transactions/dispute.ts";
import { CSV_COLUMNS, streamSearch } from "../../../src/modules/transactions/history-csv.ts";
import { searchPayments } from "../../../src/modules/transactions/search-payments.ts";
import type { TransactionRow } from "../../../src/modules/transactions/transaction.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  newPayment,
  openShop,
  pay,
  type Shop,
} from "../../../testkit/transactions.ts";
import { refundOf, settleAll } from "./refund-support.ts";
import { csvSource, searchOf, type Wanted, walk } from "./search-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

async function ids(shop: Shop, wanted: Wanted): Promise<string[]> {
  const page = await searchPayments(service.ctx.db, searchOf(shop, wanted), {
    cursor: undefined,
    pageSize: 50,
  });
  return page.rows.map(({ transaction_id }) => transaction_id);
}

describe("finds a payment by", () => {
  let shop: Shop;
  let other: Shop;
  let paid: TransactionRow;
  let open: TransactionRow;
  let declined: TransactionRow;
  before(async () => {
    [shop, other] = [await openShop(service), await openShop(service)];
    for (const [who, environment] of [
      [shop, "live"],
      [shop, "sandbox"],
      [other, "live"],
    ] as const) {
      const made = [
        newPayment(who, {
          environment,
          orderId: "winter-77",
          amount: "250.00 TTD",
          customer: { email: "Anika.M@Example.com" },
        }),
        newPayment(who, { environment, orderId: "winter-78", amount: "250.00 USD" }),
        newPayment(who, { environment, orderId: "summer-1", amount: "11.11 TTD", customer: {} }),
      ] as const;
      const rows = [
        await pay(service, made[0], APPROVED),
        await pay(service, made[1], DECLINED),
        await pay(service, made[2]),
      ] as const;
      if (who === shop && environment === "live") [paid, declined, open] = rows;
    }
  });

  const named = (...rows: (() => TransactionRow)[]) => rows.map((row) => row().transaction_id);
  const CASES: readonly [what: string, text: () => string, found: () => string[]][] = [
    ["its id", () => paid.transaction_id, () => named(() => paid)],
    ["its id in small letters", () => open.transaction_id.toLowerCase(), () => named(() => open)],
    ["its order", () => "winter-77", () => named(() => paid)],
    [
      "the beginning of an order",
      () => "winter-",
      () =>
        named(
          () => declined,
          () => paid,
        ),
    ],
    ["the order of an open one", () => "summer-1", () => named(() => open)],
    ["an e-mail in any case", () => "aNIKA.m@example.COM", () => named(() => paid)],
    ["the beginning of an e-mail", () => "anika.m", () => named(() => paid)],
    [
      "a common beginning",
      () => "anika",
      () =>
        named(
          () => declined,
          () => paid,
        ),
    ],
    ["the card", () => "1111", () => named(() => paid)],
    ["the card of a declined one", () => "**** 3333", () => named(() => declined)],
    [
      "the total",
      () => "250",
      () =>
        named(
          () => declined,
          () => paid,
        ),
    ],
    ["the total with its currency", () => "TTD 250.00", () => named(() => paid)],
    ["the total of an open one", () => "11.11", () => named(() => open)],
    [
      "what the customer paid",
      () => formatMoney(money("TTD", paid.customer_total_minor)),
      () => named(() => paid),
    ],
    ["nothing else", () => "winter-79", () => []],
    ["no words", () => "two words", () => []],
  ];
  for (const [what, text, found] of CASES)
    test(what, async () => assert.deepEqual(await ids(shop, { text: text() }), found()));

  test("filters narrow what a text finds", async () => {
    const text = "winter-";
    assert.deepEqual(await ids(shop, { text, status: "failed" }), [declined.transaction_id]);
    assert.deepEqual(await ids(shop, { text, currency: "TTD" }), [paid.transaction_id]);
    assert.deepEqual(await ids(shop, { text: "1111", statusDescs: ["Refunded"] }), []);
    const until = new Date("2026-01-01T00:00:00Z");
    assert.deepEqual(await ids(shop, { text, until }), []);
    const totals = { minMinor: 25_000n, maxMinor: 25_000n };
    assert.deepEqual(await ids(shop, { text: "anika", totals, orderId: "winter-77" }), [
      paid.transaction_id,
    ]);
  });

  test("a forged page is refused", async () => {
    for (const cursor of ["", "?", Buffer.from("o 1 x").toString("base64url")])
      await assert.rejects(
        searchPayments(service.ctx.db, searchOf(shop), { cursor, pageSize: 20 }),
        { message: "The page must come from a link of this list." },
      );
  });

  test("CSV has what is shown, with the columns chosen", async () => {
    const search = searchOf(shop, { text: "winter-" });
    const columns = ["order_id", "customer_email", "total", "currency"];
    const csv = await readAll(await streamSearch(csvSource(service), search, columns));
    assert.equal(
      csv,
      "order_id,customer_email,total,currency\r\n" +
        "winter-78,anika@example.com,250.00,USD\r\n" +
        "winter-77,Anika.M@Example.com,250.00,TTD\r\n",
    );
    const all = await readAll(await streamSearch(csvSource(service), search, CSV_COLUMNS));
    const { text: history } = await service.request("/transactions/?order_id=winter-77", {
      token: shop.token,
      headers: { accept: "text/csv" },
    });
    assert.equal(all.split("\r\n")[2], history.split("\r\n")[1]);
  });
});

test("refunded and disputed ones are found by what became of them", async () => {
  const shop = await openShop(service);
  const made = await Promise.all(
    Array.from({ length: 6 }, () => pay(service, newPayment(shop), APPROVED)),
  );
  const byTime = made.toSorted((a, b) => (a.transaction_id < b.transaction_id ? 1 : -1));
  const [first, second, third] = byTime.map((row) => row.transaction_id);
  assert(first !== undefined && second !== undefined && third !== undefined);
  await refundOf(service, { shop, id: first }, "1.00");
  await refundOf(service, { shop, id: second }, "1.00");
  await settleAll(service);
  const action = { transactionId: third, by: "D. Joseph", why: "ticket 4711" };
  await service.ctx.db.transaction((tx) => openChargeback(tx, action));
  const refunded = { statusDescs: ["Refund Requested", "Refunded"] } as const;
  assert.deepEqual(await walk(service, shop, refunded, 1), [first, second]);
  assert.deepEqual(await walk(service, shop, { statusDescs: ["Chargeback Pending"] }), [third]);
  assert.deepEqual(await walk(service, shop, { ...refunded, currency: "USD" }), []);
  assert.deepEqual(await walk(service, shop, { ...refunded, text: "1111", status: "success" }), [
    first,
    second,
  ]);
});

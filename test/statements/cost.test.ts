/**
 * What a search, a statement and the figures cost does not grow with the history: PostgreSQL itself
 * tells how many rows each statement reads, and that it is by the index made for it (Decision
 * 0088).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { addUpStatements } from "../../src/modules/statements/add-up-statements.ts";
import { readFigures } from "../../src/modules/statements/read-figures.ts";
import { readStatement } from "../../src/modules/statements/read-statement.ts";
import { addUpCounts } from "../../src/modules/transactions/add-up-counts.ts";
import { searchPayments } from "../../src/modules/transactions/search-payments.ts";
import { type Read, watching } from "../../testkit/explain-reads.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { fillHistory, openShop, type Shop } from "../../testkit/transactions.ts";
import { searchOf, type Wanted } from "../api/transactions/search-support.ts";

const ROWS = 12_000;
/** A beginning of an order has the most: those that are too many, of both indexes. */
const READ_MAX = 2_600;

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
  const { db } = service.ctx;
  shop = await openShop(service);
  const other = await openShop(service);
  const until = "2026-11-01T00:00:00Z";
  await fillHistory(service, shop, { rows: ROWS, until, everySeconds: 2_500 });
  await fillHistory(service, other, { rows: 2_000, until, everySeconds: 60 });
  // By handfuls, because a statement has a time limit on the slowest machine too.
  for (let part = 0; part < 10; part++) await db.run(remember(part));
  for (const span of ["hour", "day", "month"]) await db.run(yearsOf(span));
  await addUpCounts(db);
  await addUpStatements(db);
  for (const table of [sql`transactions`, sql`statement_sums`, sql`payment_failures`])
    await db.run(sql`vacuum analyze ${table}`);
});
after(() => service.stop());

/** Cards, e-mails and what became of some, as results bring them. */
const remember = (part: number) => sql`
  with off as (select set_config('session_replication_role', 'replica', true))
  update transactions
  set card_brand = 'visa', card_last_four = lpad((total_minor % 10)::text, 4, '1'),
    customer = jsonb_build_object('email', 'c' || total_minor % 500 || '@example.com'),
    status_desc = case when total_minor % 20 = 7 and status = 'success' then 'Refunded'
      else 'Normal' end
  from off where total_minor % 10 = ${part}`;

/** As if something had been paid in every hour of two years. */
const yearsOf = (span: string) => sql`
  insert into statement_sums
  select ${shop.accountNumber}, 'live', ${span}, span_start(${span}, at), 'TTD',
    'payment_approved', count(*), 100, 5
  from generate_series(timestamptz '2024-11-01Z', '2026-10-31Z', '1 hour') as at group by 4`;

function expectFew(reads: readonly Read[], by: string): void {
  const sum = reads.reduce((all, { rows }) => all + rows, 0);
  assert(sum <= READ_MAX, `${sum} rows were read: ${JSON.stringify(reads)}`);
  assert(
    reads.some((read) => read.by === by),
    JSON.stringify(reads),
  );
  const whole = reads.filter((read) => read.by === "Seq Scan" && read.rows > 20);
  assert.deepEqual(whole, []);
}

const SEARCHES: readonly [what: string, wanted: Wanted, by: string][] = [
  ["everything", {}, "transactions_by_time"],
  ["an order", { text: "old-5" }, "an_order_has_one_live_transaction"],
  ["a beginning of all orders", { text: "old-" }, "an_order_has_one_live_transaction"],
  ["an e-mail", { text: "c77@example.com" }, "transactions_by_email"],
  ["a beginning of many e-mails", { text: "c77" }, "transactions_by_email"],
  ["a card that a tenth has", { text: "**** 1117" }, "transactions_by_last_four"],
  ["an amount", { text: "77.77" }, "transactions_by_total"],
  ["refunded ones", { statusDescs: ["Refunded"] }, "transactions_by_status_desc"],
  [
    "refunded ones of a currency that none has",
    { statusDescs: ["Refunded"], currency: "GYD" },
    "transactions_by_status_desc",
  ],
  ["a card and a status", { text: "**** 1117", status: "error" }, "transactions_by_last_four"],
];

describe(`of ${ROWS} payments`, () => {
  for (const [what, wanted, by] of SEARCHES)
    test(`a search of ${what} reads at most ${READ_MAX} rows, by ${by}`, async () => {
      const reads: Read[] = [];
      const page = { cursor: undefined, pageSize: 20 };
      await searchPayments(watching(service.ctx.db, reads), searchOf(shop, wanted), page);
      expectFew(
        reads.filter(({ table }) => table === "transactions"),
        by,
      );
    });

  test("figures of ninety days read sums alone", async () => {
    const reads: Read[] = [];
    await readFigures(watching(service.ctx.db, reads), {
      accountNumber: shop.accountNumber,
      environment: "live",
      currency: undefined,
      timeZone: "America/Jamaica",
      days: 90,
    });
    expectFew(reads, "a_reason_is_counted_once");
    assert(!reads.some(({ table }) => table === "transactions"));
  });

  test("a statement of a month reads sums alone", async () => {
    const reads: Read[] = [];
    await readStatement(watching(service.ctx.db, reads), {
      accountNumber: shop.accountNumber,
      environment: "live",
      currency: "TTD",
      timeZone: "America/Port_of_Spain",
      from: "2026-03-01",
      to: "2026-03-31",
    });
    expectFew(reads, "a_span_is_added_up_once");
    assert(!reads.some(({ table }) => table === "transactions"));
  });
});

/**
 * A search of a long list finds what reading all of it finds, page by page in both directions,
 * however rare it is (Decision 0088).
 */

import assert from "node:assert/strict";
import { text as readAll } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/infra/db/query.ts";
import { formatMoney, money } from "../../../src/kit/money.ts";
import { addUpCounts } from "../../../src/modules/transactions/add-up-counts.ts";
import { streamSearch } from "../../../src/modules/transactions/history-csv.ts";
import { PREFIX_MATCHES_MAX, READ_MAX } from "../../../src/modules/transactions/search-keys.ts";
import { searchPayments } from "../../../src/modules/transactions/search-payments.ts";
import type { TransactionRow } from "../../../src/modules/transactions/transaction.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  APPROVED,
  fillHistory,
  newPayment,
  openShop,
  pay,
  type Shop,
  TIMED_OUT,
} from "../../../testkit/transactions.ts";
import { csvSource, searchOf, type Wanted, walk } from "./search-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

describe("in a long list", () => {
  const ROWS = Math.max(READ_MAX, PREFIX_MATCHES_MAX) + 300;
  let shop: Shop;
  let all: readonly TransactionRow[];
  before(async () => {
    shop = await openShop(service);
    const until = "2026-11-01T00:00:00Z";
    await fillHistory(service, shop, { rows: ROWS, until, everySeconds: 3_000 });
    const { db } = service.ctx;
    await addUpCounts(db);
    const page = await searchPayments(db, searchOf(shop), { cursor: undefined, pageSize: ROWS });
    all = page.rows;
    assert.equal(all.length, ROWS);
    assert.equal(page.total, ROWS);
    assert.equal(page.next, null);
  });

  test("any search finds what reading all of it finds, in the same order", async () => {
    const wanted = fc.record(
      {
        text: fc.constantFrom("old-12", "old-1234", "old-123", "10.00", "12", "", "nothing"),
        status: fc.constantFrom("success" as const, "failed" as const, "error" as const),
        currency: fc.constantFrom("TTD" as const, "USD" as const),
        from: fc.constantFrom(new Date("2026-09-01T04:00:00Z"), new Date("2026-10-15T00:30:00Z")),
        until: fc.constantFrom(new Date("2026-10-01T04:00:00Z"), new Date("2026-10-20T00:00:00Z")),
        totals: fc.constant({ minMinor: 1_500n, maxMinor: 2_600n }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(wanted, fc.constantFrom(7, 100), async (search, pageSize) => {
        const expected = all.filter((row) => fits(row, search));
        assert.deepEqual(
          await walk(service, shop, search, pageSize),
          expected.map(({ transaction_id }) => transaction_id),
        );
        const page = { cursor: undefined, pageSize };
        const { total } = await searchPayments(service.ctx.db, searchOf(shop, search), page);
        if (total !== undefined) assert.equal(total, expected.length);
      }),
      { numRuns: fuzzRuns({ usual: 25, proof: 300 }) },
    );
  });

  test("a beginning of too many orders is said to be too short", async () => {
    const page = { cursor: undefined, pageSize: 20 };
    const found = await searchPayments(service.ctx.db, searchOf(shop, { text: "old-" }), page);
    assert(ROWS > PREFIX_MATCHES_MAX);
    assert.deepEqual(found.tooMany, ["orders"]);
    assert.deepEqual(found.rows, []);
  });

  test("a rare filter ends at what was read, and goes on from there", async () => {
    const many = await openShop(service);
    const first = await pay(service, newPayment(many, { amount: "7.00 USD" }), APPROVED);
    for (let i = 0; i < 3; i++) await pay(service, newPayment(many), TIMED_OUT);
    await service.ctx.db.run(MANY_CARDS(many.accountNumber, READ_MAX + 10));
    const search = searchOf(many, { text: "1111", currency: "USD" });
    const page = await searchPayments(service.ctx.db, search, { cursor: undefined, pageSize: 20 });
    assert.deepEqual(page.rows, []);
    assert(page.next !== null);
    assert.deepEqual(await walk(service, many, { text: "1111", currency: "USD" }), [
      first.transaction_id,
    ]);
    const csv = await readAll(await streamSearch(csvSource(service), search, ["transaction_id"]));
    assert.equal(csv, `transaction_id\r\n${first.transaction_id}\r\n`);
  });
});

function fits(row: TransactionRow, wanted: Wanted): boolean {
  const { text = "", status, currency, from, until, totals } = wanted;
  if (status !== undefined && row.status !== status) return false;
  if (currency !== undefined && row.currency !== currency) return false;
  if (from !== undefined && row.created_at < from) return false;
  if (until !== undefined && row.created_at >= until) return false;
  if (totals !== undefined && !between(row.total_minor, totals)) return false;
  if (text === "") return true;
  const total = formatMoney(money(row.currency, row.total_minor));
  const isPrefix = text.length >= 3 && row.order_id.startsWith(text);
  return isPrefix || row.order_id === text || total === text || total === `${text}.00`;
}

function between(minor: bigint, { minMinor, maxMinor }: { minMinor: bigint; maxMinor: bigint }) {
  return minor >= minMinor && minor <= maxMinor;
}

/** Paid with the same card, each a moment after the other. */
const MANY_CARDS = (accountNumber: string, rows: number) => sql`
  with off as (select set_config('session_replication_role', 'replica', true))
  insert into transactions (transaction_id, account_number, environment, country_code, currency,
    order_id, total_minor, customer_total_minor, fee_minor, tax_minor, net_minor, fee_structure,
    method, status, message, card_brand, card_last_four, created_at, finalised_at)
  select 'TT-' || lpad(upper(to_hex(hashtextextended(${accountNumber}, i))), 26, '0'),
    ${accountNumber}, 'live', 'TT', 'TTD', 'many-' || i, 500, 500, 0, 0, 500, 'customer_pay',
    'credit_card_co', 'success', 'Done.', 'visa', '1111', at, at
  from off, generate_series(1::bigint, ${rows}) as i
  cross join lateral (select app_now() + make_interval(secs => i) as at) as made`;

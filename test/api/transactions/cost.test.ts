/**
 * What a page of the history costs does not grow with the history: PostgreSQL itself tells how many
 * rows each statement reads, and that it is by the index made for it (Decision 0027).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { addUpCounts } from "../../../src/modules/transactions/add-up-counts.ts";
import type { HistoryFilter } from "../../../src/modules/transactions/history-filter.ts";
import { listTransactions } from "../../../src/modules/transactions/list-transactions.ts";
import { type Read, watching } from "../../../testkit/explain-reads.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { fillHistory, openShop, type Shop } from "../../../testkit/transactions.ts";

const ROWS = 12_000;
/** A thousand that are passed over, or sorted, and what a page takes of each stream. */
const READ_MAX = 2_600;

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
  shop = await openShop(service);
  const until = "2026-11-01T00:00:00Z";
  await fillHistory(service, shop, { rows: ROWS, until, everySeconds: 2_500 });
  await fillHistory(service, await openShop(service), { rows: 2_000, until, everySeconds: 60 });
  await addUpCounts(service.ctx.db);
  await service.ctx.db.run(sql`vacuum analyze transactions`);
  await service.ctx.db.run(sql`vacuum analyze transaction_counts`);
});
after(() => service.stop());

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const LISTS: readonly [what: string, filter: Partial<HistoryFilter>, page: number, by: string][] = [
  ["the first page", {}, 1, "transactions_by_time"],
  ["the last page", {}, 600, "transactions_by_time"],
  ["a page in the middle", {}, 300, "transactions_by_time"],
  ["the first page of a rare status", { status: "error" }, 1, "transactions_by_status"],
  ["the last page of a status", { status: "success" }, 540, "transactions_by_status"],
  ["the middle of a status", { status: "success" }, 270, "transactions_by_status"],
  ["the first page of a currency", { currency: "USD" }, 1, "transactions_by_status"],
  ["the middle of a currency", { currency: "USD" }, 60, "transactions_by_status"],
  ["both", { status: "failed", currency: "USD" }, 5, "transactions_by_status"],
  ["days", { from: day("2026-03-10"), until: day("2026-08-20") }, 1, "transactions_by_time"],
  [
    "days to their end",
    { from: day("2026-03-10"), until: day("2026-08-20") },
    281,
    "transactions_by_time",
  ],
  ["an order", { orderId: "old-5" }, 1, "an_order_has_one_live_transaction"],
  ["one total", { totals: { minMinor: 777n, maxMinor: 777n } }, 1, "transactions_by_total"],
  ["few totals", { totals: { minMinor: 700n, maxMinor: 1_500n } }, 3, "transactions_by_total"],
  ["many totals", { totals: { minMinor: 8_000n, maxMinor: 99_999n } }, 1, "transactions_by_band"],
  [
    "many totals of a status",
    { status: "success", totals: { minMinor: 8_000n, maxMinor: 99_999n } },
    1,
    "transactions_by_band",
  ],
];

describe(`of ${ROWS} transactions`, () => {
  for (const [what, narrowed, page, by] of LISTS)
    test(`${what} reads at most ${READ_MAX}, by ${by}`, async () => {
      const reads: Read[] = [];
      const filter: HistoryFilter = {
        accountNumber: shop.accountNumber,
        environment: "live",
        status: undefined,
        currency: undefined,
        orderId: undefined,
        paymentLink: undefined,
        from: undefined,
        until: undefined,
        totals: undefined,
        ...narrowed,
      };
      const asked = { page, pageSize: 20, marker: undefined };
      const found = await listTransactions(watching(service.ctx.db, reads), filter, asked);
      assert(found.keys.length > 0, "a page with nothing on it costs nothing");
      const ours = reads.filter(({ table }) => table === "transactions");
      const sum = ours.reduce((all, { rows }) => all + rows, 0);
      assert(sum <= READ_MAX, `${sum} rows were read: ${JSON.stringify(ours)}`);
      assert(
        ours.some((read) => read.by === by),
        JSON.stringify(ours),
      );
      assert(!ours.some((read) => read.by === "Seq Scan"), JSON.stringify(ours));
    });
});

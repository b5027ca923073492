/**
 * The guarantee: the books follow from the lines that were imported, and not from their order, from
 * how often they came, or from how they were spread over files. Two imports at once settle nothing
 * twice.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { readConfig } from "../../src/infra/config.ts";
import { sql } from "../../src/infra/db/query.ts";
import { acquirerClearing } from "../../src/modules/settlement/clearing.ts";
import { importLines } from "../../src/modules/settlement/import-lines.ts";
import { readReport } from "../../src/modules/settlement/read-report.ts";
import { reconcileSettlements } from "../../src/modules/settlement/reconcile-settlements.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { type Line, lineOf, refund, reportOf, sell } from "../../testkit/settlements.ts";
import { openShop } from "../../testkit/transactions.ts";

const { columns } = readConfig({}).settlement;
const linesOf = (lines: readonly Line[]) => readReport(Buffer.from(reportOf(lines)), columns);

let service: TestService;
/** All agree with what was paid. */
let right: Line[];
/** Each differs in another way. */
let wrong: Line[];
before(async () => {
  service = await startService();
  const shops = [await openShop(service), await openShop(service)];
  right = [];
  wrong = [];
  for (const [at, shop] of shops.entries()) {
    const sold = await sell(service, shop, { fee: "2.10" });
    const other = await sell(service, shop, { amount: "7.00 USD", fee: "0.35" });
    right.push(sold.line, other.line);
    for (const amount of ["10.00", "10.00", `${20 + at}.00`])
      right.push(await refund(service, shop, sold, { amount }));
    wrong.push(
      { ...other.line, amount: "6.00" },
      { ...sold.line, date: "2026-11-20" },
      lineOf(sold.paid, { type: "5", amount: "10.00" }),
      { ...sold.line, currency: "BBD" },
      lineOf(sold.paid, { order: "TT-00000000000000000000000000" }),
    );
  }
});
after(() => service.stop());

const ledger = (kinds: readonly string[]) =>
  service.ctx.db.rows<{ name: string; minor: string }>(sql`
    select name, balance_minor::text as minor
    from ledger_accounts join ledger_balances using (ledger_account_id)
    where environment = 'live' and kind = any (${kinds}) and balance_minor <> 0 order by name`);

/** Undoes everything, as a database that never saw a report. */
class Undo extends Error {}

/** The balances after these files, in a tx that is rolled back. */
async function booksAfter(files: readonly (readonly Line[])[]): Promise<unknown> {
  let balances: unknown;
  await service.ctx.db
    .transaction(async (tx) => {
      for (const file of files) await importLines(tx, linesOf(file));
      balances = await tx.rows<{ name: string; minor: string }>(sql`
        select name, balance_minor::text as minor
        from ledger_accounts join ledger_balances using (ledger_account_id)
        where environment = 'live' and balance_minor <> 0 order by name`);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return balances;
}

test("any order, repetition and division into files leads to the same books", async () => {
  const all = [...right, ...wrong];
  const expected = await booksAfter([all]);
  const orders = fc.shuffledSubarray(all, { minLength: all.length }).chain((lines) =>
    fc.record({
      lines: fc.constant(lines),
      repeated: fc.subarray(lines),
      cut: fc.nat({ max: lines.length }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(orders, async ({ lines, repeated, cut }) => {
      const files = [lines.slice(0, cut), [...repeated, ...lines.slice(cut)], repeated];
      assert.deepEqual(await booksAfter(files), expected);
    }),
    { numRuns: 40 },
  );
});

test("reports that come at once settle each refund once, and clearing is zero", async () => {
  const { db } = service.ctx;
  const bySingles = right.map((line) => linesOf([line]));
  await Promise.all(
    [...bySingles, linesOf(right), linesOf(right.toReversed())].map((lines) =>
      db.transaction((tx) => importLines(tx, lines)),
    ),
  );
  assert.deepEqual(await ledger(["gateway_clearing"]), []);
  assert.ok((await acquirerClearing(db)).every(({ minor }) => minor === 0n));
  const { differences, recordCount } = await reconcileSettlements(db, 5);
  assert.deepEqual(differences, []);
  assert.equal(recordCount, right.length);
  await expectBooksToBalance(db);
});

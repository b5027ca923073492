/**
 * The guarantee: each line of a settlement report is matched to a payment, what differs is named by
 * payment and stays in the clearing account, and a line counts once however often it comes.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { operator, operatorEntries, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import {
  type Line,
  lineOf,
  refund,
  reportOf,
  sell,
  writeApproved,
  writeRefunded,
} from "../../testkit/settlements.ts";
import { newPayment, openShop, pay, type Shop } from "../../testkit/transactions.ts";

let service: TestService;
let shop: Shop;
let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "windward-settlement-"));
});
after(() => rm(folder, { recursive: true }));

/** Each on books of its own, so that what is left in the clearing account is known. */
function onOwnBooks(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    service = await startService();
    shop = await openShop(service);
    try {
      await run();
      await expectBooksToBalance(service.ctx.db);
    } finally {
      await service.stop();
    }
  });
}

let files = 0;

async function importText(text: string, settings: Record<string, string> = {}) {
  const file = path.join(folder, `${++files}.csv`);
  await writeFile(file, text);
  const said = await operator(service, ["import-settlement", file, ...SIGNED, "--json"], {
    settings,
  });
  assert.equal(said.stderr, "");
  const report = JSON.parse(said.stdout);
  const differences = report.not_matched.map(
    (one: Record<string, string>) => `${one.transaction_id} ${one.state} ${one.difference}`,
  );
  return { ...report, code: said.code, differences };
}

const importLines = (lines: readonly Line[]) => importText(reportOf(lines));

/** What the acquirer owes us, without the currencies in which it owes nothing. */
async function owed(): Promise<string[]> {
  const { acquirer_owes } = await operatorJson(service, ["settlements"]);
  return acquirer_owes
    .map((one: { currency: string; amount: string }) => `${one.amount} ${one.currency}`)
    .filter((amount: string) => !amount.startsWith("0.00 "));
}

async function balances(): Promise<Record<string, string>> {
  const rows = await service.ctx.db.rows<{ kind: string; minor: string }>(sql`
    select kind, sum(balance_minor)::text as minor
    from ledger_accounts join ledger_balances using (ledger_account_id)
    where environment = 'live' and kind in ('gateway_clearing', 'bank', 'acquirer_fees')
    group by kind`);
  return Object.fromEntries(rows.map(({ kind, minor }) => [kind, minor]));
}

/** With the exit code that says whether something differs. */
async function reconciled(): Promise<{ code: number | null; words: string[] }> {
  const { code, stdout } = await operator(service, ["reconcile", "--json"]);
  return { code, words: JSON.parse(stdout).differences.map((one: { words: string }) => one.words) };
}

describe("a report that agrees", () => {
  onOwnBooks("moves sales, refunds and fees to the bank, and clearing is zero", async () => {
    const first = await sell(service, shop, { fee: "2.10" });
    const second = await sell(service, shop, { amount: "40.00 TTD" });
    const back = await refund(service, shop, first, { amount: "30.00" });
    const sum = first.paid.customer_total_minor + second.paid.customer_total_minor - 3000n;
    const report = await importLines([first.line, second.line, back]);
    const { code, lines, matched, differ, unknown } = report;
    assert.deepEqual(
      { code, lines, new: report.new, matched, differ, unknown },
      { code: 0, lines: 3, new: 3, matched: 3, differ: 0, unknown: 0 },
    );
    assert.deepEqual(await balances(), {
      gateway_clearing: "0",
      bank: String(210n - sum),
      acquirer_fees: "-210",
    });
    assert.deepEqual(await owed(), []);
    assert.deepEqual(await reconciled(), { code: 0, words: [] });
    const [entry] = (await operatorEntries(service)).slice(-1);
    assert.equal(entry?.action, "settlement_imported");
    assert.equal(entry?.detail.matched, 3);
  });

  onOwnBooks("changes nothing when it comes again, whole or in part", async () => {
    const sold = await sell(service, shop, { fee: "1.00" });
    const back = await refund(service, shop, sold, { amount: "10.00" });
    await importLines([sold.line, back, sold.line]);
    const before = await balances();
    for (const lines of [[sold.line, back], [back], [sold.line, sold.line]]) {
      const again = await importLines(lines);
      assert.deepEqual([again.code, again.new, again.differ], [0, 0, 0]);
    }
    assert.deepEqual(await balances(), before);
  });

  onOwnBooks("may name columns, currencies and types in its own way", async () => {
    const { paid, reference } = await sell(service, shop, { amount: "12.30 BBD" });
    const amount = Number(paid.customer_total_minor) / 100;
    const SETTLEMENT_COLUMNS =
      "identifier=Trxn Id,order=Order,type=Kind,amount=Gross,currency=Ccy,date=Day";
    const line = `20261116,52,${amount},Sale,,${reference.toUpperCase()}`;
    const text = `Day,Ccy,"Gross",Kind,Order,Trxn Id\n${line}\n`;
    const report = await importText(text, { SETTLEMENT_COLUMNS });
    assert.deepEqual([report.code, report.matched], [0, 1]);
    assert.deepEqual(await owed(), []);
  });

  onOwnBooks("settles a payment by its order where the identifier is another", async () => {
    const sold = await sell(service, shop);
    const order = `${sold.paid.transaction_id}-2`;
    assert.equal((await importLines([lineOf(sold.paid, { order })])).matched, 1);
  });

  onOwnBooks("settles a late approval that was given back by a refund", async () => {
    const { paid } = await sell(service, shop);
    const late = randomUUID();
    await writeApproved(service, paid, late);
    const amount = (Number(paid.customer_total_minor) / 100).toFixed(2);
    const whole = { reference: `void-${late}`, saleReference: late, paid, amount };
    await writeRefunded(service, whole);
    const before = await owed();
    const lines = [
      lineOf(paid, { identifier: late, order: `${paid.transaction_id}-2` }),
      lineOf(paid, { type: "5", order: `${paid.transaction_id}-2` }),
    ];
    assert.equal((await importLines(lines)).matched, 2);
    assert.deepEqual(await owed(), before);
  });

  onOwnBooks("matches two equal refunds to two lines and a third to none", async () => {
    const sold = await sell(service, shop);
    const lines = [
      await refund(service, shop, sold, { amount: "10.00" }),
      await refund(service, shop, sold, { amount: "10.00" }),
      lineOf(sold.paid, { type: "5", amount: "10.00" }),
    ];
    const report = await importLines([sold.line, ...lines]);
    assert.deepEqual(report.differences, [
      `${sold.paid.transaction_id} differs it is settled twice`,
    ]);
    assert.deepEqual(await owed(), ["10.00 TTD"]);
  });
});

describe("a report that differs", () => {
  onOwnBooks("by amount or currency leaves the difference in clearing", async () => {
    const less = await sell(service, shop);
    const other = await sell(service, shop, { amount: "50.00 TTD" });
    const [lessId, otherId] = [less.paid.transaction_id, other.paid.transaction_id];
    const report = await importLines([
      (await sell(service, shop)).line,
      { ...less.line, amount: "100.00" },
      { ...other.line, currency: "840" },
    ]);
    assert.equal(report.code, 1);
    assert.deepEqual(report.differences, [
      `${lessId} differs the amount differs: here 105.20 TTD`,
      `${otherId} differs the currency differs: here ${other.line.amount} TTD`,
    ]);
    const left = (520n + other.paid.customer_total_minor).toString();
    assert.deepEqual(await owed(), [
      `${left.slice(0, -2)}.${left.slice(-2)} TTD`,
      `-${other.line.amount} USD`,
    ]);
    const { code, words } = await reconciled();
    const { stdout } = await operator(service, ["reconcile"]);
    assert.match(stdout, / and 1 settlement lines matched, 2 settlement lines not\.\n/);
    assert.deepEqual([code, words.length], [1, 2]);
    assert.match(words.join("\n"), /sale of 100\.00 TTD settled on 2026-11-16: the amount differs/);
  });

  onOwnBooks("settles a sale twice, or one that is voided or not paid here", async () => {
    const sold = await sell(service, shop);
    const open = await pay(service, newPayment(shop));
    const [unpaid, voided] = [randomUUID(), randomUUID()];
    await writeApproved(service, open, unpaid);
    await writeApproved(service, open, voided);
    await service.ctx.db.run(sql`
      update powertranz_sales set voided_at = app_now() where reference = ${voided}`);
    const report = await importLines([
      sold.line,
      { ...sold.line, date: "2026-11-17" },
      lineOf(open, { identifier: unpaid }),
      lineOf(open, { identifier: voided }),
    ]);
    assert.deepEqual(report.differences, [
      `${sold.paid.transaction_id} differs it is settled twice`,
      `${open.transaction_id} differs it is settled there and not paid here`,
      `${open.transaction_id} differs it was voided here`,
    ]);
    assert.deepEqual(await owed(), ["-315.60 TTD"]);
  });

  onOwnBooks("refunds what is not refunded here, until it is", async () => {
    const sold = await sell(service, shop);
    const { paid, reference: saleReference } = sold;
    const line = lineOf(paid, { type: "5", amount: "-25.00" });
    const first = await importLines([sold.line, line]);
    assert.deepEqual(first.differences, [
      `${paid.transaction_id} differs it is refunded there and not here`,
    ]);
    assert.deepEqual(await owed(), ["25.00 TTD"]);
    const reference = randomUUID();
    await writeRefunded(service, { reference, saleReference, paid, amount: "25.00" });
    await service.ctx.db.run(sql`
      update powertranz_refunds set state = 'sent', ended_at = null
      where reference = ${reference}`);
    const second = await importLines([line]);
    assert.deepEqual(second.differences, [
      `${paid.transaction_id} differs it is refunded there; here the refund is sent`,
    ]);
    await service.ctx.db.run(sql`
      update powertranz_refunds set state = 'refunded', ended_at = app_now()
      where reference = ${reference}`);
    assert.equal((await importLines([sold.line, line])).code, 0);
    assert.deepEqual(await owed(), ["25.00 TTD"]); // the refund is not booked here yet
  });

  onOwnBooks("refunds another amount than was refunded here", async () => {
    const sold = await sell(service, shop);
    const back = await refund(service, shop, sold, { amount: "30.00" });
    const report = await importLines([sold.line, { ...back, amount: "29.00" }]);
    assert.deepEqual(report.differences, [
      `${sold.paid.transaction_id} differs it is refunded there and not here`,
    ]);
    assert.deepEqual(await owed(), ["-1.00 TTD"]);
  });

  onOwnBooks("names nothing of ours: kept, listed and not booked, until it is known", async () => {
    const { paid, line, reference } = await sell(service, shop);
    await service.ctx.db.run(sql`delete from powertranz_sales where reference = ${reference}`);
    const other = lineOf(paid, { type: "7", amount: "0.00" });
    const report = await importLines([line, other]);
    assert.deepEqual(report.differences, [
      "null unknown no sale of ours has this identifier or order",
      "null unknown it is neither a sale nor a refund",
    ]);
    assert.deepEqual(await owed(), [`${line.amount} TTD`]);
    const { lines } = await operatorJson(service, ["settlements", "--state", "unknown"]);
    assert.equal(lines.length, 2);
    await writeApproved(service, paid, reference);
    const again = await importLines([line]);
    assert.deepEqual([again.code, again.new, again.matched], [0, 0, 1]);
    assert.deepEqual(await owed(), []);
  });

  onOwnBooks("misses payments and refunds that are older than it reaches", async () => {
    const [old, young] = [await sell(service, shop), await sell(service, shop)];
    const whole = await refund(service, shop, old, { amount: "30.00" });
    assert.deepEqual(await reconciled(), { code: 0, words: [] });
    await service.ctx.db.run(sql`
      update powertranz_sales set ended_at = '2026-10-01' where reference = ${old.reference}`);
    await service.ctx.db.run(sql`update powertranz_refunds set ended_at = '2026-10-01'`);
    const reaching = await sell(service, shop, { date: "2026-10-06" });
    await importLines([reaching.line]);
    assert.deepEqual(await reconciled(), { code: 0, words: [] });
    const next = await sell(service, shop, { date: "2026-10-07" });
    await importLines([next.line]);
    assert.deepEqual(await reconciled(), {
      code: 1,
      words: [
        `${old.paid.transaction_id}: its payment of 105.20 TTD is in no settlement report`,
        `${old.paid.transaction_id}: its refund of 30.00 TTD is in no settlement report`,
      ],
    });
    await importLines([old.line, whole]);
    assert.equal((await importLines([young.line])).code, 0);
    assert.deepEqual(await reconciled(), { code: 0, words: [] });
  });
});

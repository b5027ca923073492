/**
 * What is added up is exactly the ledger up to the position, however often the job runs, and
 * whatever is paid or killed meanwhile; and a statement is exact in every snapshot (Decision 0088).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { inSnapshot } from "../../src/infra/db/snapshot.ts";
import { balancesOf } from "../../src/modules/ledger/balances.ts";
import {
  addUpStatements,
  addUpStatementsJob,
} from "../../src/modules/statements/add-up-statements.ts";
import { readStatement } from "../../src/modules/statements/read-statement.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../testkit/transactions.ts";
import { refundOf, settleAll } from "../api/transactions/refund-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** Rows that differ between the sums and the entries up to each position. */
async function expectSumsToBeTrue(): Promise<void> {
  const wrong = await service.ctx.db.rows(sql`
    with there as (
      select account_number, owner.environment, span, owner.currency, occasion,
        span_start(span, posted_at) as starts_at,
        sum(case when credit_account_id = ledger_account_id then amount_minor
          else -amount_minor end) as moved
      from statement_positions join ledger_accounts as owner using (ledger_account_id)
      join ledger_transfers as leg
        on credit_account_id = ledger_account_id and credit_entry <= entry
        or debit_account_id = ledger_account_id and debit_entry <= entry
      join ledger_postings as posting
        on posting.environment = leg.environment and posting.posting_id = leg.posting_id
      cross join unnest(array['quarter', 'hour', 'day', 'month']) as span
      group by 1, 2, 3, 4, 5, 6 having sum(case when credit_account_id = ledger_account_id
        then amount_minor else -amount_minor end) <> 0
    ), told as (select * from statement_sums where moved_minor <> 0)
    select * from there full join told
      using (account_number, environment, span, starts_at, currency, occasion)
    where there.moved is distinct from told.moved_minor`);
  assert.deepEqual(wrong, []);
}

const snapshot = (shop: Shop) =>
  inSnapshot(service.ctx.db, async (tx) => {
    const { accountNumber } = shop;
    const zone = { timeZone: "America/Jamaica", from: "2020-01-01", to: "2020-01-01" };
    const { today } = await tx.one<{ today: string }>(sql`
      select to_char(app_now() at time zone ${zone.timeZone}, 'YYYY-MM-DD') as today`);
    const whose = { accountNumber, environment: "live", currency: "TTD" } as const;
    const days = { ...zone, from: today, to: today };
    const { totals } = await readStatement(tx, { ...whose, ...days });
    const balances = await balancesOf(tx, accountNumber, "live");
    return { closing: totals.closing.minor, balance: balances.get("TTD")?.balance.minor ?? 0n };
  });

async function payMany(shop: Shop, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { transaction_id: id } = await pay(service, newPayment(shop), APPROVED);
    if (i % 5 === 0) await refundOf(service, { shop, id }, "3.00");
  }
}

test("while four pay and two add up, in every snapshot", async () => {
  const shop = await openShop(service);
  const { db } = service.ctx;
  let isOver = false;
  const adders = Array.from({ length: 2 }, async () => {
    while (!isOver) await addUpStatements(db);
  });
  const watcher = (async () => {
    while (!isOver) {
      const { closing, balance } = await snapshot(shop);
      assert.equal(closing, balance);
    }
  })();
  await Promise.all(Array.from({ length: 4 }, () => payMany(shop, 20)));
  await settleAll(service);
  isOver = true;
  await Promise.all([...adders, watcher]);
  await addUpStatements(db);
  await expectSumsToBeTrue();
  const { closing, balance } = await snapshot(shop);
  assert.equal(closing, balance);
  assert.equal(balance, 80n * 100_00n - 16n * 3_00n);
});

test("a run that is killed leaves nothing, and the next adds all of it once", async () => {
  const shop = await openShop(service);
  const { db } = service.ctx;
  await payMany(shop, 20);
  const adding = db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(7203114561)`);
    const other = await addUpStatements(db);
    assert.equal(other, 0, "one at a time");
    await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  await assert.rejects(adding);
  // As a process that dies between its statement and the COMMIT.
  const cut = db.transaction(async (tx) => {
    const inner = { ...db, transaction: (work: (one: typeof tx) => unknown) => work(tx) };
    await addUpStatements(inner as typeof db);
    throw new Error("killed");
  });
  await assert.rejects(cut, /killed/);
  await expectSumsToBeTrue();
  assert((await addUpStatements(db)) > 0);
  assert.equal(await addUpStatements(db), 0, "the second run finds nothing");
  await addUpStatementsJob.run(service.ctx, {});
  await expectSumsToBeTrue();
  const { closing, balance } = await snapshot(shop);
  assert.equal(closing, balance);
});

test("a reader far behind has the job run, and is told to come again", async () => {
  const shop = await openShop(service);
  const { db } = service.ctx;
  await pay(service, newPayment(shop), APPROVED);
  await addUpStatements(db);
  await db.run(sql`delete from graphile_worker._private_jobs`);
  const behind = async (entries: number) => {
    await db.run(sql`
      update statement_positions set entry = entry - ${entries}
      where ledger_account_id in (
        select ledger_account_id from ledger_accounts
        where account_number = ${shop.accountNumber} and kind = 'available')`);
  };
  await behind(1_500);
  await snapshotless(shop);
  const jobs = await db.rows(sql`
    select 1 from graphile_worker.jobs where task_identifier = 'add-up-statements'`);
  assert.equal(jobs.length, 1);
  await behind(20_000);
  await assert.rejects(snapshotless(shop), { code: "unavailable", status: 503 });
  await behind(-21_500);
});

/** Outside of a snapshot, so that a job can be added. */
function snapshotless({ accountNumber }: Shop) {
  const whose = { accountNumber, environment: "live", currency: "TTD" } as const;
  const days = { timeZone: "UTC", from: "2026-01-01", to: "2026-01-31" };
  return readStatement(service.ctx.db, { ...whose, ...days });
}

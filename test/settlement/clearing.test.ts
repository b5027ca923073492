/**
 * The guarantee: what the acquirer owes us counts payments and what settled them, and not the
 * withdrawals that our bank pays. A long report is imported in batches.
 */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { acquirerClearing } from "../../src/modules/settlement/clearing.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { operator, operatorEntries, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { type Line, sell, writeReport } from "../../testkit/settlements.ts";
import { fillHistory, openShop } from "../../testkit/transactions.ts";
import {
  endToEndIdOf,
  liveOwner,
  makeFile,
  statusFile,
  waitingOnes,
} from "../api/withdrawals/bank-files-support.ts";

let service: TestService;
let folder: string;
before(async () => {
  service = await startService();
  folder = await mkdtemp(path.join(tmpdir(), "windward-settlement-"));
});
after(async () => {
  await rm(folder, { recursive: true });
  await service.stop();
});

test("withdrawals that were paid are not the acquirer's", async () => {
  const { line } = await sell(service, await openShop(service));
  const owner = await liveOwner(service);
  const [id = ""] = await waitingOnes(service, owner, [{ amount: "40.00" }]);
  await makeFile(service);
  const { message_id: to } = await service.ctx.db.one<{ message_id: string }>(sql`
    select message_id from payout_batches`);
  const status = path.join(folder, "status.xml");
  const payments = [{ id: await endToEndIdOf(service, id), status: "ACSC" }];
  await writeFile(status, statusFile({ to, payments }));
  await operatorJson(service, ["read-bank-status", status, ...SIGNED]);
  const owed = async () => (await acquirerClearing(service.ctx.db)).map(({ minor }) => minor);
  assert.deepEqual(await owed(), [10520n]);
  const report = path.join(folder, "settlement.csv");
  await writeReport(report, [line]);
  await operatorJson(service, ["import-settlement", report, ...SIGNED]);
  assert.deepEqual(await owed(), [0n]);
  await expectBooksToBalance(service.ctx.db);
});

test("a long report is imported in batches, and repeated where it was stopped", async () => {
  const { db } = service.ctx;
  const shop = await openShop(service);
  await fillHistory(service, shop, { rows: 1_500, until: "2026-11-01", everySeconds: 60 });
  await db.run(sql`
    update transactions set sale_reference = gen_random_uuid()
    where account_number = ${shop.accountNumber} and status = 'success'`);
  await db.run(sql`
    insert into powertranz_sales (reference, transaction_id, identifier, merchant_id, currency,
      amount_minor, state, code, message, sent_at, ended_at)
    select sale_reference, transaction_id, sale_reference, '1', currency, customer_total_minor,
      'approved', '00', 'Approved.', created_at, created_at
    from transactions where account_number = ${shop.accountNumber} and status = 'success'`);
  const lines = await db.rows<Line & Record<string, string>>(sql`
    select sale_reference as identifier, transaction_id as order, '2' as type, currency,
      (customer_total_minor / 100.0)::numeric(12, 2)::text as amount, '2026-11-02' as date,
      '0.01' as fee
    from transactions where account_number = ${shop.accountNumber} and status = 'success'`);
  const before = (await operatorEntries(service)).length;
  const [part, whole] = [path.join(folder, "part.csv"), path.join(folder, "whole.csv")];
  await writeReport(part, lines.slice(0, 700));
  await writeReport(whole, lines);
  await operator(service, ["import-settlement", part, ...SIGNED]);
  const said = await operator(service, ["import-settlement", whole, ...SIGNED]);
  assert.equal(said.code, 0, said.stdout);
  const count = lines.length;
  const sum = `${count} lines: ${count - 700} new, ${count} matched, 0 differ, 0 unknown.`;
  assert.ok(said.stdout.includes(sum), said.stdout);
  assert.match(said.stderr, /^500 of \d+ lines\n1000 of/);
  assert.equal((await operatorEntries(service)).length - before, 2 + Math.ceil(count / 500));
  await expectBooksToBalance(db);
});

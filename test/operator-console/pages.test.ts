/**
 * What every page of `/operator` keeps: words of pages and not of terminals, amounts behind their
 * currency, at most 100 kB; and the reconciliation shows each difference.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { raw } from "sql-template-tag";
import { sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import { reconcileLedger } from "../../src/modules/ledger/reconcile.ts";
import { COMMANDS } from "../../src/modules/operator/commands.ts";
import { operatorRoutes } from "../../src/operator-console/routes.ts";
import { ACTION_ACCESS } from "../../testkit/operator-access.ts";
import { makeOperator, signInOperator } from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";
import { openFullConsole } from "./attacks/full-console.ts";

const service = await startService();
after(() => service.stop());

const BYTES_MAX = 100_000;
const NAMES = COMMANDS.map(({ name }) => name).filter((name) => name.includes("-"));
const TERMINAL = new RegExp(
  `npm run|exit code|(?<![\\w-])--[a-z]|(?<![\\w/-])(?:${NAMES.join("|")})(?![\\w-])`,
);
const BARE_AMOUNT = /\d\.\d{2} (?:BBD|GYD|JMD|TTD|USD)\b/;

/** As somebody reads it: what was sent and answered is shown as it was. */
const readable = (page: string) =>
  page
    .replace(/<pre[^>]*>[\s\S]*?<\/pre>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&nbsp;|\u00a0/g, " ");

const { tab, pathWith } = await openFullConsole(service);
const { ctx } = service;
const payments = await ctx.db.rows<{ id: string }>(sql`
  select transaction_id as id from transactions`);
const withdrawals = await ctx.db.rows<{ id: string }>(sql`
  select transaction_id as id from withdrawals`);

const paths = [
  ...operatorRoutes.filter(({ method }) => method === "GET").map(({ path }) => pathWith(path)),
  ...payments.map(({ id }) => `/operator/payments/${id}`),
  ...withdrawals.map(({ id }) => `/operator/withdrawals/${id}`),
  ...[...ACTION_ACCESS.keys()].flatMap((name) => [
    `/operator/actions/${name}`,
    `/operator/uploads/${name}`,
  ]),
  "/operator/withdrawals?environment=sandbox&hours=0",
  "/operator/payments?order=order_id",
  "/operator?q=order_id",
].filter((path) => !path.endsWith(".csv"));

test("has no words of terminals, no amount before its currency, and little weight", async () => {
  for (const path of paths) {
    const { status, text } = await tab.get(path);
    if (status === 303) continue;
    assert.equal(status, 200, path);
    const shown = readable(text);
    assert.doesNotMatch(shown, TERMINAL, path);
    assert.doesNotMatch(shown, BARE_AMOUNT, path);
    assert.ok(Buffer.byteLength(text) <= BYTES_MAX, `${path}: ${Buffer.byteLength(text)}`);
  }
});

for (const [table, path] of [
  ["approvals", "/operator/approvals/{approval_id}"],
  ["payout_batches", "/operator/bank-files/{batch}"],
  ["transactions", "/operator/records/{transaction_id}"],
] as const)
  test(`${path} is 503 and not "no such page" while ${table} cannot be read`, async () => {
    const address = pathWith(path);
    assert.ok([200, 303].includes((await tab.get(address)).status));
    const answer = await ctx.db.transaction(async (tx) => {
      await tx.run(sql`lock table ${raw(table)} in access exclusive mode`);
      return tab.get(address);
    });
    assert.equal(answer.status, 503, answer.text);
  });

test("what has no record is no page", async () => {
  const none = "00000000-0000-4000-8000-000000000000";
  for (const path of [`approvals/${none}`, "bank-files/TT-TTD-20260101-00000000"])
    assert.equal((await tab.get(`/operator/${path}`)).status, 404, path);
});

test("a search that takes too long says so at its form", async () => {
  const typed = { email: "anika@example.com", since: "2026-01-01" };
  const answer = await ctx.db.transaction(async (tx) => {
    await tx.run(sql`lock table transactions in access exclusive mode`);
    return tab.get(`/operator/payments?${new URLSearchParams(typed)}`);
  });
  assert.equal(answer.status, 409);
  assert.match(answer.text, /The search takes too long: ask for less with “Account”, “Since” and/);
  assert.match(answer.text, /value="anika@example\.com"/);
});

test("the reconciliation shows what the hourly job found last, with both amounts", async () => {
  const own = await startService();
  const shop = await openShop(own);
  await pay(own, newPayment(shop), APPROVED);
  const auditor = await signInOperator(own, await makeOperator(own, "risk"));
  const shown = async () => readable((await auditor.get("/operator/reconciliation")).text);
  assert.match(await shown(), /Nothing was checked yet: each is checked once an hour\./);
  await reconcileLedger.run(own.ctx, {});
  assert.match(await shown(), /ledger entries\s+\d{1,2} \w{3} \d{4}\s*, [\d:]+\s+UTC\s+\d+\s+0/);
  await own.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      update ledger_balances set balance_minor = balance_minor + 1
      where ledger_account_id = (
        select ledger_account_id from ledger_accounts where kind = 'available')`);
  });
  assert.match(
    await shown(),
    /Nothing differed in what was checked/,
    "a page does not add up the books itself",
  );
  await reconcileLedger.run({ ...own.ctx, log: createLog({ level: "silent" }) }, {});
  const found = await shown();
  assert.match(found, /Differences: 2\./);
  assert.match(found, new RegExp(`live TTD available ${shop.accountNumber}`));
  assert.match(found, /TTD\s+100\.00/);
  assert.match(found, /TTD\s+100\.01/);
  await own.stop();
});

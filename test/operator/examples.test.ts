/**
 * The guarantee: the example of each command in docs/operator.md shows what the program really
 * says.
 */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { readConfig } from "../../src/infra/config.ts";
import { sql } from "../../src/infra/db/query.ts";
import { addJob } from "../../src/infra/jobs/job.ts";
import { reconcileLedger } from "../../src/modules/ledger/reconcile.ts";
import { COMMANDS } from "../../src/modules/operator/commands.ts";
import { openOrder } from "../../testkit/checkout-sessions.ts";
import { signInTo } from "../../testkit/console.ts";
import { mintToken } from "../../testkit/credentials.ts";
import { expectRefusals, masked, operator, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { act, makeOperator, saidAfter, signInOperator } from "../../testkit/operator-console.ts";
import { startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { refund, sell, writeReport } from "../../testkit/settlements.ts";
import { APPROVED, newPayment, openShop as openMerchant, pay } from "../../testkit/transactions.ts";
import { until } from "../../testkit/until.ts";
import { happen, makeEndpoint, openShop } from "../../testkit/webhook-endpoints.ts";
import { withdraw } from "../../testkit/withdrawals.ts";
import {
  endToEndIdOf,
  liveOwner,
  makeFile,
  statusFile,
  waitingOnes,
} from "../api/withdrawals/bank-files-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(async () => {
  await service.stop();
  const unseen = COMMANDS.map(({ name }) => name).filter((name) => !ran.has(name));
  assert.deepEqual(unseen, [], "every example is run");
});

const PAYMENT = "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD";
const ID = "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d";
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const ran = new Set<string>();
const PROGRESS: Readonly<Record<string, string>> = { "reencrypt-cards": "0 of 0 cards\n" };

/** Runs the example with the ids of this run. */
async function expectExample(
  name: string,
  ids: Record<string, string> = {},
  at = service,
  settings: Record<string, string> = {},
): Promise<string> {
  const command = COMMANDS.find((one) => one.name === name);
  assert(command !== undefined, name);
  ran.add(name);
  const signed = command.kind === "action" ? SIGNED : [];
  const given = command.example.given.split(" ").filter((word) => word !== "");
  const typed = [name, ...given.map((word) => ids[word] ?? word), ...signed];
  const { code, stdout, stderr } = await operator(at, typed, { settings });
  assert.deepEqual([code, stderr], [0, PROGRESS[name] ?? ""], name);
  const shown = Object.entries(ids).reduce(
    (text, [there, here]) => text.replaceAll(here, there),
    stdout,
  );
  assert.equal(masked(shown), masked(command.example.shows), name);
  return stdout;
}

test("shows what the program says", async () => {
  const opened = await expectExample("open-account");
  const accountNumber = /\d{10}/.exec(opened)?.[0] ?? assert.fail(opened);
  // As the example of find-payments names it.
  const order = newPayment({ accountNumber }, { orderId: "order-1" });
  const { transaction_id: id } = await pay(service, order, APPROVED);
  const { token } = await mintToken(service.ctx, { accountNumber }, ["svc-transactions-all"]);
  const refund = await service.request(`/transactions/${id}/refund`, {
    method: "POST",
    token,
    json: { amount: "25.00" },
  });
  const ids = {
    "1234567890": accountNumber,
    "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD": id,
    "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d": refund.body.data.refund.refund_id,
  };
  for (const name of ["verify-account", "main-merchant", "set-limits", "set-fees"])
    await expectExample(name, ids);
  for (const name of ["freeze-account", "unfreeze-account"]) await expectExample(name, ids);
  for (const name of ["show-account", "audit", "reject-refund", "open-chargeback"])
    await expectExample(name, ids);
  for (const name of ["find-payments", "find", "disputes", "waiting"])
    await expectExample(name, ids);
  await expectExample("peppers", { ...ids, "2026a": "development" });
  for (const name of ["settle-chargeback", "show-payment", "confirm-fraud"])
    await expectExample(name, ids);
  for (const name of ["rotate-signing-keys", "reencrypt-cards", "reconcile"])
    await expectExample(name, ids);
  await reconcileLedger.run(service.ctx, {});
  await expectExample("reconciliation");
  await service.request("/transactions/history", { token });
  const isWritten = async () => service.ctx.db.maybeOne(sql`select from former_uses`);
  await until(async () => (await isWritten()) !== undefined, "the use is written");
  await expectExample("former-callers", ids);
  const logged = async () =>
    service.ctx.db.maybeOne<{ id: string }>(sql`
      select request_id as id from logged_requests where path = '/transactions/history' limit 1`);
  await until(async () => (await logged()) !== undefined, "the request is written");
  const request = (await logged())?.id ?? "";
  await expectExample("show-request", { ...ids, [ID]: request });
  const { account_number, response } = await operatorJson(service, ["show-request", request]);
  assert.deepEqual([account_number, typeof response.body], [accountNumber, "string"]);
  await expectRefusals(service, [
    [["show-request", UNKNOWN], `There is no request ${UNKNOWN} of an account in the log.`],
  ]);
  const { publicUrl } = readConfig({}).http;
  await expectExample("reset-password", { ...ids, "https://api.example.com": publicUrl });
  await expectExample("end-signing-keys", ids);
  await expectExample("end-credentials", ids);
  for (const name of ["export-customer-data", "erase-customer-data"])
    await expectExample(name, ids);
});

test("of accounts and webhooks shows what the program says", async () => {
  const own = await startService();
  const url = "https://shop.example.com/webhooks";
  const shop = await openShop(own);
  const endpoint = await makeEndpoint(own, shop, { url });
  await happen(own, shop);
  await own.ctx.db.run(sql`
    with failed as (
      update webhook_deliveries set attempt_count = 1, round_attempt_count = 1
      returning delivery_id
    ), tried as (
      insert into webhook_attempts (delivery_id, attempt, began_at, duration_ms, response_status)
      select delivery_id, 1, app_now(), 12, 500 from failed
    )
    update webhook_endpoints set failing_since = app_now()`);
  const ids = {
    "1234567890": shop.accountNumber,
    "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d": endpoint.id,
  };
  for (const name of ["failing-webhooks", "show-webhook", "revive-webhook"])
    await expectExample(name, ids, own);
  await own.ctx.db.run(sql`
    update accounts set is_main_merchant = true, first_name = 'Anika', last_name = 'Mohammed',
      email = 'shop@example.com'`);
  const older = await own.world.merchant();
  await own.ctx.db.run(sql`
    update accounts set created_at = created_at - interval '1 hour'
    where account_number = ${older.accountNumber}`);
  await expectExample("list-accounts", ids, own);
  await own.stop();
});

test("of withdrawals shows what the program says", async () => {
  const { db } = service.ctx;
  const owner = await liveOwner(service);
  const asked = [{ amount: "40.00" }];
  const [id = ""] = await waitingOnes(service, owner, asked);
  const folder = await mkdtemp(path.join(tmpdir(), "windward-page-"));
  const [to, answer] = [path.join(folder, "payouts.xml"), path.join(folder, "status.xml")];
  const ids = {
    "1234567890": owner.accountNumber,
    "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD": id,
    "/srv/bank/payouts.xml": to,
    "status.xml": answer,
  };
  await expectExample("stuck-withdrawals", ids);
  await expectExample("hold-withdrawal", ids);
  await expectExample("release-withdrawal", ids);
  const made = await expectExample("make-bank-file", ids);
  const batch = /TT-TTD-\d{8}-[0-9A-F]{8}/.exec(made)?.[0] ?? assert.fail(made);
  const payments = [{ id: await endToEndIdOf(service, id), status: "ACSC" }];
  await writeFile(answer, statusFile({ to: batch, payments }));
  await expectExample("read-bank-status", ids);
  await expectExample("bank-files", ids);
  await expectExample("show-withdrawal", ids);
  const { day } = await db.one<{ day: string }>(sql`
    select (app_now() at time zone 'America/Port_of_Spain')::date::text as day`);
  await expectExample("export-payouts", { ...ids, "2026-11-15": day });
  const [second = ""] = await waitingOnes(service, owner, asked);
  await makeFile(service);
  await expectExample("return-withdrawal", ids);
  await expectExample("fail-withdrawal", { ...ids, "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD": second });
  await rm(folder, { recursive: true });
});

test("of the acquirer and its reports shows what the program says", async () => {
  const own = await startService();
  const fake = await startPowertranzFake({ switches: { lookupNotFoundAs: "null" } });
  const settings = {
    POWERTRANZ_URL: fake.url,
    POWERTRANZ_ID: fake.id,
    POWERTRANZ_PASSWORD: fake.password,
    POWERTRANZ_CURRENCIES: "TTD",
  };
  for (const name of ["check-gateway", "route-gateway", "gateway-routes"])
    await expectExample(name, {}, own, settings);
  const shop = await openMerchant(own);
  const sold = await sell(own, shop, { fee: "2.10", date: "2026-11-16" });
  const back = await refund(own, shop, sold, { amount: "10.00", date: "2026-11-15" });
  const folder = await mkdtemp(path.join(tmpdir(), "windward-page-"));
  const file = path.join(folder, "settlement.csv");
  await writeReport(file, [sold.line, back]);
  await expectExample("import-settlement", { "settlement.csv": file }, own);
  const ids = { "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD": sold.paid.transaction_id };
  await expectExample("settlements", ids, own);
  await rm(folder, { recursive: true });
  await fake.stop();
  await own.stop();
});

test("of what is done for merchants shows what the program says", async () => {
  const open = await openOrder(service);
  await expectExample("void-payment", { [PAYMENT]: open.id });
  const shop = await openMerchant(service);
  const { transaction_id: paid } = await pay(service, newPayment(shop), APPROVED);
  await expectExample("refund-payment", { [PAYMENT]: paid });
  for (let i = 0; i < 2; i++) await signInTo(service, shop);
  await expectExample("end-sessions", { "1234567890": shop.accountNumber });
});

test("of a second person shows what the program says", async () => {
  const owner = await liveOwner(service, { live: "20000.00 TTD" });
  const who = await makeOperator(service, "finance");
  const asker = await signInOperator(service, who);
  const asked = async () => {
    const id = await withdraw(service, owner, { environment: "live", amount: "6000.00" });
    await operatorJson(service, ["hold-withdrawal", id, "--tell", "checked", ...SIGNED]);
    await saidAfter(asker, await act(asker, "release-withdrawal", { transaction_id: id }));
    const { approval_id: approvalId } = await service.ctx.db.one<{ approval_id: string }>(sql`
      select approval_id from approvals where transaction_id = ${id}`);
    return { [PAYMENT]: id, [ID]: approvalId, "anika@example.com": who.email };
  };
  const first = await asked();
  await expectExample("approvals", first);
  await expectExample("approve", first);
  await expectExample("reject", await asked());
});

test("of operators shows what the program says", async () => {
  const own = await startService();
  const url = { "https://api.example.com": readConfig({}).http.publicUrl };
  await expectExample("jobs", {}, own);
  await addJob(own.ctx.db, "gave-up", {});
  await own.ctx.db.run(sql`update graphile_worker._private_jobs set attempts = max_attempts`);
  await expectExample("retry-jobs", {}, own);
  await expectExample("add-operator", url, own);
  await expectExample("list-operators", {}, own);
  await makeOperator(own);
  for (const name of ["change-operator", "remove-operator"]) await expectExample(name, {}, own);
  await own.stop();
});

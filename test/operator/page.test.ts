/**
 * The guarantee: help and docs/operator.md describe every command and no other,
 * and each example shows what the program really says.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { renderOperatorPage } from "../../scripts/operator-page.ts";
import { readConfig } from "../../src/infra/config.ts";
import { sql } from "../../src/infra/db/query.ts";
import { COMMANDS } from "../../src/modules/operator/commands.ts";
import { helpOf } from "../../src/modules/operator/help.ts";
import { readStatusReport } from "../../src/modules/withdrawals/bank-files/status-report.ts";
import { mintToken } from "../../testkit/credentials.ts";
import { masked, operator, SIGNED } from "../../testkit/operator.ts";
import { startPowertranzFake } from "../../testkit/powertranz/fake.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { refund, sell, writeReport } from "../../testkit/settlements.ts";
import { APPROVED, newPayment, openShop as openMerchant, pay } from "../../testkit/transactions.ts";
import { until } from "../../testkit/until.ts";
import { happen, makeEndpoint, openShop } from "../../testkit/webhook-endpoints.ts";
import {
  endToEndIdOf,
  liveOwner,
  makeFile,
  statusFile,
  waitingOnes,
} from "../api/withdrawals/bank-files-support.ts";
import { projectRoot } from "../house/project-files.ts";

describe("docs/operator.md", () => {
  const page = readFileSync(path.join(projectRoot, "docs/operator.md"), "utf8");

  test("has the section of every command, and no other", () => {
    const named = [...page.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    assert.deepEqual(
      named,
      COMMANDS.map(({ name }) => name),
    );
    assert.equal(page, renderOperatorPage(page, COMMANDS), "run npm run generate");
  });

  test("shows an answer of a bank that is read", () => {
    const [, sample = ""] = /```xml\n([\s\S]+?)```/.exec(page) ?? [];
    const { originalMessageId, parts } = readStatusReport(Buffer.from(sample));
    const [part] = parts;
    assert.equal(part?.partId, `${originalMessageId}-T`);
    assert.deepEqual(
      part.payments.map(({ status, endToEndId }) => [status, endToEndId.length]),
      [["ACSC", 32]],
    );
  });
});

describe("help", () => {
  test("without a command lists all of them", async () => {
    const [asked, nothing] = await Promise.all([
      operator(undefined, ["--help"]),
      operator(undefined, []),
    ]);
    for (const { name, about } of COMMANDS) assert.match(asked.stdout, listed(name, about));
    assert.deepEqual([asked.code, asked.stderr], [0, ""]);
    assert.deepEqual(nothing, { code: 2, stdout: "", stderr: asked.stdout });
  });

  test("of each command names what it takes", () => {
    for (const command of COMMANDS) {
      const { name, kind, fields, subject } = command;
      const help = helpOf(command);
      for (const field of Object.keys(fields))
        if (field !== subject) assert.ok(help.includes(`--${field.replaceAll("_", "-")}`), field);
      assert.equal(help.includes("--by <name> --why <reason>"), kind === "action", name);
    }
  });

  test("of a command is told without a database, whatever else is typed", async () => {
    const command = COMMANDS.find(({ name }) => name === "freeze-account");
    assert(command !== undefined);
    const said = await operator(undefined, ["freeze-account", "--nonsense", "--help"]);
    assert.deepEqual(said, { code: 0, stdout: `${helpOf(command)}\n`, stderr: "" });
  });

  function listed(name: string, about: string): RegExp {
    const escaped = about.replace(/[^\w ]/g, "\\$&");
    return new RegExp(`^ +${name} +${escaped}$`, "m");
  }
});

describe("every example", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  /** Runs the example with the ids of this run. */
  async function expectExample(
    name: string,
    ids: Record<string, string> = {},
    at = service,
    settings: Record<string, string> = {},
  ): Promise<string> {
    const command = COMMANDS.find((one) => one.name === name);
    assert(command !== undefined, name);
    const signed = command.kind === "action" ? SIGNED : [];
    const given = command.example.given.split(" ").filter((word) => word !== "");
    const typed = [name, ...given.map((word) => ids[word] ?? word), ...signed];
    const { code, stdout, stderr } = await operator(at, typed, { settings });
    assert.deepEqual([code, stderr], [0, ""], name);
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
    await expectExample("find-payments", ids);
    await expectExample("peppers", { ...ids, "2026a": "development" });
    for (const name of ["settle-chargeback", "show-payment", "confirm-fraud"])
      await expectExample(name, ids);
    for (const name of ["rotate-signing-keys", "reconcile"]) await expectExample(name, ids);
    await service.request("/transactions/history", { token });
    const isWritten = async () => service.ctx.db.maybeOne(sql`select from former_uses`);
    await until(async () => (await isWritten()) !== undefined, "the use is written");
    await expectExample("former-callers", ids);
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
});

/**
 * The guarantee: trouble with money, jobs and webhooks raises its alarms, through real
 * metrics, rules and a real Prometheus (Decision 0130). A worker does the jobs; it has no live
 * gateway, so what needs one waits.
 */

import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { type Sql, sql } from "../../../src/infra/db/query.ts";
import { addJob } from "../../../src/infra/jobs/job.ts";
import type { Gateway } from "../../../src/modules/gateway/port.ts";
import { fund } from "../../../testkit/books.ts";
import { CARDS, openOrder, submit } from "../../../testkit/checkout-sessions.ts";
import { freshDatabase, type TestDatabase } from "../../../testkit/database.ts";
import { freePort } from "../../../testkit/free-port.ts";
import { operator, SIGNED } from "../../../testkit/operator.ts";
import { endAll, makeFolder, start, UNHINDERED } from "../../../testkit/processes.ts";
import { startReceiver } from "../../../testkit/receivers.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { sell, writeReport } from "../../../testkit/settlements.ts";
import { openShop } from "../../../testkit/transactions.ts";
import {
  askToCharge,
  payWithCode,
  setAmount,
  tidyUp,
  verifiedCard,
} from "../../../testkit/trusted-cards.ts";
import { happen, makeEndpoint } from "../../../testkit/webhook-endpoints.ts";
import { openOwner, withdraw } from "../../../testkit/withdrawals.ts";
import { paidOrder, refundOf } from "../../api/transactions/refund-support.ts";
import { hostOf, type Watch, watch } from "./stage.ts";

const DAY_HOURS = 24;
const NO_LIMITS_ON_DECLINES = {
  DECLINES_PER_ADDRESS_MAX: "10000",
  DECLINES_PER_BIN_MAX: "10000",
  DECLINES_PER_MERCHANT_MAX: "10000",
};

let database: TestDatabase;
let service: TestService;
let watched: Watch;
const receiver = await startReceiver(500);

before(async () => {
  database = await freshDatabase();
  service = await startService({ database, settings: NO_LIMITS_ON_DECLINES });
  const port = await freePort();
  await start({
    settings: {
      ...UNHINDERED,
      ROLE: "worker",
      LIVE_GATEWAY: "none",
      LIVE_PAYOUTS: "files",
      DATABASE_URL: database.url,
      METRICS_PORT: String(port),
    },
  });
  watched = await watch([
    { job: "windward", role: "web", address: hostOf(service.url) },
    { job: "windward", role: "worker", address: `127.0.0.1:${port}` },
  ]);
});
after(async () => {
  await watched?.stop();
  await endAll();
  await service?.stop();
  await database?.drop();
  await receiver.close();
});

const run = (statement: Sql) => service.ctx.db.run(statement);
const work = (name: string) => addJob(service.ctx.db, name, {});

/** As somebody with a client of the database would, past every trigger. */
async function tamper(statement: Sql): Promise<void> {
  await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(statement);
  });
}

const tryLive = async (number: string) =>
  submit(service, await openOrder(service, { environment: "live" }), number);

test("books and retention that nobody has looked after are noticed, until it is done", async () => {
  await sell(service, await openShop(service));
  await work("reconcile-settlements");
  await watched.raised("BooksNotReadded");
  await watched.raised("RetentionStopped");
  for (const name of ["reconcile-ledger", "keep-audit-months", "erase-unpaid"]) await work(name);
  await watched.ended("BooksNotReadded");
  await watched.ended("RetentionStopped");
});

test("cards that are not decided are noticed at once", async () => {
  await watched.raised("CardAttemptsPileUp", () => tryLive(CARDS.late));
});

test("what has waited for days is noticed, and jobs that are not done", async () => {
  await refundOf(service, await paidOrder(service), "10.00");
  const owner = await openOwner(service);
  await fund(service.ctx.db, owner.accountNumber, "1000.00 TTD");
  await withdraw(service, owner, { environment: "live" });
  for (const name of ["waits", "hangs", "gave-up"]) await work(name);
  const named = (name: string) => sql`
    from graphile_worker._private_tasks as task
    where task.id = job.task_id and identifier = ${name}`;
  await run(sql`
    update graphile_worker._private_jobs as job
    set run_at = now() - interval '130 s' ${named("waits")}`);
  await run(sql`
    update graphile_worker._private_jobs as job
    set locked_at = now() - interval '16 min', locked_by = 'a worker' ${named("hangs")}`);
  await run(sql`
    update graphile_worker._private_jobs as job set attempts = max_attempts ${named("gave-up")}`);
  await service.clock.advance({ hours: 5 * DAY_HOURS });
  await watched.raised("CardAttemptsOld");
  await watched.raised("RefundsOld");
  await watched.raised("WithdrawalsOld");
  await watched.raised("JobsDue");
  await watched.raised("JobHangs");
  await watched.raised("JobsGivenUp");
  assert.equal((await operator(service, ["retry-jobs", ...SIGNED])).code, 0);
  await watched.ended("JobsGivenUp");
});

test("amounts that proved a card and are not given back are noticed", async () => {
  const { live } = service.ctx.gateways;
  assert(live !== undefined);
  const byCents: Gateway = {
    ...live,
    refund: ({ isCardCheck: _, ...order }) => live.refund(order),
  };
  for (let count = 0; count < 6; count += 1)
    await verifiedCard(service, { environment: "live", cents: 98 });
  await watched.raised("CardReturnsDue");
  Object.assign(service.ctx.gateways, { live: byCents });
  await tidyUp(service);
  Object.assign(service.ctx.gateways, { live });
  await watched.raised("CardReturnsRejected");
});

test("a stored card that was exchanged for another is noticed", async () => {
  const shop = await openShop(service);
  const one = await verifiedCard(service, { shop });
  const two = await verifiedCard(service, { shop, number: CARDS.mastercard });
  const order = await askToCharge(service, one);
  await tamper(sql`
    update trusted_cards as card set card_box = other.card_box from trusted_cards as other
    where card.card_uuid = ${one.uuid} and other.card_uuid = ${two.uuid}`);
  await payWithCode(service, order);
  await watched.raised("StoredCardsUnopened");
});

test("webhooks that nobody sends, that come late and that fail are noticed", async () => {
  const shop = await openShop(service);
  for (let count = 0; count < 10; count += 1)
    await makeEndpoint(service, shop, { url: `${receiver.url}/${count}` });
  await run(sql`alter table webhook_endpoints add constraint nobody_claims
    check (claimed_until is null) not valid`);
  await happen(service, shop);
  await service.clock.advance({ minutes: 2 });
  await watched.raised("WebhooksLate");
  await run(sql`alter table webhook_endpoints drop constraint nobody_claims`);
  await watched.raised("WebhooksSlow");
  await watched.raised("WebhooksFail", async () => {
    await happen(service, shop);
    await service.clock.advance({ hours: 1 });
  });
});

test("a page that was changed, cards that are tried out, and payments that stop are noticed", async () => {
  const body = { effectiveDirective: "script-src", blockedURL: "https://evil.example.com/a.js" };
  const raw = { type: "application/reports+json", body: JSON.stringify([{ type: "csp", body }]) };
  await watched.raised("PolicyReports", async () => {
    for (let count = 0; count < 5; count += 1)
      await service.request("/reports/csp", { method: "POST", raw });
  });
  await watched.raised("CardTesting", () => tryLive(CARDS.declined));
  const isBusy = 'sum(increase(windward_checkouts_total{status="success"}[12s])) > 12';
  let isDone = false;
  const paying = (async () => {
    while (!isDone) await tryLive(CARDS.approved);
  })();
  await watched.holds(isBusy).finally(() => {
    isDone = true;
  });
  await paying;
  await watched.raised("PaymentsStopped");
});

test("settlement reports that differ, or are not imported, are noticed", async () => {
  const shop = await openShop(service);
  const { line } = await sell(service, shop);
  const report = path.join(makeFolder(), "settlement.csv");
  await writeReport(report, [{ ...line, amount: "1.00" }]);
  const imported = await operator(service, ["import-settlement", report, ...SIGNED]);
  assert.equal(imported.code, 1, imported.stderr);
  await work("reconcile-settlements");
  await watched.raised("SettlementDiffers");
  await tamper(sql`update settlement_lines set imported_at = now() - interval '121 hours'`);
  await work("reconcile-settlements");
  await watched.raised("SettlementNotImported");
});

test("books and records that were tampered with are noticed", async () => {
  const withdrawal = await withdraw(service, await openOwner(service));
  await paidOrder(service);
  const card = await verifiedCard(service);
  await setAmount(service, card, 51);
  await tamper(sql`
    update transactions set total_minor = total_minor + 1, net_minor = net_minor + 1,
      customer_total_minor = customer_total_minor + 1
    where status = 'success' and fee_structure = 'customer_pay'`);
  await tamper(sql`
    update withdrawals set amount_minor = amount_minor + 1 where transaction_id = ${withdrawal}`);
  await tamper(sql`update ledger_balances set balance_minor = balance_minor + 1`);
  for (const name of ["ledger", "records", "withdrawals", "card-checks"])
    await work(`reconcile-${name}`);
  await watched.raised("LedgerDiffers");
  await watched.raised("RecordsDiffer");
  await watched.raised("WithdrawalsDiffer");
  await watched.raised("CardChecksDiffer");
  await watched.raised("LogErrors");
});

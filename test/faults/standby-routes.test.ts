/**
 * What a standby serves: lists, statements and files of what happened, and never what something is
 * decided by, which are balances, single records, credentials and limits (Decision 0125). The log
 * of a real standby has every statement that it was sent.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { appRoutes } from "../../src/app.ts";
import { tables } from "../../src/infra/db/tables.ts";
import { signInTo, type Tab } from "../../testkit/console.ts";
import { clean } from "../../testkit/database-owners.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { readOutcomes, serviceOn, startPair, untilCounted } from "../../testkit/standby.ts";
import {
  APPROVED,
  fillHistory,
  newPayment,
  openShop,
  pay,
  type Shop,
} from "../../testkit/transactions.ts";

/** Every route that says `readsFromStandby`, as somebody asks for it. */
const ROUTES: Readonly<Record<string, string>> = {
  "/transactions/": "/transactions/?total_min=1&page_size=5",
  "/transactions/history": "/transactions/history",
  "/withdrawals/": "/withdrawals/",
  "/events": "/events?environment=live",
  "/requests": "/requests",
  "/console": "/console",
  "/console/balance": "/console/balance",
  "/console/balance/statement": "/console/balance/statement",
  "/console/balance/statement.csv": "/console/balance/statement.csv",
  "/console/payments": "/console/payments",
  "/console/payments.csv": "/console/payments.csv",
  "/console/withdrawals": "/console/withdrawals",
  "/console/developers/events": "/console/developers/events",
  "/console/developers/requests": "/console/developers/requests",
};

/** What those are made of. Of `ledger_balances` it is how many entries there are, not how much. */
const TABLES = [
  ...["event_feeds", "events", "ledger_accounts", "ledger_balances", "ledger_postings"],
  ...["ledger_transfers", "logged_requests", "payment_failures", "statement_positions"],
  ...[
    "statement_sums",
    "timeline_mark",
    "transaction_count_changes",
    "transaction_counts",
    "transactions",
  ],
  ...["withdrawals"],
];

let pair: Awaited<ReturnType<typeof startPair>>;
let service: TestService;
let shop: Shop;
let tab: Tab;
before(async () => {
  pair = await startPair({ log_statement: "all" });
  service = await startService(pair.options);
  shop = await openShop(service);
  await pay(service, newPayment(shop), APPROVED);
  tab = await signInTo(service, shop);
});
after(async () => {
  await service.stop();
  await pair.standby.stop();
  await clean();
});

async function ask(path: string): Promise<void> {
  const isPage = path.startsWith("/console");
  const { status, text } = await (isPage ? tab.get(path) : service.request(path, shop));
  assert.equal(status, 200, text);
}

describe("a standby serves", () => {
  for (const [route, path] of Object.entries(ROUTES))
    test(route, () => untilCounted("served", () => ask(path)));

  test("the history as a file", () =>
    untilCounted("served", () => ask("/transactions/?format=csv")));

  test("no other route, and no change", () => {
    const routes = appRoutes(service.ctx).filter((route) => route.readsFromStandby);
    assert.deepEqual(routes.map(({ path }) => path).toSorted(), Object.keys(ROUTES).toSorted());
    for (const { method } of routes) assert.equal(method, "GET");
  });

  test("none of what something is decided by", async () => {
    // Each read that a standby may serve has an outcome, whether it was served or not.
    const before = await readOutcomes();
    const paid = await pay(service, newPayment(shop), APPROVED);
    for (const path of [
      "/user/",
      "/auth/whoami",
      "/auth/keys",
      "/user/banks",
      "/webhooks",
      "/trusted-cards/",
      "/payment-links",
      `/transactions/${paid.transaction_id}`,
      `/console/payments/${paid.transaction_id}`,
      "/console/withdrawals/new",
    ])
      await ask(path);
    assert.deepEqual(await readOutcomes(), before);
    await ask("/transactions/");
    assert.notDeepEqual(await readOutcomes(), before);
  });

  test("from these tables alone, and no balance", async () => {
    const log = await pair.standby.logged();
    const named = [...log.matchAll(/\b(?:from|join)\s+(?:lateral\s+)?\(?(\w+)/g)].map(
      ([, name]) => name,
    );
    const known = new Set(Object.keys(tables));
    const read = [...new Set(named)].filter((name = "") => known.has(name));
    assert.deepEqual(read.toSorted(), TABLES);
    assert(!log.includes("balance_minor"));
    assert.doesNotMatch(log, /execute \S+: (?:insert|update|delete|begin)/i);
  });
});

describe("a file that the standby breaks off", () => {
  const ROWS = 4_500;
  let merchant: Shop;
  let slow: TestService;
  before(async () => {
    merchant = await openShop(service);
    const history = { rows: ROWS, until: "2026-11-01T00:00:00Z", everySeconds: 60 };
    await fillHistory(service, merchant, history);
    // Over the standby each statement on payments takes a moment, with its snapshot held.
    await pair.primary.query(`create schema slow; grant usage on schema slow to ordinary`);
    await pair.primary.query(`create view slow.transactions as
      select payment.* from public.transactions as payment, (select pg_sleep(0.4)) as moment`);
    await pair.primary.query(`grant select on slow.transactions to ordinary`);
    const url = new URL(pair.standby.url);
    url.searchParams.set("options", "-c search_path=slow,public");
    slow = await startService(serviceOn(pair.primary, url.href));
  });
  after(() => slow.stop());

  const file = (from: TestService) =>
    from.request("/transactions/?format=csv", merchant).then(({ text }) => text);

  test("comes whole, from the primary", async () => {
    const whole = await file(service);
    assert.equal(whole.trimEnd().split("\n").length, ROWS + 1);
    await pair.standby.query("alter system set max_standby_streaming_delay = 0");
    await pair.standby.query("select pg_reload_conf()");
    await pair.primary.query("create table replaced as select 1 as n");
    let isOver = false;
    // Each round removes a row that the snapshots of the standby may still need.
    const conflicts = (async () => {
      while (!isOver) {
        await pair.primary.query("update replaced set n = n + 1");
        await pair.primary.query("vacuum replaced");
      }
    })();
    try {
      await untilCounted("conflict", async () => assert.equal(await file(slow), whole));
    } finally {
      isOver = true;
      await conflicts;
    }
    const [{ n } = {}] = await pair.standby.query(
      "select confl_snapshot::int as n from pg_stat_database_conflicts where datname = 'windward'",
    );
    assert.notEqual(n, 0);
  });
});

/**
 * The guarantee: the first page of `/operator` says what waits for this person, the menu counts it,
 * and who may approve gets a mail, once, when something begins to wait.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { keepReconciliation } from "../../src/modules/ledger/last-reconciliation.ts";
import type { Tab } from "../../testkit/console.ts";
import { operator, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { act, makeOperator, signInOperator } from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";
import { withdraw } from "../../testkit/withdrawals.ts";
import { liveOwner } from "../api/withdrawals/bank-files-support.ts";

const service = await startService();
after(() => service.stop());
const { db } = service.ctx;
const one = await makeOperator(service, "finance");
const two = await makeOperator(service, "finance");
const tabs = {
  asker: await signInOperator(service, one),
  other: await signInOperator(service, two),
  support: await signInOperator(service, await makeOperator(service, "support")),
};
const read = async (tab: Tab) => (await tab.get("/operator")).text;

test("says that nothing waits, and counts nothing", async () => {
  for (const tab of Object.values(tabs)) {
    const text = await read(tab);
    assert.match(text, /<h1>What waits<\/h1>[\s\S]*Nothing waits\./);
    assert.doesNotMatch(text, /class="waits"/);
  }
  assert.match((await operator(service, ["waiting"])).stdout, /^Nothing waits\.$/m);
});

test("lists what waits of live money, an approval only for operators who may give it", async () => {
  const owner = await liveOwner(service, { live: "100000.00 TTD" });
  const held = await withdraw(service, owner, { environment: "live", amount: "6000.00" });
  await operatorJson(service, ["hold-withdrawal", held, "--tell", "checked", ...SIGNED]);
  await act(tabs.asker, "release-withdrawal", { transaction_id: held });
  const shop = await openShop(service);
  const disputed: string[] = [];
  for (const [environment, day] of [
    ["live", "2027-01-31"],
    ["live", "2027-01-15"],
    ["sandbox", "2027-01-01"],
  ] as const) {
    const order = newPayment(shop, { environment });
    const { transaction_id: id } = await pay(service, order, APPROVED);
    await operatorJson(service, ["open-chargeback", id, "--answer-by", day, ...SIGNED]);
    disputed.push(id);
  }
  const [late = "", soon = "", sandbox = ""] = disputed;
  await keepReconciliation(db, "reconcile-ledger", {
    counted: 16,
    differenceCount: 2,
    differences: [],
  });
  const other = await read(tabs.other);
  const tables = ["Approvals</h2>", "Held withdrawals</h2>", "Open disputes</h2>"];
  for (const shown of [...tables, held, soon, late]) assert.ok(other.includes(shown), shown);
  assert.ok(other.indexOf(soon) < other.indexOf(late), "by the bank's day");
  assert.match(other, /2027-01-15/);
  assert.ok(!other.includes(sandbox));
  assert.match(other, /Checks that differ/);
  const counts = [...other.matchAll(/<span>(\w+)<\/span> <span class="waits">(\d+)/g)];
  assert.deepEqual(
    counts.map(([, section, count]) => [section, count]),
    [
      ["Withdrawals", "1"],
      ["Disputes", "2"],
      ["Approvals", "1"],
    ],
  );
  for (const tab of [tabs.asker, tabs.support]) {
    const text = await read(tab);
    assert.doesNotMatch(text, /\/operator\/approvals\/[0-9a-f]/);
    assert.match(text, /Held withdrawals/);
  }
  assert.doesNotMatch(await read(tabs.support), /Checks that differ/);
});

test("a mail goes to operators who may approve, once, and never to who asked", async () => {
  const mails = await db.rows<{ recipient: string; reason: string }>(sql`
    select recipient, reason from mails where reason like 'approval %'`);
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    [two.email],
  );
});

test("a count ends at its limit", async () => {
  await db.run(sql`
    insert into approvals (command, input, currency, amount_minor, asked_by, asked_from, why,
      expires_at, transaction_id)
    select 'refund-payment', '{}', 'TTD', 1000000, ${one.personId}, '{}', 'many',
      real_now() + interval '1 hour', 'TT-' || number from generate_series(1, 120) as number`);
  const text = await read(tabs.other);
  assert.match(text, /<span>Approvals<\/span> <span class="waits">99\+/);
  assert.match(text, /There are more/);
});

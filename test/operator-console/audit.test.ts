/**
 * The guarantee: the audit log is narrowed by actor, action, subject and time, alike on a page, in
 * its CSV and at a terminal, and is read by an index or from a few months of it.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { auditFilters, filterTrail } from "../../src/modules/operator/audit-filters.ts";
import { readTrail } from "../../src/modules/operator/trail.ts";
import { openTab, type Tab } from "../../testkit/console.ts";
import { type Read, watching } from "../../testkit/explain-reads.ts";
import { operator, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { makeOperator, signInOperator } from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

const service = await startService();
const { db } = service.ctx;
let tab: Tab;
let account: string;
let payment: string;
before(async () => {
  const shop = await openShop(service);
  account = shop.accountNumber;
  payment = (await pay(service, newPayment(shop), APPROVED)).transaction_id;
  for (const [command, by] of [
    ["freeze-account", "A. First"],
    ["unfreeze-account", "B. Second"],
  ] as const)
    await operatorJson(service, [command, account, "--by", by, "--why", "ticket 4711"]);
  await operatorJson(service, ["open-chargeback", payment, "--amount", "40.00", ...SIGNED]);
  tab = await signInOperator(service, await makeOperator(service, "risk"));
});
after(() => service.stop());

const listed = async (filters: Readonly<Record<string, string>>): Promise<string[]> => {
  const args = Object.entries(filters).flatMap(([name, value]) => [`--${name}`, value]);
  const { entries } = await operatorJson(service, ["audit", ...args]);
  return entries.map(({ action }: { action: string }) => action);
};

const exported = async (search: string, by = tab, why = "ticket 4711") => {
  const path = `/operator/audit/export${search}`;
  return by.post(path, { why }, { from: path });
};

test("what a caller calls itself stands as it was sent", async () => {
  const agent = "x --json frozen 5.00 TTD";
  const stranger = openTab(service);
  await stranger.get("/operator/sign-in");
  const typed = { email: (await makeOperator(service)).email, password: "Not-the-one-2026" };
  const headers = { "user-agent": agent };
  await stranger.post("/operator/sign-in", typed, { from: "/operator/sign-in", headers });
  assert.match((await tab.get("/operator/audit")).text, new RegExp(`browser ${agent}`));
});

const rowsOf = (text: string) => [...text.matchAll(/<tr role="row">/g)].length - 1;

for (const [name, filters, expected] of [
  ["an operator's name", { actor: "A. First" }, ["account_frozen"]],
  ["an actor as it is written", { actor: "operator B. Second" }, ["account_unfrozen"]],
  ["an action", { action: "account_unfrozen" }, ["account_unfrozen"]],
  ["actor and action that do not meet", { actor: "A. First", action: "account_unfrozen" }, []],
  ["days without an entry", { action: "account_frozen", until: "2020-01-01" }, []],
  ["a reason, which is no subject", { subject: "ticket 4711" }, []],
] as const)
  test(`by ${name}: terminal, page and CSV have the same entries`, async () => {
    assert.deepEqual(await listed(filters), expected);
    const address = String(new URLSearchParams(filters));
    const page = await tab.get(`/operator/audit?${address}`);
    assert.equal(page.status, 200);
    assert.equal(Math.max(rowsOf(page.text), 0), expected.length);
    const [first = ""] = Object.entries(filters)[0] ?? [];
    assert.match(page.text, new RegExp(`name="${first}"[^>]*value="[^"]+"`), "the form keeps it");
    const csv = await exported(`?${address}`);
    const [, ...lines] = csv.text.trimEnd().split("\r\n");
    assert.equal(lines.length, expected.length);
    for (const action of expected) assert.ok(csv.text.includes(`,${action},`));
  });

test("by a subject: an account, a payment, or another id of the entry", async () => {
  assert.deepEqual(await listed({ subject: payment, action: "chargeback_opened" }), [
    "chargeback_opened",
  ]);
  assert.ok((await listed({ subject: account })).includes("account_frozen"));
  const { person_id: personId } = await db.one<{ person_id: string }>(sql`
    insert into audit_entries (action, actor, detail)
    values ('webhook_revived', 'operator C', '{"why": "x", "endpoint_id": "an-endpoint"}')
    returning detail ->> 'endpoint_id' as person_id`);
  assert.deepEqual(await listed({ subject: personId }), ["webhook_revived"]);
});

test("a page has as many as its limit and says that there are more; the CSV has all", async () => {
  const page = await tab.get("/operator/audit?limit=2");
  assert.equal(rowsOf(page.text), 2);
  assert.match(page.text, /There are more: 2 are shown\./);
  const csv = await exported("?limit=2");
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from audit_entries`);
  assert.ok(count > 2);
  assert.equal(csv.text.trimEnd().split("\r\n").length, 1 + count);
});

test("a word that is no action is refused with its sentence", async () => {
  const said = await operator(service, ["audit", "--action", "Account frozen"]);
  assert.deepEqual(said, {
    code: 1,
    stdout: "",
    stderr: "The action must be a word of the trail, such as account_frozen.\n",
  });
});

test("an export is in the trail itself: who, from where and what of it", async () => {
  const risk = await makeOperator(service, "risk");
  const own = await signInOperator(service, risk);
  const address = `?account=${account}&actor=Mrs.+X&since=2026-01-01`;
  const refused = await exported(address, own, "");
  assert.equal(refused.status, 400);
  assert.match(refused.text, /“Reason” is required/);
  assert.match((await exported(address, own)).text, /^entry_id,/);
  const entries = await db.rows<{ actor: string; detail: Record<string, unknown> }>(sql`
    select actor, detail from audit_entries
    where action = 'audit_exported' and actor = ${`operator ${risk.email}`}`);
  assert.equal(entries.length, 1);
  const { person_id, address: from, filters, why } = entries[0]?.detail ?? {};
  assert.equal(person_id, risk.personId);
  assert.ok(from);
  assert.equal(why, "ticket 4711");
  assert.deepEqual(filters, { account, actor: "given", since: "2026-01-01T00:00:00.000Z" });
  await exported("?account=1", own);
  assert.equal((await listed({ actor: risk.email, action: "audit_exported" })).length, 1);
});

for (const [name, typed, sentence] of [
  ["account", "123456789", "“Account” must have ten digits and not begin with 0."],
  ["action", "Account frozen", "“Action” must be a word of the trail, such as account_frozen."],
  ["until", "tomorrow", "“Until” must be"],
] as const)
  test(`a filter ${name} that cannot be read is refused, also in an export`, async () => {
    for (const path of ["/operator/audit", "/operator/audit/export"]) {
      const { status, text, headers } = await tab.get(
        `${path}?${new URLSearchParams({ [name]: typed })}`,
      );
      assert.equal(status, 400, path);
      assert.match(headers.get("content-type") ?? "", /html/);
      assert.ok(text.includes(sentence), text);
      assert.match(text, new RegExp(`name="${name}"[^>]*value="${typed}"[^>]*aria-invalid`));
      assert.doesNotMatch(text, /role="row"/, "no entries of everybody");
    }
  });

test("filters that cannot be read are refused all at once", async () => {
  const { text } = await tab.get("/operator/payments?account=1&environment=lvie&order=o");
  assert.equal([...text.matchAll(/aria-invalid/g)].length, 2);
  const unasked = await tab.get("/operator/payments?account=1");
  assert.equal(unasked.status, 400, "also where nothing is looked for yet");
});

describe("a year of entries", () => {
  const at = new Date("2031-06-15T12:00:00Z");
  before(async () => {
    await db.run(sql`
      select add_audit_month(month::date)
      from generate_series('2030-07-01'::date, '2031-06-01'::date, interval '1 month') as month`);
    await db.run(sql`
      insert into audit_entries (happened_at, action, account_number, actor, detail)
      select ${at}::timestamptz - interval '30 minutes' * number, 'signed_in',
        (1000000000 + number % 500)::text, 'account ' || (1000000000 + number % 500),
        jsonb_build_object('transaction_id', 'TT-' || lpad(number::text, 26, '0'))
      from generate_series(1, 16000) as number`);
    await db.run(sql`analyze audit_entries`);
  });

  async function readsOf(asked: Parameters<typeof filterTrail>[0]): Promise<Read[]> {
    const reads: Read[] = [];
    const { condition } = filterTrail(asked, at);
    await readTrail(watching(db, reads), condition, 51);
    return reads.filter(({ table, rows }) => table.startsWith("audit_entries") && rows > 0);
  }

  test("is in the CSV whole, each entry once and the newest first", async () => {
    const { text, headers } = await exported("?action=signed_in&until=2032-01-01");
    assert.equal(headers.get("content-disposition"), 'attachment; filename="audit.csv"');
    const [head, ...lines] = text.trimEnd().split("\r\n");
    assert.equal(head, "entry_id,happened_at,account_number,actor,action,detail");
    const times = lines.map((line) => line.split(",")[1] ?? "");
    assert.deepEqual(times, times.toSorted().toReversed());
    const { count } = await db.one<{ count: number }>(sql`
      select count(*)::int as count from audit_entries
      where action = 'signed_in' and happened_at >= '2032-01-01'::timestamptz - interval '92 days'
        and happened_at < '2032-01-01'`);
    assert.equal(new Set(lines.map((line) => line.split(",")[0])).size, count);
    assert.equal(lines.length, count);
    const all = await exported("?since=2030-08-01&until=2032-01-01");
    assert.ok(all.text.split("\r\n").length > 10_000);
  });

  test("that happened in one moment are each once in the CSV", async () => {
    await db.run(sql`
      insert into audit_entries (happened_at, action, actor, detail)
      select '2031-06-20 10:00:00.000001Z'::timestamptz + number % 7 * interval '1 microsecond',
        'same_moment', 'account 1000000001', '{}'
      from generate_series(1, 2500) as number`);
    const { text } = await exported("?action=same_moment&until=2031-07-01");
    const ids = text
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",")[0]);
    assert.deepEqual([ids.length, new Set(ids).size], [2500, 2500]);
  });

  for (const [name, asked] of [
    ["transaction", { subject: `TT-${"7".padStart(26, "0")}` }],
    ["account", { subject: "1000000007" }],
    ["day", { since: new Date("2031-03-02T00:00Z"), until: new Date("2031-03-03T00:00Z") }],
    ["newest entry", {}],
  ] as const)
    test(`by ${name} an index is read, and little more than what is found`, async () => {
      const reads = await readsOf(asked);
      assert.ok(reads.length > 0);
      for (const { by } of reads) assert.notEqual(by, "Seq Scan");
      assert.ok(reads.reduce((sum, { rows }) => sum + rows, 0) <= 500);
    });

  for (const asked of [{ actor: "nobody" }, { action: "never_done" }, { subject: "nothing" }])
    test(`by ${Object.keys(asked)[0]} only the last months are read`, async () => {
      const tables = new Set((await readsOf(asked)).map(({ table }) => table));
      const months = ["203103", "203104", "203105", "203106"];
      assert.deepEqual(
        [...tables].toSorted(),
        months.map((month) => `audit_entries_${month}`),
      );
      const since = new Date("2030-08-01T00:00Z");
      assert.ok(new Set((await readsOf({ ...asked, since })).map(({ table }) => table)).size > 9);
    });

  test("every filter has its words in help", () => {
    for (const { schema } of Object.values(auditFilters)) assert.ok(schema.description);
  });
});

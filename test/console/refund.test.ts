/**
 * A refund from the console is the interface's own: by roles that may, once for each form, never
 * more than is left or than the member's limit, and the books balance.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { money } from "../../src/kit/money.ts";
import { ROLES } from "../../src/kit/roles.ts";
import { openChargeback } from "../../src/modules/transactions/dispute.ts";
import { refundsOf } from "../../src/modules/transactions/refund.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { hiddenOf, makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";
import { sweepRefunds } from "../../testkit/sweeps.ts";
import { openShop } from "../../testkit/transactions.ts";
import { paidOrder } from "../api/transactions/refund-support.ts";

const service = await startService();
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});

/** 105.20 TTD in the sandbox, and its owner's browser. */
async function paidInConsole() {
  const order = await paidOrder(service, { environment: "sandbox" });
  const tab = await signInTo(service, order.shop);
  const page = `/console/payments/${order.id}`;
  return { ...order, tab, page, form: `${page}/refund` };
}

async function keyOf(tab: Tab, page: string): Promise<string> {
  return hiddenOf(await tab.get(page)).idempotency_key ?? "";
}

const refund = (
  tab: Tab,
  { page, form }: { page: string; form: string },
  fields: Record<string, string>,
) => tab.post(form, fields, { from: page });

async function refunded(id: string): Promise<string[]> {
  const rows = await refundsOf(service.ctx.db, id);
  return rows.map(({ amount_minor, state }) => `${amount_minor} ${state}`);
}

test("part of a payment is refunded, and its page says so from the request to the end", async () => {
  const { id, tab, page, form } = await paidInConsole();
  const before = await tab.get(page);
  assert.match(before.text, />Refund TTD 105\.20</);
  assert.doesNotMatch(before.text, /Net after refunds/);
  assert.match(before.text, /<form[^>]*action="[^"]*\/refund" data-dialog="refund"/);
  const answer = await refund(tab, { page, form }, { amount: "25.00", reason: "Late <b>" });
  assert.equal(answer.status, 303, answer.text);
  assert.equal(answer.headers.get("location"), `${page}?done=refund`);
  const asked = await tab.get(`${page}?done=refund`);
  assert.match(asked.text, /The refund was requested/);
  assert.match(asked.text, /Under way/);
  assert.match(asked.text, /Late &lt;b&gt;/);
  await sweepRefunds(service.ctx);
  const done = await tab.get(page);
  assert.match(done.text, /Partly refunded/);
  assert.match(done.text, /TTD\u00a025\.00 refunded/);
  assert.match(done.text, /Net after refunds<\/dt>\s*<dd>[^\n]*TTD\u00a075\.00/);
  assert.match(done.text, />Refund TTD 80\.20</);
  assert.deepEqual(await refunded(id), ["2500 refunded"]);
});

test("the page without scripts has the same fields and takes a grouped amount", async () => {
  const { id, tab, form } = await paidInConsole();
  const { text } = await tab.get(form);
  assert.match(text, /<label for="amount">Amount/);
  assert.match(text, /<label for="reason">Reason/);
  assert.match(
    text,
    /<button class="button primary"\s+data-amount-text="Refund TTD">Refund<\/button>/,
  );
  const over = await refund(tab, { page: form, form }, { amount: "1,000.00" });
  assert.equal(over.status, 422);
  assert.equal(over.headers.get("x-svc-error"), "more_than_is_left");
  assert.match(over.text, /value="1,000.00"/);
  assert.match(over.text, /more than is left to refund: 105\.20 TTD/);
  assert.deepEqual(await refunded(id), []);
});

describe("what is refused changes nothing", () => {
  for (const [amount, status] of [
    ["", 400],
    ["0", 400],
    ["-5", 400],
    ["1.234", 400],
    ["105.21", 422],
  ] as const)
    test(`an amount of ${JSON.stringify(amount)}`, async () => {
      const { id, tab, page, form } = await paidInConsole();
      const answer = await refund(tab, { page, form }, { amount });
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.text, /id="amount-wrong">[^<]/);
      assert.deepEqual(await refunded(id), []);
    });

  test("a form without its key, or whose page was made for the other environment", async () => {
    const { id, tab, page, form } = await paidInConsole();
    const hidden = hiddenOf(await tab.get(page));
    const amount = "1.00";
    assert.equal((await tab.post(form, { amount })).status, 403);
    await tab.post("/console/environment", { environment: "live" });
    assert.equal((await tab.post(form, { amount, ...hidden })).status, 409);
    assert.deepEqual(await refunded(id), []);
  });

  test("a disputed payment, which offers no refund either", async () => {
    const { id, tab, page, form } = await paidInConsole();
    const idempotency_key = await keyOf(tab, page);
    await service.ctx.db.transaction((tx) =>
      openChargeback(tx, { transactionId: id, by: "test", why: "test" }),
    );
    const { text } = await tab.get(page);
    assert.ok(!text.includes('data-dialog="refund"'));
    assert.match(text, /Disputed/);
    const answer = await tab.post(form, { amount: "1.00", idempotency_key });
    assert.equal(answer.status, 409);
    assert.equal((await tab.get(form)).status, 303);
    assert.deepEqual(await refunded(id), []);
  });

  test("another account's payment", async () => {
    const { id, form } = await paidInConsole();
    const other = await paidInConsole();
    const answer = await refund(other.tab, { page: other.page, form }, { amount: "1.00" });
    assert.equal(answer.status, 404);
    assert.equal((await other.tab.get(form)).status, 404);
    assert.deepEqual(await refunded(id), []);
  });
});

test("a form that is sent again and again has one effect", async () => {
  const { id, tab, page, form } = await paidInConsole();
  const idempotency_key = await keyOf(tab, page);
  const fields = { amount: "10.00", reason: "twice", idempotency_key };
  const answers = await Promise.all(Array.from({ length: 5 }, () => tab.post(form, fields)));
  answers.push(await tab.post(form, fields));
  for (const answer of answers) assert.equal(answer.status, 303, answer.text);
  assert.deepEqual(await refunded(id), ["1000 requested"]);
  const changed = await tab.post(form, { ...fields, amount: "11.00" });
  assert.equal(changed.status, 409);
  assert.match(changed.text, /This form was sent before, with other values/);
  assert.deepEqual(await refunded(id), ["1000 requested"]);
});

test("of two refunds at once that are together too much, one is made", async () => {
  const { id, tab, page, form } = await paidInConsole();
  const answers = await Promise.all(
    [1, 2].map(() => refund(tab, { page, form }, { amount: "60.00" })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 422]);
  assert.deepEqual(await refunded(id), ["6000 requested"]);
});

test("roles without the right see no button, and have no such page", async () => {
  const { id, shop, page, form } = await paidInConsole();
  for (const role of ROLES) {
    const member = await makeMember(service, shop.accountNumber, role);
    const tab = await signInTo(service, member);
    const { text } = await tab.get(page);
    const isShown = ["owner", "admin", "finance"].includes(role);
    assert.equal(text.includes('data-dialog="refund"'), isShown, role);
    if (role !== "developer" && role !== "viewer") continue;
    assert.equal((await tab.get(form)).status, 404, role);
    assert.equal((await tab.post(form, { amount: "1.00" })).status, 404, role);
  }
  assert.deepEqual(await refunded(id), []);
});

test("support refunds up to its limit of each payment, however it is divided", async () => {
  const { id, shop, page, form } = await paidInConsole();
  const limit = money("TTD", 50_00n);
  const member = await makeMember(service, shop.accountNumber, "support");
  await service.ctx.db.run(sql`
    insert into member_refund_limits (account_number, person_id, currency, limit_minor)
    values (${shop.accountNumber}, ${member.personId}, ${limit.currency}, ${limit.minor})`);
  const tab = await signInTo(service, member);
  assert.match((await tab.get(page)).text, />Refund TTD 50\.00</);
  assert.equal((await refund(tab, { page, form }, { amount: "30.00" })).status, 303);
  assert.match((await tab.get(page)).text, />Refund TTD 20\.00</);
  const over = await refund(tab, { page, form }, { amount: "20.01" });
  assert.equal(over.headers.get("x-svc-error"), "refund_beyond_role");
  assert.match(over.text, /Your role refunds at most 50\.00 TTD of one payment/);
  assert.equal((await refund(tab, { page, form }, { amount: "20.00" })).status, 303);
  assert.ok(!(await tab.get(page)).text.includes('data-dialog="refund"'));
  assert.deepEqual(await refunded(id), ["3000 requested", "2000 requested"]);
});

test("who asked for a refund stands in the audit trail", async () => {
  const { id, shop, tab, page, form } = await paidInConsole();
  await refund(tab, { page, form }, { amount: "1.00" });
  const entry = await service.ctx.db.one<{ detail: Record<string, string> }>(sql`
    select detail from audit_entries
    where action = 'refund_requested' and account_number = ${shop.accountNumber}`);
  assert.equal(entry.detail.transaction_id, id);
  assert.match(entry.detail.person_id ?? "", /^[0-9a-f-]{36}$/);
  assert.ok(entry.detail.address);
});

test("an owner without a second factor moves no live money where that is demanded", async () => {
  const strict = await startService({
    settings: { OWNER_SECOND_FACTOR: "required" },
    database: service.database,
  });
  try {
    const order = await paidOrder(strict, { shop: await openShop(strict) });
    const tab = await signInTo(strict, order.shop);
    const page = `/console/payments/${order.id}`;
    const answer = await refund(tab, { page, form: `${page}/refund` }, { amount: "1.00" });
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Add a second factor first/);
    assert.deepEqual(await refunded(order.id), []);
  } finally {
    await strict.stop();
  }
});

/**
 * The console's list of payments shows what the interface would, to members only, keeps its filters
 * in the address and under names, and never shows what somebody typed as anything but text.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ROLES } from "../../src/kit/roles.ts";
import { makeMember, openTab, signInTo, type Tab } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  fillHistory,
  newPayment,
  openShop,
  pay,
  type Shop,
} from "../../testkit/transactions.ts";

const PAYMENTS = "/console/payments";
const HOSTILE = '<script>alert("x")</script>';

const service = await startService();
after(() => service.stop());

let shop: Shop;
let tab: Tab;
const ids: Record<string, string> = {};

before(async () => {
  shop = await openShop(service);
  const environment = "sandbox" as const;
  const make = async (orderId: string, more: object, result = APPROVED) => {
    const payment = newPayment(shop, { environment, orderId, ...more });
    ids[orderId] = (await pay(service, payment, result)).transaction_id;
  };
  await make("blue-1", { amount: "100.00 TTD" });
  await make("blue-2", { amount: "20.00 USD" });
  await make("red-1", { amount: "55.00 TTD" }, DECLINED);
  await make("evil-1", {
    customer: { email: "evil@example.com", fname: HOSTILE, lname: `"'&` },
    details: { data: HOSTILE },
  });
  tab = await signInTo(service, shop);
});

/** The orders in the table, in their order. */
function ordersIn(text: string): string[] {
  return [...text.matchAll(/<a href="\/console\/payments\/[\w-]+">([^<]+)<\/a>/g)].map(
    ([, order]) => order ?? "",
  );
}

async function found(query: string): Promise<string[]> {
  const answer = await tab.get(`${PAYMENTS}?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return ordersIn(answer.text);
}

test("the newest are first, and the box finds by order, reference, e-mail, card, amount", async () => {
  assert.deepEqual(await found(""), ["evil-1", "red-1", "blue-2", "blue-1"]);
  assert.deepEqual(await found("q=blue-2"), ["blue-2"]);
  assert.deepEqual(await found("q=blu"), ["blue-2", "blue-1"]);
  assert.deepEqual(await found(`q=${ids["red-1"]}`), ["red-1"]);
  assert.deepEqual(await found("q=evil%40example.com"), ["evil-1"]);
  assert.deepEqual(await found("q=3333"), ["red-1"]);
  assert.deepEqual(await found("q=USD+20.00"), ["blue-2"]);
  assert.deepEqual(await found("q=nothing-like-it"), []);
});

test("filters narrow the list, and stand in the form and every link of the page", async () => {
  assert.deepEqual(await found("status=failed"), ["red-1"]);
  assert.deepEqual(await found("status=success&currency=TTD"), ["evil-1", "blue-1"]);
  assert.deepEqual(await found("total_min=30&total_max=60"), ["red-1"]);
  assert.deepEqual(await found("status_desc=refunded"), []);
  const { text } = await tab.get(`${PAYMENTS}?q=blue&currency=USD&status=&start_date=2020-01-01`);
  assert.match(text, /name="q" value="blue"/);
  assert.match(text, /value="USD" selected/);
  assert.match(text, /value="2020-01-01"/);
  assert.match(text, /Filters <span class="count">2</);
});

test("days are days of the account's time zone", async () => {
  const other = await openShop(service);
  // 03:30 UTC on the 2nd is still the 1st in Trinidad.
  await fillHistory(service, other, {
    rows: 1,
    until: "2026-03-02T03:30:00Z",
    everySeconds: 1,
    environment: "sandbox",
  });
  const own = await signInTo(service, other);
  const on = async (day: string) =>
    ordersIn((await own.get(`${PAYMENTS}?start_date=${day}&end_date=${day}`)).text).length;
  assert.equal(await on("2026-03-01"), 1);
  assert.equal(await on("2026-03-02"), 0);
});

test("a malformed filter is told at its field, and nothing is lost of the others", async () => {
  const answer = await tab.get(`${PAYMENTS}?q=blue&total_min=cheap`);
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get("x-svc-error"), "field_invalid");
  assert.match(answer.text, /href="#total_min"/);
  assert.match(answer.text, /“Amount from” must be a number/);
  assert.match(answer.text, /value="cheap"/);
  assert.match(answer.text, /name="q" value="blue"/);
  assert.equal((await tab.get(`${PAYMENTS}?page=nonsense`)).status, 400);
  assert.equal(
    (await tab.get(`${PAYMENTS}?start_date=2026-02-02&end_date=2026-01-01`)).status,
    400,
  );
});

test("pages lead on and back without missing or repeating a payment", async () => {
  const busy = await openShop(service);
  const until = "2026-05-01T00:00:00Z";
  await fillHistory(service, busy, { rows: 60, until, everySeconds: 60, environment: "sandbox" });
  const own = await signInTo(service, busy);
  const seen: string[] = [];
  let next: string | undefined = `${PAYMENTS}?status=success`;
  let page = await own.get(next);
  for (; next !== undefined; ) {
    page = await own.get(next);
    seen.push(...ordersIn(page.text));
    next = /href="([^"]+)" rel="next"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&");
    assert.ok(next === undefined || next.includes("status=success"));
  }
  assert.equal(seen.length, 54);
  assert.equal(new Set(seen).size, 54);
  const newer = /href="([^"]+)" rel="prev"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  assert.deepEqual(ordersIn((await own.get(newer)).text), seen.slice(25, 50));
});

test("the file is the interface's own, narrowed by filters and columns", async () => {
  const file = await tab.get(`${PAYMENTS}.csv`);
  const path = "/transactions/?environment=sandbox&format=csv";
  const api = await service.request(path, { token: shop.token });
  assert.equal(file.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.equal(file.text, api.text);
  const some = await tab.get(
    `${PAYMENTS}.csv?q=blue&currency=TTD&columns=total&columns=order_id,customer_email`,
  );
  assert.equal(some.text, "order_id,total,customer_email\r\nblue-1,100.00,anika@example.com\r\n");
  assert.equal((await tab.get(`${PAYMENTS}.csv?columns=password_digest`)).status, 400);
});

test("a filter is kept under a name, per person, until it is removed", async () => {
  const filters = `${PAYMENTS}/filters`;
  const query = "status=success&currency=TTD&done=x&evil=1";
  const saved = await tab.post(filters, { name: `Mine ${HOSTILE}`, query });
  assert.equal(saved.status, 303);
  const own = "/console/payments?status=success&currency=TTD";
  assert.equal(saved.headers.get("location"), `${own}&done=filter_saved`);
  const { text } = await tab.get(PAYMENTS);
  assert.ok(!text.includes(HOSTILE));
  assert.match(text, /href="\/console\/payments\?status=success&amp;currency=TTD"[^>]*>Mine &lt;/);
  const colleague = await makeMember(service, shop.accountNumber, "admin");
  assert.ok(!(await (await signInTo(service, colleague)).get(PAYMENTS)).text.includes("Mine"));
  const nameless = await tab.post(filters, { name: "", query });
  assert.equal(nameless.status, 400);
  assert.match(nameless.text, /The name field is required/);
  await tab.post(`${filters}/remove`, { name: `Mine ${HOSTILE}` });
  assert.ok(!(await tab.get(PAYMENTS)).text.includes("Mine"));
});

test("a person keeps at most 20 filters, and may replace each", async () => {
  const query = "currency=USD";
  const save = (name: string) => tab.post(`${PAYMENTS}/filters`, { name, query });
  for (let i = 0; i < 20; i++) assert.equal((await save(`Filter ${i}`)).status, 303);
  assert.equal((await save("Filter 3")).status, 303);
  const refused = await save("One more");
  assert.equal(refused.status, 400);
  assert.match(refused.text, /At most 20 filters can be saved/);
});

test("every role sees payments, a stranger and another account's member do not", async () => {
  const id = ids["blue-1"];
  for (const role of ROLES) {
    const member = await makeMember(service, shop.accountNumber, role);
    const own = await signInTo(service, member);
    assert.equal((await own.get(PAYMENTS)).status, 200, role);
    assert.equal((await own.get(`${PAYMENTS}/${id}`)).status, 200, role);
  }
  const stranger = openTab(service);
  for (const path of [PAYMENTS, `${PAYMENTS}/${id}`, `${PAYMENTS}.csv`])
    assert.equal((await stranger.get(path)).status, 303, path);
  const elsewhere = await signInTo(service, await openShop(service));
  assert.equal((await elsewhere.get(`${PAYMENTS}/${id}`)).status, 404);
  assert.equal((await elsewhere.get(`${PAYMENTS}?q=${id}`)).text.includes("blue-1"), false);
  assert.equal((await tab.get(`${PAYMENTS}/SB-TT-00000000000000000000000000`)).status, 404);
});

test("what somebody typed is shown as text", async () => {
  const list = await tab.get(`${PAYMENTS}?q=${encodeURIComponent(HOSTILE)}`);
  const detail = await tab.get(`${PAYMENTS}/${ids["evil-1"]}`);
  const all = await tab.get(PAYMENTS);
  for (const { text } of [list, detail, all]) {
    assert.ok(!text.includes("<script>alert"));
    assert.match(text, /&lt;script&gt;alert/);
  }
});

test("a payment of the other environment opens under the band of its own", async () => {
  const live = await pay(service, newPayment(shop, { orderId: "real-1" }), APPROVED);
  const { text } = await tab.get(`${PAYMENTS}/${live.transaction_id}`);
  assert.ok(!text.includes("Sandbox: no real money moves here"));
  assert.match(text, /This payment is live\. Other pages show what is in the sandbox/);
  assert.ok(!(await found("")).includes("real-1"));
});

test("a payment says what was paid, and one that failed has neither fee nor net", async () => {
  const paid = await tab.get(`${PAYMENTS}/${ids["blue-1"]}`);
  for (const term of ["Customer paid", "Fee", "Net"])
    assert.match(paid.text, new RegExp(`<dt>${term}</dt>`));
  const failed = await tab.get(`${PAYMENTS}/${ids["red-1"]}`);
  assert.match(failed.text, /Customer paid<\/dt>\s*<dd>Nothing</);
  assert.doesNotMatch(failed.text, /<dt>(Fee|Net)|paid by the customer/);
});

test("a payment that its customer left is not called failed", async () => {
  const message = "[3-R98]: Transaction timed out.";
  const left = { status: "failed", message, card: null } as const;
  const payment = newPayment(shop, { environment: "sandbox", orderId: "left-1" });
  const { transaction_id: id } = await pay(service, payment, left);
  const badge = />Not finished</;
  assert.match((await tab.get(`${PAYMENTS}/${id}`)).text, badge);
  assert.match((await tab.get(`${PAYMENTS}?q=left-1`)).text, badge);
  assert.doesNotMatch((await tab.get(`${PAYMENTS}/${ids["red-1"]}`)).text, badge);
});

test("a payment shows what its request said of the order, line by line", async () => {
  const items = [
    { name: "Paperback <b>", quantity: 3, unit_price_minor: 4_000 },
    { name: "Voucher", quantity: 1, unit_price_minor: -2_000 },
  ];
  const order = { language: "nl", description: "Books for Maya", items } as const;
  const payment = newPayment(shop, { environment: "sandbox", orderId: "books-1", order });
  const { transaction_id } = await pay(service, payment, APPROVED);
  const { text } = await tab.get(`${PAYMENTS}/${transaction_id}`);
  for (const shown of ["Books for Maya", "Dutch", "Paperback &lt;b&gt;", "TTD\u00a0120.00"])
    assert(text.includes(shown), `${shown} is not in ${text}`);
  assert(text.includes("\u2212TTD\u00a020.00"), text);
  const other = await tab.get(`${PAYMENTS}/${ids["blue-1"]}`);
  assert(!other.text.includes(">Items<"), other.text);
});

/**
 * Attacks on `/operator`, as on the merchants' console: other origins, texts that are markup,
 * redirects elsewhere, planted cookies, frames and caches.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { openTab, type Tab } from "../../testkit/console.ts";
import { operatorJson } from "../../testkit/operator.ts";
import {
  act,
  giveOperatorPassword,
  makeOperator,
  operatorCode,
  saidAfter,
  signInOperator,
} from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

const service = await startService();
after(() => service.stop());
let tab: Tab;
before(async () => {
  tab = await signInOperator(service, await makeOperator(service));
});

const MARKUP = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;

test("what strangers wrote is text on every page that shows it", async () => {
  const shop = await openShop(service);
  const order = `"><script>x`;
  const { transaction_id: id } = await pay(
    service,
    newPayment(shop, { orderId: order, customer: { email: "a@b.example", fname: MARKUP } }),
    { ...APPROVED, message: MARKUP },
  );
  await service.ctx.db.run(sql`
    update accounts set first_name = ${MARKUP}, last_name = ${MARKUP}
    where account_number = ${shop.accountNumber}`);
  const why = MARKUP;
  await operatorJson(service, ["freeze-account", shop.accountNumber, "--by", MARKUP, "--why", why]);
  for (const path of [
    `/operator/payments/${id}`,
    `/operator/accounts/${shop.accountNumber}`,
    `/operator?q=${encodeURIComponent(order)}`,
    `/operator?q=${encodeURIComponent(MARKUP)}`,
    "/operator/accounts",
    "/operator/audit",
    `/operator/actions/freeze-account?account_number=${encodeURIComponent(MARKUP)}`,
    `/operator/withdrawals?environment=${encodeURIComponent(MARKUP)}`,
  ]) {
    const { status, text } = await tab.get(path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(text, /<script>|<img src=x/, path);
  }
  const refused = await act(tab, "freeze-account", { account_number: MARKUP }, MARKUP);
  assert.equal(refused.status, 400);
  assert.doesNotMatch(refused.text, /<script>|<img src=x/);
});

test("a cell of the CSV is no formula of a spreadsheet", async () => {
  const shop = await openShop(service);
  const why = "=HYPERLINK(1)";
  await operatorJson(service, ["freeze-account", shop.accountNumber, "--by", "=1+1", "--why", why]);
  const { text, headers } = await tab.get("/operator/audit.csv");
  assert.match(headers.get("content-disposition") ?? "", /attachment; filename="audit.csv"/);
  assert.match(text, /^entry_id,happened_at,account_number,actor,action,detail\r?\n/);
  assert.doesNotMatch(text, /(^|,)"?[=+@]/m);
});

test("a post from elsewhere is refused, whatever it carries", async () => {
  const shop = await openShop(service);
  const path = "/operator/actions/freeze-account";
  const page = await tab.get(`${path}?account_number=${shop.accountNumber}`);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page.text)?.[1];
  const form = {
    csrf_token: field("csrf_token") ?? "",
    form_key: field("form_key") ?? "",
    account_number: shop.accountNumber,
    why: "x",
  };
  const cases: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    {},
    { origin: service.url, "sec-fetch-site": "cross-site" },
  ];
  for (const headers of cases) {
    const all = { cookie: tab.cookie, ...headers };
    const { status } = await service.request(path, { method: "POST", form, headers: all });
    assert.equal(status, 403, JSON.stringify(headers));
  }
  const other = await signInOperator(service, await makeOperator(service));
  const headers = { cookie: other.cookie, origin: service.url };
  const stolen = await service.request(path, { method: "POST", form, headers });
  assert.equal(stolen.status, 403, "the token is another session's");
  const { status } = await service.ctx.db.one<{ status: string }>(sql`
    select status from accounts where account_number = ${shop.accountNumber}`);
  assert.equal(status, "active");
});

test("the way on after a sign-in stays in this console", async () => {
  const who = await makeOperator(service);
  for (const next of [
    "https://evil.example",
    "//evil.example",
    "/operator\\evil",
    "/console",
    "/operatorx",
  ]) {
    const { tab: halfway } = await giveOperatorPassword(service, who);
    const from = "/operator/sign-in/code";
    const code = await operatorCode(service, who);
    const { headers } = await halfway.post(from, { code, next }, { from });
    assert.equal(headers.get("location"), "/operator", next);
  }
});

test("a cookie that was planted before the sign-in opens nothing after it", async () => {
  const who = await makeOperator(service);
  const planted = openTab(service);
  planted.cookie = `windward-operator=${"B".repeat(43)}`;
  await signInOperator(service, who);
  assert.equal((await planted.get("/operator")).status, 303);
});

test("pages are framed by nobody and kept by no cache", async () => {
  for (const path of ["/operator", "/operator/sign-in", "/operator/audit", "/operator/me"]) {
    const { headers } = await (path.endsWith("sign-in") ? openTab(service) : tab).get(path);
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, path);
    assert.equal(headers.get("x-frame-options"), "DENY", path);
    assert.equal(headers.get("cache-control"), "no-store", path);
  }
});

test("what was said to one person is not shown to another", async () => {
  const shop = await openShop(service);
  const answer = await act(tab, "freeze-account", { account_number: shop.accountNumber });
  assert.match(await saidAfter(tab, answer), /is suspended/);
  const other = await signInOperator(service, await makeOperator(service));
  const { text } = await other.get(answer.headers.get("location") ?? "");
  assert.doesNotMatch(text, /class="lines">[^<]*is suspended/);
});

test("a link that is shown once is kept nowhere", async () => {
  const shop = await openShop(service);
  const answer = await act(tab, "reset-password", { account: shop.accountNumber });
  assert.equal(answer.status, 200);
  const [, token = ""] = /\/reset\/([\w-]{43})/.exec(answer.text) ?? [];
  assert.notEqual(token, "");
  const { kept } = await service.ctx.db.one<{ kept: string }>(sql`
    select string_agg(said, ' ') as kept from operator_forms`);
  assert.doesNotMatch(kept, new RegExp(token));
});

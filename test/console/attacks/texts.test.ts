/**
 * What somebody typed, sent or answered is shown as text: on no page of the console and in no mail
 * does it become an element, an attribute, the target of a link, or a formula of a spreadsheet.
 * Every stored text has a name, and must have been on a page, or the test would try nothing.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { consoleRoutes } from "../../../src/console/routes.ts";
import { hiddenOf, openTab, signInTo } from "../../../testkit/console.ts";
import { openFullShop, pathWith } from "../../../testkit/full-shop.ts";
import { tagsIn } from "../../../testkit/html-tags.ts";
import { sendMails } from "../../../testkit/mails.ts";
import { NASTY, nastyTexts } from "../../../testkit/nasty-texts.ts";
import { startService } from "../../../testkit/service.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

const { seen, typed, nasty, expectText, expectPage } = nastyTexts();

const shop = await openFullShop(service, nasty);
const { tab } = shop;

test("the eye of this test sees what a browser would", () => {
  const bad = [
    `<p>${NASTY}</p>`,
    `<p title="${NASTY}">x</p>`,
    `<p title='${NASTY}'>x</p>`,
    "<p zq-a>x</p>",
    `<p title=${NASTY.slice(2)}>x</p>`,
    `<title>${NASTY}</title>`,
    `<textarea>${NASTY}</textarea>`,
    `<!-- ${NASTY} -->`,
    `<script src="/assets/x.js">${NASTY}</script>`,
    '<a href="javascript:zq-x()">x</a>',
    '<a href="//zq-x.example">x</a>',
    '<p onclick="x">x</p>',
    '<p style="x">x</p>',
    "<script>x</script>",
  ];
  for (const page of bad) assert.throws(() => expectText(page, ""), assert.AssertionError, page);
  const good = [
    "<p>&lt;zq-e&gt;</p>",
    `<p title="&quot;&#39;&gt;&lt;zq-e zq-a=1&gt;">x</p>`,
    '<title>"\'<zq-e zq-a></title><a href="/console?q=zq-x">x</a>',
    "<!-- <zq-e> --><p>1 < 2</p>",
  ];
  for (const page of good) expectText(page, page);
});

test("every page shows it as text, to its owner", async () => {
  const pages = consoleRoutes.filter(({ method, path }) => method === "GET" && !/live$/.test(path));
  for (const { path } of pages) expectPage(await tab.get(pathWith(shop, path)), path, [200, 303]);
  for (const more of ["?days=7", "?days=90"]) expectPage(await tab.get(`/console${more}`), more);
});

test("and to those of other roles", async () => {
  for (const role of ["support", "developer", "finance", "viewer", "admin"] as const) {
    const other = await signInTo(service, shop.members[role]);
    for (const path of ["/console", "/console/payments", "/console/payments/{transaction_id}"])
      expectPage(await other.get(pathWith(shop, path)), `${role} ${path}`, [200, 303]);
  }
});

describe("what stands in the address", () => {
  const value = encodeURIComponent(nasty("query_text"));
  const names = ["q", "status", "currency", "from", "until", "page", "done", "next", "path", "id"];
  for (const path of [
    ...["/console", "/console/payments", "/console/balance", "/console/balance/statement"],
    ...["/console/withdrawals", "/console/cards", "/console/developers/keys"],
    ...["/console/developers/requests", "/console/developers/events", "/console/prove"],
  ])
    test(`of ${path} is text`, async () => {
      for (const name of names)
        expectPage(await tab.get(`${path}?${name}=${value}`), name, [200, 303, 400, 404, 422]);
    });

  test("of pages without a session, and of pages that are not there", async () => {
    const open = openTab(service);
    for (const path of ["/sign-in?next=", "/sign-in?done=", "/forgot?", "/invite/", "/reset/"])
      expectPage(await open.get(path + value), path, [200, 400, 404]);
    for (const path of ["/console/payments/", "/console/nothing/", "/console/cards/"])
      expectPage(await tab.get(path + value), path, [404]);
  });
});

test("a form that is refused comes back with what was typed as text", async () => {
  const long = nasty("typed").repeat(4);
  const fields = [
    ...["name", "email", "url", "description", "amount", "reason", "currency", "data"],
    ...["bank_name", "bank_account", "name_in_bank", "beneficiary_name", "recipient_name"],
    ...["id_number", "phone", "allowed_cidrs", "expires_at", "code", "role", "limit_TTD"],
    ...["overlap_seconds", "account_number", "query", "from", "until", "old_password"],
  ];
  const form = Object.fromEntries(fields.map((name) => [name, long]));
  const hidden = hiddenOf(await tab.get("/console/developers/keys/new"));
  const skipped = /sign-out|end$|end-others|prove|password|environment$|account$|remove$|rotate$/;
  for (const { method, path } of consoleRoutes) {
    if (method !== "POST" || skipped.test(path)) continue;
    const answer = await service.request(pathWith(shop, path), {
      method,
      form: { ...form, ...hidden },
      headers: { cookie: tab.cookie, origin: service.url },
    });
    assert.ok(answer.status < 500, `${path} → ${answer.status}`);
    expectText(answer.text, path);
  }
  const open = openTab(service);
  const wrong = { email: nasty("sign_in_email"), password: "x", next: long };
  expectPage(await open.post("/sign-in", wrong, { from: "/sign-in" }), "sign-in", [401]);
  expectPage(await open.post("/forgot", wrong, { from: "/forgot" }), "forgot", [422]);
});

test("an uploaded list with it says what is wrong in text", async () => {
  const text = `withdrawal_type,currency,${nasty("column")}\n${nasty("cell")},TTD,1\n`;
  const from = "/console/withdrawals/payees";
  expectPage(await tab.upload(from, { field: "file", text }, { from }), "payees", [422]);
});

test("mails have it as text, and no line of their head is made of it", async () => {
  const members = "/console/settings/members";
  const email = "invited@example.com";
  const invited = await tab.post(members, { email, role: "viewer" }, { from: members });
  assert.equal(invited.status, 303);
  const made = { name: nasty("new_key").slice(0, 60), "svc-user-retrieve": "yes" };
  const newKey = "/console/developers/keys/new";
  await tab.post(newKey, made, { from: newKey });
  await openTab(service).post(
    "/sign-in",
    { email: shop.members.viewer.email, password: PASSWORD },
    { from: "/sign-in", headers: { "user-agent": nasty("new_browser") } },
  );
  await sendMails(service.ctx);
  const { body } = await service.request("/dev/mail.json");
  assert.ok(body.length >= 3);
  for (const { subject, html, text } of body) {
    assert.doesNotMatch(subject, /[\r\n]/);
    for (const { name, attributes } of tagsIn(html)) {
      assert.ok(!name.includes("zq"), `<${name}> in "${subject}"`);
      for (const [key, value] of attributes) {
        assert.ok(!/zq|^on/.test(key), `<${name} ${key}> in "${subject}"`);
        if (key === "href") assert.ok(value.startsWith(service.ctx.config.http.publicUrl), value);
      }
    }
    for (const [, field = ""] of `${html}${text}`.matchAll(/zq-(\w+)\./g)) seen.add(field);
  }
  expectText((await openTab(service).get("/dev/mail")).text, "/dev/mail");
  const link = body.find((mail: { to: string }) => mail.to === email);
  const { pathname } = new URL(/https?:\S+\/invite\/\S+/.exec(link.text)?.[0] ?? "");
  expectPage(await openTab(service).get(pathname), "the invitation's page");
});

test("every text that was stored has been on a page", () => {
  // One is searched for and not shown; of a list that is refused, lines are told by their number.
  const onNone = new Set(["logged_order", "column", "cell"]);
  const unseen = [...typed].filter((field) => !seen.has(field) && !onNone.has(field));
  assert.deepEqual(unseen, []);
});

test("in files for spreadsheets it is no formula", async () => {
  const formulas = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", " =1", "\u00a0=1", "＝1"];
  let turn = 0;
  const formula = (field: string) => `${formulas[turn++ % formulas.length]} ${field}`;
  const sheet = await openFullShop(service, formula);
  for (const path of ["/console/payments.csv", "/console/balance/statement.csv"]) {
    const { status, text } = await sheet.tab.get(path);
    assert.equal(status, 200);
    const cells = [...text.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? "",
    );
    assert.ok(cells.length > 10);
    for (const cell of cells)
      assert.ok(!/^[\s\p{Z}]*[=+\-@＝](?![\d.]+$)/u.test(cell), `${path}: ${JSON.stringify(cell)}`);
  }
});

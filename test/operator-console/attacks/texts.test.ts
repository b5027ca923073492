/**
 * What merchants, customers, receivers and operators wrote is shown as text on every page of
 * `/operator`, and is no formula in its CSV. Each text has a name, and those that pages show must
 * have been on one, or the test would try nothing.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { operatorRoutes } from "../../../src/operator-console/routes.ts";
import { openTab } from "../../../testkit/console.ts";
import { nastyTexts } from "../../../testkit/nasty-texts.ts";
import { ACTION_ACCESS } from "../../../testkit/operator-access.ts";
import { act, makeOperator, signInOperator } from "../../../testkit/operator-console.ts";
import { startService } from "../../../testkit/service.ts";
import { openFullConsole } from "./full-console.ts";

const service = await startService();
after(() => service.stop());

const { seen, nasty, expectText, expectPage } = nastyTexts();
const { shop, tab, pathWith } = await openFullConsole(service, nasty);

test("every page shows it as text", async () => {
  for (const { method, path } of operatorRoutes)
    if (method === "GET") expectPage(await tab.get(pathWith(path)), path, [200, 303]);
  for (const path of await furtherPages()) expectPage(await tab.get(path), path);
});

/** Further records, and searches that find them by what is nasty about them. */
async function furtherPages(): Promise<string[]> {
  const orders = await service.ctx.db.rows<{ id: string; order: string }>(sql`
    select transaction_id as id, order_id as "order" from transactions
    where account_number = ${shop.owner.accountNumber}`);
  const held = await service.ctx.db.rows<{ id: string }>(sql`
    select transaction_id as id from withdrawals`);
  return [
    ...orders.map(({ id }) => `/operator/payments/${id}`),
    ...orders.map(({ order }) => `/operator?q=${encodeURIComponent(order)}`),
    ...held.map(({ id }) => `/operator/withdrawals/${id}`),
    `/operator?q=${shop.owner.accountNumber}`,
    `/operator?q=${encodeURIComponent(nasty("nothing_found"))}`,
    `/operator/webhooks?account=${shop.owner.accountNumber}`,
    "/operator/withdrawals?environment=sandbox",
  ];
}

test("what stands in the address is text", async () => {
  const value = encodeURIComponent(nasty("query_text"));
  const names = ["q", "account", "actor", "action", "subject", "order", "email", "why", "said"];
  for (const { method, path } of operatorRoutes.filter(({ method }) => method === "GET"))
    for (const name of names)
      expectPage(await tab.get(`${pathWith(path)}?${name}=${value}`), `${method} ${path}`, [
        ...[200, 303, 400],
      ]);
  for (const path of ["/operator/sign-in?next=", "/operator/password/", "/operator/nothing/"])
    expectPage(await openTab(service).get(path + value), path, [200, 404]);
});

test("a form that is refused comes back with what was typed as text", async () => {
  const typed = nasty("typed").repeat(4);
  for (const command of ACTION_ACCESS.keys()) {
    const page = await tab.get(`/operator/actions/${command}`);
    const names = [...page.text.matchAll(/<(?:input|textarea)[^>]*? name="(\w+)"/g)];
    const fields = Object.fromEntries(
      names.flatMap(([, name = ""]) => (/csrf|key/.test(name) ? [] : [[name, typed]])),
    );
    const { status, text } = await act(tab, command, fields, nasty("refused_why"));
    assert.ok(status >= 400 && status < 500, `${command} → ${status}`);
    expectText(text, command);
  }
});

test("an uploaded file with it says what is wrong in text", async () => {
  for (const command of ["import-settlement", "read-bank-status"]) {
    const path = `/operator/uploads/${command}`;
    const form = { why: "x" };
    const text = `<a>${nasty("cell")}</a>\n${nasty("second")},1\n`;
    const answer = await tab.upload(path, { field: "file", text }, { from: path, form });
    assert.ok(answer.status >= 400 && answer.status < 500, `${command} → ${answer.status}`);
    expectText(answer.text, command);
  }
});

test("texts of each of them have been on a page", () => {
  const expected = [
    ...["first_name", "last_name", "order_id", "message", "endpoint_url", "bank_name"],
    ...["name_in_bank", "path", "user_agent", "response_body", "query"],
    ...["by", "why", "told", "asked_why", "operator_browser", "operator_passkey"],
    ...["query_text", "typed", "refused_why"],
  ];
  assert.deepEqual(
    expected.filter((field) => !seen.has(field)),
    [],
  );
});

test("in the audit log's CSV it is no formula", async () => {
  const { db } = service.ctx;
  const formulas = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", " =1", "\u00a0=1", "＝1"];
  for (const formula of formulas)
    await db.run(sql`
      insert into audit_entries (action, actor, detail)
      values ('formula', ${formula}, ${JSON.stringify({ why: formula })}::jsonb)`);
  const auditor = await signInOperator(service, await makeOperator(service, "risk"));
  const { text } = await auditor.post(
    "/operator/audit/export",
    { why: "x" },
    { from: "/operator/audit/export" },
  );
  const cells = [...text.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  assert.ok(cells.includes("'=1+1"));
  for (const cell of cells)
    assert.ok(!/^[\s\p{Z}]*[=+\-@＝](?![\d.]+$)/u.test(cell), JSON.stringify(cell));
});

/**
 * What `/operator` shows once or to one person is shown to nobody else, and a sign-in leads to no
 * other site.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Tab } from "../../../testkit/console.ts";
import {
  act,
  giveOperatorPassword,
  makeOperator,
  operatorCode,
  saidAfter,
  signInOperator,
} from "../../../testkit/operator-console.ts";
import { startService } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";

const service = await startService();
after(() => service.stop());
let tab: Tab;
before(async () => {
  tab = await signInOperator(service, await makeOperator(service));
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

test("what was said to one person is not shown to another", async () => {
  const shop = await openShop(service);
  const answer = await act(tab, "freeze-account", { account_number: shop.accountNumber });
  assert.match(await saidAfter(tab, answer), /is frozen/);
  const other = await signInOperator(service, await makeOperator(service));
  const { text } = await other.get(answer.headers.get("location") ?? "");
  assert.doesNotMatch(text, /class="lines">[^<]*is frozen/);
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

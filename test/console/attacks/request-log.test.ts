/**
 * Nothing that a browser posts to the console's pages gets into an account's request log, whatever
 * account number the form names: a stranger could fill it, and the forms carry their tokens.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { makeMember, openTab, signInTo } from "../../../testkit/console.ts";
import { minimal, PATH } from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

async function loggedPaths(accountNumber: string): Promise<string[]> {
  await service.ctx.requestLog.flush();
  const rows = await service.ctx.db.rows<{ path: string }>(sql`
    select path from logged_requests where account_number = ${accountNumber} order by path`);
  return rows.map(({ path }) => path);
}

test("posts of the console that name an account are not in its log", async () => {
  const shop = await service.world.merchant();
  const stranger = await service.world.merchant();
  const { accountNumber: account_number } = shop;
  const member = await makeMember(service, account_number, "viewer");
  const tabs = [await signInTo(service, member), await signInTo(service, shop)];
  for (const tab of tabs) {
    assert.equal((await tab.post("/console/account", { account_number })).status, 303);
    await tab.post("/console/settings/security/close", { account_number: "1000000000" });
  }
  const outside = { email: stranger.email, password: PASSWORD, account_number };
  assert.equal(
    (await openTab(service).post("/sign-in", outside, { from: "/sign-in" })).status,
    303,
  );
  const wrong = { ...outside, password: "a wrong password" };
  assert.equal((await openTab(service).post("/sign-in", wrong, { from: "/sign-in" })).status, 401);
  await openTab(service).post("/forgot", outside, { from: "/forgot" });
  await openTab(service).get(`/sign-in?account_number=${account_number}`);
  assert.deepEqual(await loggedPaths(account_number), []);
});

test("a payment request that names it is, refused or not", async () => {
  const { accountNumber } = await service.world.merchant();
  const json = minimal(accountNumber, { total: "nothing" });
  await service.request(PATH, { method: "POST", json });
  assert.deepEqual(await loggedPaths(accountNumber), [PATH]);
});

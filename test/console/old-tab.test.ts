/**
 * A page in an old tab does nothing once the session acts for another account or environment, and
 * what is the person's own can still be done there (Decision 0085).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { addMember } from "../../src/modules/people/add-member.ts";
import { findHolder, NOBODY } from "../../src/modules/people/person.ts";
import { hiddenOf, signInTo, type Tab } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const ENDPOINTS = "/console/developers/webhooks";
const endpoint = { url: "https://shop.example.com/hook", description: "x", event_types: "*" };

async function post(tab: Tab, path: string, form: Record<string, string>) {
  return service.request(path, {
    method: "POST",
    form,
    headers: { cookie: tab.cookie, origin: service.url },
  });
}

test("a form of the sandbox does nothing in live", async () => {
  const tab = await signInTo(service, await service.world.merchant());
  const old = hiddenOf(await tab.get(`${ENDPOINTS}/new`));
  await tab.post("/console/environment", { environment: "live" });
  const answer = await post(tab, `${ENDPOINTS}/new`, { ...old, ...endpoint });
  assert.equal(answer.status, 409, answer.text);
  assert.match(answer.text, /made for another account or environment. Nothing was changed/);
  assert.doesNotMatch((await tab.get(ENDPOINTS)).text, /shop\.example\.com/);
});

test("a form of one account does nothing in another, and signing out works all the same", async () => {
  const [shop, other] = [await service.world.merchant(), await service.world.merchant()];
  await service.ctx.db.transaction(async (tx) => {
    const { personId = NOBODY } = (await findHolder(tx, shop.accountNumber)) ?? {};
    await addMember(tx, { accountNumber: other.accountNumber, personId, role: "owner" });
  });
  const tab = await signInTo(service, shop);
  const old = hiddenOf(await tab.get("/console/settings/members"));
  await tab.post("/console/account", { account_number: other.accountNumber });
  const invited = { email: "somebody@example.com", role: "viewer" };
  const answer = await post(tab, "/console/settings/members", { ...old, ...invited });
  assert.equal(answer.status, 409, answer.text);
  assert.doesNotMatch((await tab.get("/console/settings/members")).text, /somebody@example/);
  assert.equal((await post(tab, "/console/sign-out", old)).status, 303);
  assert.equal((await tab.get("/console")).headers.get("location"), "/sign-in");
});

test("what a page says it was made for is worth nothing without its token", async () => {
  const tab = await signInTo(service, await service.world.merchant());
  const [, madeFor = ""] =
    /^[^.]+(\..+)$/.exec(hiddenOf(await tab.get("/console")).csrf_token ?? "") ?? [];
  assert.match(madeFor, /^\.\d{10}\.sandbox$/);
  const answer = await post(tab, `${ENDPOINTS}/new`, { ...endpoint, csrf_token: madeFor });
  assert.equal(answer.status, 403);
});

/**
 * API keys made in the console carry what their maker's role may and no more, are shown once and
 * kept nowhere, and end when they are revoked (Decisions 0012, 0085).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { hiddenOf, makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { sendMails } from "../../testkit/mails.ts";
import { dumpTables } from "../../testkit/secrets-search.ts";
import { startService } from "../../testkit/service.ts";
import type { Person } from "../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

const KEYS = "/console/developers/keys";
const NEW = `${KEYS}/new`;

async function shopWith(role: "owner" | "developer" | "admin" | "viewer") {
  const shop = await service.world.merchant();
  const who = role === "owner" ? shop : await makeMember(service, shop.accountNumber, role);
  return { shop, tab: await signInTo(service, who) };
}

/** Fills in the form and sends it; gives the key that the answer shows. */
async function makeKey(tab: Tab, form: Record<string, string>) {
  const sent = { ...hiddenOf(await tab.get(NEW)), ...form };
  const answer = await tab.post(NEW, sent, { from: NEW });
  const [key = ""] = /svc_(?:test|live)_[0-9a-f]{18}_[0-9a-f]{64}/.exec(answer.text) ?? [];
  return { answer, sent, key, kid: key.split("_")[2] ?? "" };
}

const goLive = (tab: Tab) => tab.post("/console/environment", { environment: "live" });

test("a key without a permission is refused in words of the form", async () => {
  const { tab } = await shopWith("owner");
  const { answer } = await makeKey(tab, { name: "Nothing" });
  assert.equal(answer.status, 400);
  assert.match(answer.text, /Choose at least one permission\./);
});

test("a key made here works with exactly its scopes, until it is revoked", async () => {
  const { tab } = await shopWith("owner");
  const form = { name: "Web shop", "svc-transactions-retrieve": "yes" };
  const { answer, key, kid } = await makeKey(tab, form);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const whoami = await service.request("/auth/whoami", { key });
  assert.equal(whoami.status, 200);
  assert.deepEqual(whoami.body.data.scopes, ["svc-transactions-retrieve"]);
  assert.equal((await service.request("/events", { key })).status, 403);
  const list = await tab.get(KEYS);
  assert.match(list.text, /Web shop/);
  assert.match(list.text, new RegExp(kid));
  const revoked = await tab.post(`${KEYS}/${kid}/revoke`, {}, { from: `${KEYS}/${kid}` });
  assert.equal(revoked.headers.get("location"), `${KEYS}/${kid}?done=key_revoked`);
  assert.equal((await service.request("/auth/whoami", { key })).status, 401);
  assert.match((await tab.get(`${KEYS}/${kid}`)).text, /Revoked/);
});

test("a form that is sent twice makes one key, and shows it once", async () => {
  const { shop, tab } = await shopWith("owner");
  const { sent, key, kid } = await makeKey(tab, { name: "Once", "svc-user-retrieve": "yes" });
  const again = await tab.post(NEW, sent, { from: NEW });
  assert.equal(again.status, 303);
  assert.equal(again.headers.get("location"), `${KEYS}/${kid}?done=key`);
  const other = await tab.post(NEW, { ...sent, name: "Another" }, { from: NEW });
  assert.equal(other.status, 409);
  const { access_token: token } = await shop.signIn();
  const { body } = await service.request("/auth/keys", { token });
  assert.equal(body.meta.total, 1);
  await service.ctx.requestLog.flush();
  const secret = key.split("_")[3] ?? "none";
  assert.equal(secret.length, 64);
  const kept = [...service.logged, ...(await dumpTables(service.ctx.db))];
  assert.deepEqual(
    kept.filter((line) => line.includes(secret)),
    [],
  );
  assert.ok(!(await tab.get(`${KEYS}/${kid}`)).text.includes(secret));
});

test("two clicks at once make one key", async () => {
  const { tab } = await shopWith("owner");
  const page = await tab.get(NEW);
  const form = { ...hiddenOf(page), "svc-user-retrieve": "yes" };
  const answers = await Promise.all([1, 2].map(() => tab.post(NEW, form, { from: NEW })));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 303]);
});

test("a developer's live key carries no more than the role does in live", async () => {
  const { shop, tab } = await shopWith("developer");
  const wide = { "svc-withdrawals-all": "yes" };
  assert.equal((await makeKey(tab, wide)).answer.status, 200, "in the sandbox it may");
  await goLive(tab);
  const form = await tab.get(NEW);
  assert.doesNotMatch(form.text, /svc-withdrawals/);
  const refused = await makeKey(tab, wide);
  assert.equal(refused.answer.status, 403);
  assert.equal(refused.key, "");
  const made = await makeKey(tab, { "svc-transactions-retrieve": "yes" });
  assert.match(made.key, /^svc_live_/);
  assert.deepEqual(await keyRecords(shop, made.kid), ["svc-transactions-retrieve"]);
});

async function keyRecords(shop: Person, kid: string): Promise<unknown> {
  const { access_token: token } = await shop.signIn();
  return (await service.request(`/auth/keys/${kid}`, { token })).body.data.scopes;
}

test("a live key is out of reach of a session in the sandbox, whose role holds more", async () => {
  const { shop, tab } = await shopWith("developer");
  const { key, kid } = await mintKey(service.ctx, shop, ["svc-withdrawals-all"], {
    prefix: "live",
  });
  for (const path of ["", "/rotate", "/revoke"])
    assert.equal((await tab.get(`${KEYS}/${kid}${path}`)).status, 404);
  const inSandbox = await tab.post(`${KEYS}/${kid}/rotate`, { overlap_seconds: "0" });
  assert.equal(inSandbox.status, 404);
  await goLive(tab);
  const page = await tab.get(`${KEYS}/${kid}`);
  assert.match(page.text, /may do more than your role/);
  const from = `${KEYS}/${kid}/rotate`;
  const rotated = await tab.post(from, { overlap_seconds: "0" }, { from });
  assert.equal(rotated.status, 403);
  assert.equal((await tab.post(`${KEYS}/${kid}/revoke`)).status, 403);
  assert.equal((await service.request("/auth/whoami", { key })).status, 200);
});

test("a replaced key goes on for the time that was chosen", async () => {
  const { tab } = await shopWith("admin");
  const old = await makeKey(tab, { name: "Shop", "svc-user-retrieve": "yes" });
  const page = await tab.get(`${KEYS}/${old.kid}/rotate`);
  const form = { ...hiddenOf(page), overlap_seconds: "3600" };
  const answer = await tab.post(`${KEYS}/${old.kid}/rotate`, form);
  assert.equal(answer.status, 200, answer.text);
  const [key = ""] = /svc_test_[0-9a-f]{18}_[0-9a-f]{64}/.exec(answer.text) ?? [];
  assert.equal((await service.request("/auth/whoami", { key })).status, 200);
  assert.equal((await service.request("/auth/whoami", { key: old.key })).status, 200);
  const again = await tab.post(`${KEYS}/${old.kid}/rotate`, form);
  assert.equal(again.status, 303);
  await service.clock.advance({ minutes: 61 });
  assert.equal((await service.request("/auth/whoami", { key: old.key })).status, 401);
  assert.equal((await service.request("/auth/whoami", { key })).status, 200);
});

test("addresses and the last day are changed, and refusals stand at their fields", async () => {
  const { tab } = await shopWith("owner");
  const { kid, key } = await makeKey(tab, { name: "Shop", "svc-user-retrieve": "yes" });
  const change = (form: Record<string, string>) =>
    tab.post(`${KEYS}/${kid}`, { name: "Shop", allowed_cidrs: "", expires_at: "", ...form });
  const wrong = await change({ allowed_cidrs: "not an address" });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /<textarea[^>]*aria-invalid="true"[^>]*>\s*not an address/);
  const past = await change({ expires_at: "2020-01-01" });
  assert.match(past.text, /must be in the future/);
  const done = await change({ allowed_cidrs: "203.0.113.0/24\n198.51.100.7" });
  assert.equal(done.status, 303);
  assert.match((await tab.get(`${KEYS}/${kid}`)).text, /198\.51\.100\.7\/32/);
  assert.equal((await service.request("/auth/whoami", { key })).status, 401);
  assert.equal((await change({})).status, 303);
  assert.equal((await service.request("/auth/whoami", { key })).status, 200);
});

test("owners are told of a new key, made here or by the API", async () => {
  const { shop, tab } = await shopWith("developer");
  const { kid } = await makeKey(tab, { name: "<b>Shop</b>", "svc-user-retrieve": "yes" });
  const { kid: byApi } = await shop.makeKey("svc-user-retrieve");
  await sendMails(service.ctx);
  const { body } = await service.request("/dev/mail.json");
  const mails: { to: string; subject: string; text: string; html: string }[] = body;
  const told = mails.filter(({ subject }) => subject === "A new API key");
  const mine = told.filter(({ to }) => to === shop.email);
  assert.equal(mine.length, 2);
  assert.ok(mine.some(({ text }) => text.includes(byApi) && text.includes("A program")));
  const console = mine.find(({ text }) => text.includes(kid));
  assert.match(console?.text ?? "", /A developer/);
  assert.doesNotMatch(console?.html ?? "", /<b>Shop/);
});

test("only roles with keys have the page, other accounts' keys are not there", async () => {
  const { tab: viewer } = await shopWith("viewer");
  assert.equal((await viewer.get(KEYS)).status, 404);
  const personal = await signInTo(service, await service.world.person());
  assert.equal((await personal.get(KEYS)).status, 404);
  assert.equal(
    (await personal.get("/console/developers")).headers.get("location"),
    "/console/developers/webhooks",
  );
  const { tab } = await shopWith("owner");
  const { kid } = await makeKey(tab, { "svc-user-retrieve": "yes" });
  const { tab: other } = await shopWith("owner");
  assert.equal((await other.get(`${KEYS}/${kid}`)).status, 404);
  assert.equal((await other.post(`${KEYS}/${kid}/revoke`)).status, 404);
});

test("a stale proof is asked for before a key is made, and a name is text", async () => {
  const { tab } = await shopWith("owner");
  const hostile = `<img src=x onerror=alert(1)>"'`;
  const made = await makeKey(tab, { name: hostile, "svc-user-retrieve": "yes" });
  assert.equal(made.answer.status, 200);
  for (const path of [KEYS, `${KEYS}/${made.kid}`])
    assert.doesNotMatch((await tab.get(path)).text, /<img/);
  await service.clock.advance({ minutes: 6 });
  const form = await tab.get(NEW);
  assert.equal(
    form.headers.get("location"),
    "/console/prove?next=%2Fconsole%2Fdevelopers%2Fkeys%2Fnew",
  );
  const post = await tab.post(NEW, made.sent, { from: KEYS });
  assert.match(post.headers.get("location") ?? "", /^\/console\/prove/);
});

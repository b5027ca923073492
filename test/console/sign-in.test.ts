/**
 * Only the right person gets a session, guessing is limited alike for everybody, and a session ends
 * when it should (Decision 0085).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { makeMember, openTab, signInTo } from "../../testkit/console.ts";
import { startService, type TestAnswer } from "../../testkit/service.ts";
import { PASSWORD } from "../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

const HOME = "/console";

async function attempt(email: string, password: string, headers: Record<string, string> = {}) {
  return openTab(service).post("/sign-in", { email, password }, { from: "/sign-in", headers });
}

/** A busy machine hashes a few passwords at once and turns others away: those come again. */
async function untilJudged(attempt: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (;;) {
    const answer = await attempt();
    if (answer.status !== 503) return answer;
  }
}

test("a holder and a member sign in and see their account", async () => {
  const shop = await service.world.merchant();
  const member = await makeMember(service, shop.accountNumber, "viewer");
  for (const { email } of [shop, member]) {
    const home = await (await signInTo(service, { email })).get(HOME);
    assert.equal(home.status, 200);
    assert.match(home.text, /<h1>Home<\/h1>/);
    assert.match(home.text, /Sandbox: no real money moves here/);
  }
});

test("nobody signed in is led to the sign-in and back, and never to another site", async () => {
  const tab = openTab(service);
  const turned = await tab.get("/console/payments?status=success");
  assert.equal(turned.status, 303);
  const location = turned.headers.get("location") ?? "";
  assert.equal(location, "/sign-in?next=%2Fconsole%2Fpayments%3Fstatus%3Dsuccess");
  const shop = await service.world.merchant();
  const next = async (to: string) => {
    const form = { email: shop.email, password: PASSWORD, next: to };
    const answer = await openTab(service).post("/sign-in", form, { from: "/sign-in" });
    return answer.headers.get("location");
  };
  assert.equal(await next("/console/payments"), "/console/payments");
  for (const hostile of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/console\\@x",
  ])
    assert.equal(await next(hostile), HOME, hostile);
});

test("a wrong password and an unknown e-mail read the same", async () => {
  const shop = await service.world.merchant();
  const wrong = await attempt(shop.email, "not this one");
  const unknown = await attempt("nobody@example.com", "not this one");
  assert.equal(wrong.status, 401);
  assert.equal(
    wrong.text.replaceAll(shop.email, ""),
    unknown.text.replaceAll("nobody@example.com", ""),
  );
  assert.match(wrong.text, /The e-mail or the password is not right\./);
});

for (const who of ["somebody", "nobody"])
  test(`the eleventh guess at ${who}'s e-mail waits, even with the right password`, async () => {
    const shop = await service.world.merchant();
    const email = who === "somebody" ? shop.email : `nobody-${shop.accountNumber}@example.com`;
    const guesses = await Promise.all(
      Array.from({ length: 14 }, (_, i) => untilJudged(() => attempt(email, `wrong ${i}xxxx`))),
    );
    const refused = guesses.filter(({ status }) => status === 429);
    assert.equal(guesses.filter(({ status }) => status === 401).length + refused.length, 14);
    assert.ok(refused.length >= 4, `${refused.length} of 14 were refused`);
    const late = await attempt(email, PASSWORD);
    assert.equal(late.status, 429);
    assert.ok(Number(late.headers.get("retry-after")) > 60);
    await service.clock.advance({ minutes: 16 });
    assert.equal((await attempt(email, PASSWORD)).status, who === "somebody" ? 303 : 401);
  });

test("a session ends after half an hour of rest, after 12 hours, and by signing out", async () => {
  const shop = await service.world.merchant();
  const status = async (tab: { get(path: string): Promise<{ status: number }> }) =>
    (await tab.get(HOME)).status;
  const resting = await signInTo(service, shop);
  await service.clock.advance({ minutes: 29 });
  assert.equal(await status(resting), 200);
  await service.clock.advance({ minutes: 31 });
  assert.equal(await status(resting), 303);
  const busy = await signInTo(service, shop);
  for (let i = 0; i < 25; i++) {
    await service.clock.advance({ minutes: 28 });
    assert.equal(await status(busy), 200, `after ${28 * (i + 1)} minutes`);
  }
  await service.clock.advance({ minutes: 21 });
  assert.equal(await status(busy), 303);
  const stolen = await signInTo(service, shop);
  const { cookie } = stolen;
  assert.equal((await stolen.post("/console/sign-out")).status, 303);
  stolen.cookie = cookie;
  assert.equal(await status(stolen), 303);
});

test("a post from elsewhere changes nothing", async () => {
  const shop = await service.world.merchant();
  const tab = await signInTo(service, shop);
  const other = await signInTo(service, await service.world.merchant());
  const switchTo = { environment: "live" };
  const tries = [
    { form: { csrf_token: "", ...switchTo } },
    { form: { csrf_token: "x".repeat(43), ...switchTo } },
    { form: switchTo, headers: { origin: "https://evil.example" } },
    { form: switchTo, headers: { origin: "null" } },
    { form: switchTo, headers: { "sec-fetch-site": "cross-site" } },
  ];
  for (const { form, headers = {} } of tries) {
    const answer = await tab.post("/console/environment", form, { from: HOME, headers });
    assert.equal(answer.status, 403);
  }
  const mine = /name="csrf_token" value="([^"]+)"/.exec((await other.get(HOME)).text)?.[1] ?? "";
  const crossed = await tab.post("/console/environment", { csrf_token: mine, ...switchTo });
  assert.equal(crossed.status, 403);
  assert.match((await tab.get(HOME)).text, /Sandbox: no real money moves here/);
});

test("a word of the address is one of ours, or says nothing", async () => {
  for (const word of ["constructor", "toString", "__proto__", "x"]) {
    const plain = await service.request("/sign-in");
    const { text } = await service.request(`/sign-in?done=${word}`);
    const shownIn = (page: string) => page.replace(/value="[^"]*"/g, "");
    assert.equal(shownIn(text), shownIn(plain.text), word);
  }
  assert.match((await service.request("/sign-in?done=signed_out")).text, /You are signed out/);
});

test("the cookie is kept as a digest, and pages by no cache and no frame", async () => {
  const shop = await service.world.merchant();
  const tab = await signInTo(service, shop);
  const token = /windward=([\w-]+)/.exec(tab.cookie)?.[1] ?? "";
  assert.equal(Buffer.from(token, "base64url").length, 32);
  const rows = await service.ctx.db.rows(sql`select * from console_sessions`);
  assert.ok(!JSON.stringify(rows).includes(token));
  const { headers } = await tab.get(HOME);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("x-frame-options"), "DENY");
  assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  assert.equal(headers.get("referrer-policy"), "same-origin");
});

/**
 * No page of the console is framed, kept by a cache or read by another site, whatever it answers:
 * pages, files, refusals and redirects. After signing out a browser has nothing left to show.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { consoleRoutes } from "../../../src/console/routes.ts";
import { openTab, signInTo, type Tab } from "../../../testkit/console.ts";
import { openFullShop, pathWith } from "../../../testkit/full-shop.ts";
import { expectGuarded, expectNotKept } from "../../../testkit/guarded-pages.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const shop = await openFullShop(service);
const STREAM = "/console/live";

async function eachPage(tab: Tab, work: (answer: TestAnswer, path: string) => void): Promise<void> {
  for (const { method, path } of consoleRoutes)
    if (method === "GET" && path !== STREAM) work(await tab.get(pathWith(shop, path)), path);
}

test("what is opened by somebody signed in", () =>
  eachPage(shop.tab, (answer, path) => {
    assert.ok([200, 303].includes(answer.status), `${path} → ${answer.status}`);
    expectGuarded(answer, path);
  }));

test("what is refused to another role, and what needs a proof first", async () => {
  await eachPage(await signInTo(service, shop.members.viewer), expectGuarded);
  await service.clock.advance({ minutes: 6 });
  await eachPage(await signInTo(service, shop.owner), expectGuarded);
});

test("pages without a session, and posts that are refused", async () => {
  const tab = await signInTo(service, shop.owner);
  const open = openTab(service);
  await eachPage(open, expectGuarded);
  const token = "A".repeat(43);
  const pages = ["/sign-in", "/forgot", `/invite/${token}`, `/reset/${token}`, "/sign-in/code"];
  for (const path of pages) expectGuarded(await open.get(path), path);
  const wrong = { email: "nobody@example.com", password: "wrong" };
  expectGuarded(await open.post("/sign-in", wrong, { from: "/sign-in" }), "401");
  expectGuarded(await open.post("/forgot", { email: "x" }, { from: "/forgot" }), "422");
  const bad = { headers: { origin: "https://evil.example" } };
  expectGuarded(await tab.post("/console/me/name", { name: "x" }, bad), "403");
  expectGuarded(await tab.post("/console/me/name", { name: "" }), "a form with a problem");
  expectGuarded(await tab.get("/console/payments?amount=much"), "400");
});

test("signing out takes the cookie and what the browser kept", async () => {
  const tab = await signInTo(service, shop.owner);
  const out = await tab.post("/console/sign-out");
  expectNotKept(out, "sign-out");
  assert.equal(out.headers.get("clear-site-data"), '"cache"');
  const [cookie = ""] = out.headers.getSetCookie();
  for (const part of ["windward=;", "Max-Age=0", "HttpOnly", "SameSite=Lax", "Path=/"])
    assert.ok(cookie.includes(part), cookie);
});

test("over TLS the cookie is of this host alone, and goes nowhere in clear", async () => {
  const secure = await startService({ settings: { PUBLIC_URL: "https://pay.example.com" } });
  try {
    const who = await secure.world.merchant();
    const open = openTab({
      url: "https://pay.example.com",
      request: (path, asked = {}) => secure.request(path, asked),
    });
    const form = { email: who.email, password: who.password };
    const answer = await open.post("/sign-in", form, { from: "/sign-in" });
    assert.equal(answer.status, 303, answer.text);
    const lines = answer.headers.getSetCookie();
    assert.equal(lines.length, 2);
    for (const line of lines) {
      assert.match(line, /^__Host-windward(-browser)?=[\w-]{43}; Path=\/; /);
      for (const part of ["HttpOnly", "SameSite=Lax", "Secure"]) assert.ok(line.includes(part));
      assert.doesNotMatch(line, /Domain/i);
    }
    const [session = ""] = lines[0]?.split(";") ?? [];
    const bare = session.replace("__Host-", "");
    const status = async (cookie: string) =>
      (await secure.request("/console/me", { headers: { cookie } })).status;
    assert.equal(await status(session), 200);
    assert.equal(await status(bare), 303, "a cookie that a neighbour could set is not read");
  } finally {
    await secure.stop();
  }
});

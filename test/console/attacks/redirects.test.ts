/**
 * Whatever an address or a form names as the page to go on to, the browser is sent to a page of the
 * console and never to another site, and no header can be put in by it.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { safeNext } from "../../../src/console/answers.ts";
import { hiddenOf, openTab, signInTo } from "../../../testkit/console.ts";
import { goHalfway, setUpApp } from "../../../testkit/second-factors.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

const SITE = "https://pay.example";
const HOSTILE = [
  "https://evil.example",
  "HTTPS://evil.example",
  "https:evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  " //evil.example",
  "\u0000//evil.example",
  "/console\\..\\..\\/evil.example",
  "/console\\@evil.example",
  "/console@evil.example",
  "/console:80@evil.example",
  "/console.evil.example",
  "/console%2f..%2f..%2f%2fevil.example",
  "/console/../..//evil.example",
  "/console/..//evil.example/%2f..",
  "/console\r\nSet-Cookie: windward=x",
  "/console%0d%0aSet-Cookie:%20windward=x",
  "/console/\u0001",
  "/console/\u007f",
  "/console/\u0085",
  "/console/é",
  "/console/…",
  "/console/💸",
  "/console?next=\ud800",
  "javascript:alert(1)",
  "data:text/html,x",
  "/sign-in?next=//evil.example",
  "/reset/abc",
  "console",
  "",
  "?next=//evil.example",
  "@evil.example",
  ".evil.example",
  "/invite.evil.example",
  "/consolé",
];

/** A browser follows it from a page of ours. */
function expectOurs(location: string, from: string): void {
  const to = new URL(location, `${SITE}/sign-in`);
  assert.equal(to.origin, SITE, `${JSON.stringify(from)} leads to ${to}`);
  assert.match(location, /^\/(console|invite|sign-in)(?:[/?]|$)/, from);
  assert.match(location, /^[\x21-\x7e]*$/, `${JSON.stringify(from)} is a header`);
}

test("the page to go on to is one of ours, as browsers read addresses", () => {
  for (const next of HOSTILE) expectOurs(safeNext(next), next);
  for (const next of ["/console", "/console/payments?q=a%20b&x=1", "/invite/abc_-9", "/console/me"])
    assert.equal(safeNext(next), next);
});

/** Where a post leads that names this page; what cannot be read is refused. */
function expectLedHome({ status, headers }: TestAnswer, next: string): void {
  assert.ok(status === 303 || status === 400, `${JSON.stringify(next)} → ${status}`);
  if (status === 303) expectOurs(headers.get("location") ?? "", next);
  assert.doesNotMatch(headers.get("set-cookie") ?? "", /windward=x(?:[;,]|$)/);
}

describe("no form leads to another site", () => {
  test("of the sign-in, in its field or its address", async () => {
    const shop = await service.world.merchant();
    const hidden = hiddenOf(await openTab(service).get("/sign-in"));
    const form = { ...hidden, email: shop.email, password: PASSWORD };
    // One password hash each: those that differ in kind.
    for (const next of ["//evil.example", "/console/é", "/console\r\nSet-Cookie: windward=x"])
      expectLedHome(
        await service.request("/sign-in", {
          method: "POST",
          form: { ...form, next },
          headers: { origin: service.url },
        }),
        next,
      );
    const tab = await signInTo(service, shop);
    for (const next of HOSTILE)
      expectLedHome(await tab.get(`/sign-in?next=${encodeURIComponent(toWellFormed(next))}`), next);
  });

  test("of the second step, the fresh proof and the switch of the environment", async () => {
    const shop = await service.world.merchant();
    const tab = await signInTo(service, shop);
    const hidden = hiddenOf(await tab.get("/console/me"));
    const headers = { origin: service.url, cookie: tab.cookie };
    for (const next of HOSTILE) {
      const form = { ...hidden, environment: "sandbox", next: toWellFormed(next) };
      const sent = { method: "POST", form, headers };
      expectLedHome(await service.request("/console/environment", sent), next);
    }
    for (const next of ["//evil.example", "/console/…"])
      expectLedHome(await tab.post("/console/prove", { password: PASSWORD, next }), next);
    const app = await setUpApp(service, tab);
    const halfway = await goHalfway(service, shop);
    const form = { code: app.code(), next: "//evil.example" };
    const done = await halfway.post("/sign-in/code", form, { from: "/sign-in/code" });
    assert.equal(done.headers.get("location"), "/console");
  });

  test("a page that asks for it puts only a page of ours into its form and its links", async () => {
    const tab = await signInTo(service, await service.world.merchant());
    for (const next of HOSTILE) {
      const query = `next=${encodeURIComponent(toWellFormed(next))}`;
      const pages = [await openTab(service).get(`/sign-in?${query}`)];
      pages.push(await tab.get(`/console/prove?${query}`));
      for (const { status, text } of pages) {
        if (status === 400) continue;
        assert.equal(status, 200);
        const value = /name="next" value="([^"]*)"/.exec(text)?.[1] ?? "/console";
        expectOurs(value.replaceAll("&amp;", "&"), next);
      }
    }
  });

  test("nor does the page that a proof was asked on, by its Referer", async () => {
    const tab = await signInTo(service, await service.world.merchant());
    await service.clock.advance({ minutes: 6 });
    for (const referer of ["https://evil.example//evil.example", `${service.url}//evil.example`]) {
      const answer = await tab.post("/console/developers/keys/new", {}, { headers: { referer } });
      const location = answer.headers.get("location") ?? "";
      const asked = await tab.get(location);
      const value = /name="next" value="([^"]*)"/.exec(asked.text)?.[1] ?? "/console";
      expectOurs(value, referer);
    }
  });
});

/** As a browser sends it. */
function toWellFormed(text: string): string {
  return text.toWellFormed();
}

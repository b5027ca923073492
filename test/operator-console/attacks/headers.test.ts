/**
 * No page of `/operator` is framed, kept by a cache or read by another site, whatever it answers:
 * pages, files, refusals and redirects.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operatorRoutes } from "../../../src/operator-console/routes.ts";
import { openTab, type Tab } from "../../../testkit/console.ts";
import { expectGuarded } from "../../../testkit/guarded-pages.ts";
import { makeOperator, operatorCode, signInOperator } from "../../../testkit/operator-console.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { PASSWORD } from "../../../testkit/world.ts";
import { openFullConsole } from "./full-console.ts";

const service = await startService();
after(() => service.stop());

const { tab, pathWith } = await openFullConsole(service);

async function eachPage(who: Tab, work: (answer: TestAnswer, path: string) => void) {
  for (const { method, path } of operatorRoutes)
    if (method === "GET") work(await who.get(pathWith(path)), path);
}

test("what is opened by an admin", () =>
  eachPage(tab, (answer, path) => {
    assert.ok([200, 303].includes(answer.status), `${path} → ${answer.status}`);
    expectGuarded(answer, path);
  }));

test("what is refused to another role, and to nobody signed in", async () => {
  await eachPage(
    await signInOperator(service, await makeOperator(service, "support")),
    expectGuarded,
  );
  await eachPage(openTab(service), expectGuarded);
});

test("pages without a session, refused posts, and files", async () => {
  const open = openTab(service);
  const token = "A".repeat(43);
  for (const path of ["sign-in", "sign-in/code", "set-up", `password/${token}`, "nothing"])
    expectGuarded(await open.get(`/operator/${path}`), path);
  const from = "/operator/sign-in";
  expectGuarded(await open.post(from, { email: "x@y.example", password: "z" }, { from }), "401");
  const evil = { from: "/operator/me", headers: { origin: "https://evil.example" } };
  expectGuarded(await tab.post("/operator/sign-out", {}, evil), "403");
  const freeze = "/operator/actions/freeze-account";
  expectGuarded(await tab.post(freeze, { why: "x" }, { from: freeze }), "no key");
  const file = pathWith("/operator/bank-files/{batch}");
  const down = await tab.post(file, { why: "x" }, { from: file });
  assert.match(down.headers.get("content-type") ?? "", /^application\/xml/);
  expectGuarded(down, "a bank file");
});

test("over TLS the cookie is of this host alone, and goes nowhere in clear", async () => {
  const url = "https://pay.example.com";
  const secure = await startService({ settings: { PUBLIC_URL: url } });
  try {
    const who = await makeOperator(secure);
    const open = openTab({ url, request: (path, asked = {}) => secure.request(path, asked) });
    const from = "/operator/sign-in";
    await open.post(from, { email: who.email, password: PASSWORD }, { from });
    const code = await operatorCode(secure, who);
    const done = await open.post(`${from}/code`, { code }, { from: `${from}/code` });
    const [line = ""] = done.headers.getSetCookie();
    assert.match(line, /^__Host-windward-operator=[\w-]{43}; Path=\/; /);
    for (const part of ["HttpOnly", "SameSite=Lax", "Secure"]) assert.ok(line.includes(part), line);
    assert.doesNotMatch(line, /Domain/i);
    const [session = ""] = line.split(";");
    const status = async (cookie: string) =>
      (await secure.request("/operator/me", { headers: { cookie } })).status;
    assert.equal(await status(session), 200);
    const bare = session.replace("__Host-", "");
    assert.equal(await status(bare), 303, "a cookie that a neighbour could set is not read");
  } finally {
    await secure.stop();
  }
});

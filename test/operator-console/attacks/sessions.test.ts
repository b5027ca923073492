/**
 * A session of `/operator` is its person's own: no cookie from before the sign-in becomes one, one
 * that ended is dead on every process, one that is halfway opens nothing, and what it may do is
 * what the person may do now. That sessions end with time is proven in `sign-in.test.ts`.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { newToken } from "../../../src/modules/people/random-token.ts";
import { hiddenOf, openTab, type Tab } from "../../../testkit/console.ts";
import { operatorJson, SIGNED } from "../../../testkit/operator.ts";
import {
  act,
  giveOperatorPassword,
  makeOperator,
  operatorCode,
  signInOperator,
} from "../../../testkit/operator-console.ts";
import type { TestService } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const { service, sibling } = await startTwoServices();
await makeOperator(service);

const SIGN_IN = "/operator/sign-in";
const CODE = `${SIGN_IN}/code`;
const sessionIn = ({ cookie }: Pick<Tab, "cookie">) =>
  /windward-operator=([\w-]*)/.exec(cookie)?.[1] ?? "";

async function statusWith(cookie: string, path = "/operator/me", at: TestService = service) {
  return (await at.request(path, { headers: { cookie } })).status;
}

async function expectDead(cookie: string): Promise<void> {
  for (const at of [service, sibling])
    for (const path of ["/operator", "/operator/audit/export", "/operator/actions/approve"])
      assert.equal(await statusWith(cookie, path, at), 303, path);
}

describe("a cookie from before the sign-in", () => {
  test("that somebody planted is not kept, and opens nothing afterwards", async () => {
    const who = await makeOperator(service);
    const planted = `windward-operator=${newToken()}`;
    const tab = openTab(service);
    tab.cookie = planted;
    await tab.post(SIGN_IN, { email: who.email, password: PASSWORD }, { from: SIGN_IN });
    await tab.post(CODE, { code: await operatorCode(service, who) }, { from: CODE });
    assert.equal(await statusWith(tab.cookie), 200);
    assert.notEqual(sessionIn(tab), sessionIn({ cookie: planted }));
    await expectDead(planted);
  });

  test("of somebody else who is halfway stays theirs", async () => {
    const [thief, who] = [await makeOperator(service, "support"), await makeOperator(service)];
    const { tab } = await giveOperatorPassword(service, thief);
    await tab.post(SIGN_IN, { email: who.email, password: PASSWORD }, { from: SIGN_IN });
    await tab.post(CODE, { code: await operatorCode(service, who) }, { from: CODE });
    const { text } = await tab.get("/operator/me");
    assert.match(text, new RegExp(who.email));
    assert.doesNotMatch(text, new RegExp(thief.email));
  });

  test("beside the real one makes both worth nothing", async () => {
    const tab = await signInOperator(service, await makeOperator(service));
    const own = `windward-operator=${sessionIn(tab)}`;
    assert.equal(await statusWith(own), 200);
    for (const two of [`${own}; windward-operator=${newToken()}`, `windward-operator=x; ${own}`])
      assert.equal(await statusWith(two), 303, two);
  });
});

describe("halfway, after the password alone", () => {
  test("no page opens and no form is taken", async () => {
    for (const hasFactor of [true, false]) {
      const who = await makeOperator(service, "admin", { hasFactor });
      const { tab } = await giveOperatorPassword(service, who);
      await expectDead(tab.cookie);
      const hidden = hiddenOf(await tab.get(hasFactor ? CODE : "/operator/set-up"));
      assert.notEqual(hidden.csrf_token, "");
      const form = { ...hidden, email: who.email, role: "admin", why: "x" };
      for (const path of ["/operator/actions/change-operator", "/operator/me/authenticator/remove"])
        assert.equal((await tab.post(path, form, { from: CODE })).status, 303, path);
    }
  });

  test("ten minutes are all, and a factor of one's own is not set up in place of another", async () => {
    const who = await makeOperator(service);
    const { tab } = await giveOperatorPassword(service, who);
    assert.equal((await tab.get("/operator/set-up")).status, 303, "there is a factor already");
    await service.ctx.db.run(sql`
      update operator_sessions set created_at = now() - interval '11 minutes'
      where person_id = ${who.personId}`);
    assert.equal((await tab.get(CODE)).headers.get("location"), SIGN_IN);
  });
});

describe("a stolen cookie is dead on every process", () => {
  test("after signing out, and so is a form that was open", async () => {
    const tab = await signInOperator(service, await makeOperator(service));
    const stolen = tab.cookie;
    const hidden = hiddenOf(await tab.get("/operator/me"));
    const out = await tab.post("/operator/sign-out", {}, { from: "/operator/me" });
    assert.equal(out.headers.get("clear-site-data"), '"cache"');
    assert.match(out.headers.getSetCookie().join(), /windward-operator=; Path=\/; Max-Age=0/);
    await expectDead(stolen);
    const posted = await service.request("/operator/me/sessions/end-others", {
      method: "POST",
      form: hidden,
      headers: { cookie: stolen, origin: service.url },
    });
    assert.equal(posted.headers.get("location"), SIGN_IN);
  });

  test("after a new password, a link to set one, removal, another role, and end from elsewhere", async () => {
    const endings: Record<string, (email: string, other: Tab) => Promise<unknown>> = {
      "a new password": (_, other) =>
        other.post(
          "/operator/me/password",
          {
            old_password: PASSWORD,
            new_password: "battery staple",
            confirm_password: "battery staple",
          },
          { from: "/operator/me/password" },
        ),
      removal: (email) => operatorJson(service, ["remove-operator", email, ...SIGNED]),
      "another role": (email) =>
        operatorJson(service, ["change-operator", email, "--role", "support", ...SIGNED]),
      "forgotten factors": (email) =>
        operatorJson(service, ["change-operator", email, "--forget-factors", ...SIGNED]),
      "end from elsewhere": (_, other) =>
        other.post("/operator/me/sessions/end-others", {}, { from: "/operator/me" }),
    };
    for (const [what, end] of Object.entries(endings)) {
      const who = await makeOperator(service);
      const stolen = await signInOperator(sibling, who);
      const other = await signInOperator(service, who);
      assert.equal(await statusWith(stolen.cookie, "/operator", sibling), 200, what);
      await end(who.email, other);
      await expectDead(stolen.cookie);
    }
  });

  test("a removed operator signs in no more, and a form that was open does nothing", async () => {
    const who = await makeOperator(service);
    const shop = await service.world.merchant();
    const tab = await signInOperator(service, who);
    const fields = { account_number: shop.accountNumber };
    const page = await tab.get(`/operator/actions/freeze-account?${new URLSearchParams(fields)}`);
    await operatorJson(service, ["remove-operator", who.email, ...SIGNED]);
    const posted = await service.request("/operator/actions/freeze-account", {
      method: "POST",
      form: { ...hiddenOf(page), ...fields, why: "x" },
      headers: { cookie: tab.cookie, origin: service.url },
    });
    assert.equal(posted.status, 303);
    const { status } = await service.ctx.db.one<{ status: string }>(sql`
      select status from accounts where account_number = ${shop.accountNumber}`);
    assert.equal(status, "active");
    assert.equal((await giveOperatorPassword(service, who)).answer.status, 401);
  });
});

test("after five minutes second factors are changed only with a fresh proof", async () => {
  const who = await makeOperator(service);
  const tab = await signInOperator(service, who);
  const pages = ["/operator/me/authenticator", "/operator/me/passkeys/new"];
  for (const path of pages) assert.equal((await tab.get(path)).status, 200, path);
  await service.ctx.db.run(sql`
    update operator_sessions set proven_at = proven_at - interval '6 minutes'
    where person_id = ${who.personId}`);
  for (const path of pages)
    assert.equal(
      (await tab.get(path)).headers.get("location"),
      `/operator/prove?next=${encodeURIComponent(path)}`,
    );
  const from = "/operator/prove";
  await tab.post(from, { code: await operatorCode(service, who) }, { from });
  for (const path of pages) assert.equal((await tab.get(path)).status, 200, path);
});

test("a role that was lowered by any way counts from the next request on", async () => {
  const who = await makeOperator(service);
  const shop = await service.world.merchant();
  const tab = await signInOperator(sibling, who);
  await service.ctx.db.run(sql`
    update operators set role = 'support' where person_id = ${who.personId}`);
  for (const path of [
    "/operator/audit",
    "/operator/audit/export",
    "/operator/actions/verify-account",
  ])
    assert.equal((await tab.get(path)).status, 404, path);
  const posted = await act(tab, "freeze-account", { account_number: shop.accountNumber });
  assert.ok([403, 404].includes(posted.status));
  assert.equal((await tab.get("/operator/accounts")).status, 200);
});

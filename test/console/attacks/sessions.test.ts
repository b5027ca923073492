/**
 * A session is its person's own: no cookie from before the sign-in becomes one, one that ended is
 * dead on every process, and what it may do is what the person may do now (Decisions 0084, 0085).
 * That sessions end with time is proven in `sign-in.test.ts`, with the password in
 * `test/people/own-profile.test.ts`, and that the holder stays an owner in
 * `test/people/members.test.ts`.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { newToken } from "../../../src/modules/people/random-token.ts";
import { hiddenOf, makeMember, openTab, signInTo, type Tab } from "../../../testkit/console.ts";
import { untilWaiting } from "../../../testkit/lock-waits.ts";
import type { TestAnswer, TestService } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import { until } from "../../../testkit/until.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const { service, sibling } = await startTwoServices();

const MEMBERS = "/console/settings/members";
const sessionIn = ({ cookie }: Pick<Tab, "cookie">) => /windward=([\w-]*)/.exec(cookie)?.[1] ?? "";

async function statusWith(cookie: string, at: TestService = service, path = "/console/me") {
  return (await at.request(path, { headers: { cookie } })).status;
}

async function expectDead(cookie: string): Promise<void> {
  for (const at of [service, sibling])
    for (const path of ["/console/me", "/console/payments.csv", "/console/live"])
      assert.equal(await statusWith(cookie, at, path), 303, path);
}

/** An open stream, and how to wait for its end. */
async function follow(tab: Tab, at: TestService = service) {
  // Age ends each stream after a while; one that is older and still open says that it was not age.
  const isOlderOver = await openStream(await signInTo(at, await service.world.merchant()), at);
  const isOver = await openStream(tab, at);
  return async (what: string) => {
    await until(isOver, what);
    assert.equal(isOlderOver(), false, `${what}, and not by its age`);
  };
}

async function openStream({ cookie }: Tab, at: TestService) {
  const answer = await fetch(`${at.url}/console/live`, { headers: { cookie } });
  assert.equal(answer.status, 200);
  let isOver = false;
  void answer.text().then(() => {
    isOver = true;
  });
  return () => isOver;
}

describe("a cookie from before the sign-in", () => {
  test("that somebody planted is not kept, and opens nothing afterwards", async () => {
    const shop = await service.world.merchant();
    const planted = `windward=${newToken()}`;
    const tab = openTab(service);
    tab.cookie = planted;
    const form = { email: shop.email, password: PASSWORD };
    await tab.post("/sign-in", form, { from: "/sign-in" });
    assert.notEqual(sessionIn(tab), sessionIn({ cookie: planted }));
    assert.equal(await statusWith(tab.cookie), 200);
    await expectDead(planted);
  });

  test("of somebody else's session stays theirs: the person who signs in gets their own", async () => {
    const [thief, shop] = [await service.world.merchant(), await service.world.merchant()];
    const planted = await signInTo(service, thief);
    const tab = openTab(service);
    const form = { email: shop.email, password: PASSWORD };
    tab.cookie = planted.cookie;
    // As from a page that was open before the cookie was planted.
    const hidden = hiddenOf(await openTab(service).get("/sign-in"));
    await tab.post("/sign-in", { ...hidden, ...form }, { from: "/sign-in" });
    assert.match((await tab.get("/console/me")).text, new RegExp(shop.email));
    const theirs = await planted.get("/console/me");
    assert.match(theirs.text, new RegExp(thief.email));
    assert.doesNotMatch(theirs.text, new RegExp(shop.email));
  });

  test("beside the real one makes both worth nothing", async () => {
    const tab = await signInTo(service, await service.world.merchant());
    const own = `windward=${sessionIn(tab)}`;
    assert.equal(await statusWith(own), 200);
    for (const two of [`${own}; windward=${newToken()}`, `windward=x; ${own}`])
      assert.equal(await statusWith(two), 303, two);
  });
});

describe("a stolen cookie is dead on every process", () => {
  test("after signing out, in every tab, and so is a form that was open", async () => {
    const tab = await signInTo(service, await service.world.merchant());
    const second = { ...tab };
    const hidden = hiddenOf(await tab.get("/console/me"));
    const stolen = tab.cookie;
    const untilOver = await follow(tab, sibling);
    const out = await tab.post("/console/sign-out");
    assert.equal(out.headers.get("clear-site-data"), '"cache"');
    assert.match(out.headers.getSetCookie().join(), /windward=; Path=\/; Max-Age=0/);
    await expectDead(stolen);
    await expectDead(second.cookie);
    const posted = await service.request("/console/me/name", {
      method: "POST",
      form: { ...hidden, name: "A Thief" },
      headers: { cookie: stolen, origin: service.url },
    });
    assert.equal(posted.headers.get("location"), "/sign-in");
    await untilOver("the stream on the other process ends");
  });

  test("after a new password, the operator's end of credentials, and the account's", async () => {
    const { db } = service.ctx;
    const endings: Record<string, (accountNumber: string, tab: Tab) => Promise<unknown>> = {
      "a new password": (_, tab) =>
        tab.post("/console/me/password", {
          old_password: PASSWORD,
          new_password: "battery staple",
          confirm_password: "battery staple",
        }),
      "a new epoch": (number) =>
        db.run(sql`
          update accounts set credential_epoch = credential_epoch + 1
          where account_number = ${number}`),
      "a freeze": (number) =>
        db.run(sql`update accounts set status = 'frozen' where account_number = ${number}`),
    };
    for (const [what, end] of Object.entries(endings)) {
      const shop = await service.world.merchant();
      const [tab, other] = [await signInTo(service, shop), await signInTo(sibling, shop)];
      const stolen = tab.cookie;
      await end(shop.accountNumber, tab);
      for (const cookie of [stolen, other.cookie])
        assert.equal(await statusWith(cookie, sibling), 303, what);
    }
  });

  test("after its person was removed, and its streams end", async () => {
    const shop = await service.world.merchant();
    const member = await makeMember(service, shop.accountNumber, "developer");
    const tab = await signInTo(service, member);
    const untilOver = await follow(tab, sibling);
    const owner = await signInTo(service, shop);
    await owner.post(`${MEMBERS}/${member.personId}/remove`, {}, { from: MEMBERS });
    await expectDead(tab.cookie);
    await untilOver("the stream ends");
    const form = { email: member.email, password: PASSWORD };
    const again = await openTab(service).post("/sign-in", form, { from: "/sign-in" });
    assert.equal(again.status, 401, "and nobody without an account signs in");
  });

  test("while its post is under way: it is told in words, and nothing is done", async () => {
    const shop = await service.world.merchant();
    const tab = await signInTo(service, shop);
    const { db } = service.ctx;
    let sending: Promise<TestAnswer> | undefined;
    await db.transaction(async (tx) => {
      await tx.run(sql`
        select from accounts where account_number = ${shop.accountNumber} for no key update`);
      sending = tab.post(
        "/console/settings/payment-keys/rule",
        { require_signature: "true" },
        { from: "/console/settings/payment-keys" },
      );
      await untilWaiting(db);
      await tx.run(sql`
        update console_sessions set ended_at = real_now()
        from members where members.person_id = console_sessions.person_id
          and members.account_number = ${shop.accountNumber}`);
    });
    const answer = await sending;
    assert.equal(answer?.status, 401, answer?.text);
    assert.equal(answer.headers.get("x-svc-error"), "console_session_over");
    assert.equal(answer.headers.get("www-authenticate"), null);
    assert.match(answer.text, /You have been signed out\. Nothing was changed\./);
    const again = await signInTo(service, shop);
    const page = await again.get("/console/settings/payment-keys");
    assert.match(
      page.text,
      /name="require_signature" value="true"/,
      "it is still to be switched on",
    );
  });

  test("when its person ends it from another browser", async () => {
    const shop = await service.world.merchant();
    const [tab, stolen] = [await signInTo(service, shop), await signInTo(sibling, shop)];
    await tab.post("/console/me/sessions/end-others");
    await expectDead(stolen.cookie);
    assert.equal(await statusWith(tab.cookie, sibling), 200);
  });
});

describe("what a session may do is what its person may do now", () => {
  test("a role that was lowered by any way counts from the next request on", async () => {
    const shop = await service.world.merchant();
    const member = await makeMember(service, shop.accountNumber, "owner");
    const tab = await signInTo(sibling, member);
    const hidden = hiddenOf(await tab.get("/console/settings/security"));
    await service.ctx.db.run(sql`
      update members set role = 'viewer' where person_id = ${member.personId}`);
    for (const path of ["/console/settings/security", "/console/developers/keys"])
      assert.equal((await tab.get(path)).status, 404, path);
    const posted = await tab.post("/console/settings/security/api-sign-in", {
      ...hidden,
      api_sign_in: "off",
    });
    assert.equal(posted.status, 404);
    assert.equal((await tab.get("/console/payments")).status, 200);
  });

  test("a session for another account loses this one with the membership", async () => {
    const [shop, other] = [await service.world.merchant(), await service.world.merchant()];
    const member = await makeMember(service, shop.accountNumber, "admin");
    await service.ctx.db.run(sql`
      insert into members (account_number, person_id, role, created_at)
      values (${other.accountNumber}, ${member.personId}, 'viewer',
        app_now() + interval '1 hour')`);
    const tab = await signInTo(service, member);
    const untilOver = await follow(tab);
    await tab.post("/console/account", { account_number: other.accountNumber });
    await untilOver("the stream of the account it left ends");
    const owner = await signInTo(service, shop);
    await owner.post(`${MEMBERS}/${member.personId}/remove`, {}, { from: MEMBERS });
    assert.equal((await tab.get("/console")).status, 200);
    const back = await tab.post("/console/account", { account_number: shop.accountNumber });
    assert.equal(back.status, 404);
  });

  test("a role that changes while a form is open is the one that is judged", async () => {
    const shop = await service.world.merchant();
    const member = await makeMember(service, shop.accountNumber, "admin");
    const viewer = await makeMember(service, shop.accountNumber, "viewer");
    const tab = await signInTo(service, member);
    const form = { ...hiddenOf(await tab.get(MEMBERS)), email: "mate@example.com", role: "viewer" };
    const owner = await signInTo(service, shop);
    const place = `${MEMBERS}/${member.personId}/role`;
    assert.equal((await owner.post(place, { role: "finance" }, { from: MEMBERS })).status, 303);
    const again = await signInTo(service, member);
    assert.equal((await again.post(MEMBERS, form)).status, 404);
    const fields = { email: form.email, role: form.role };
    assert.equal((await again.post(MEMBERS, fields)).status, 404);
    const remove = `${MEMBERS}/${viewer.personId}/remove`;
    assert.equal((await again.post(remove)).status, 404);
  });
});

/**
 * A person changes only what is their own. A changed password ends every session and, for a holder,
 * every sign-in to the API, as `PATCH /user/password` does; a session is ended by its own person.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { attempt, refresh, whoami } from "../../testkit/auth.ts";
import { makeMember, signInTo, type Tab } from "../../testkit/console.ts";
import { startService } from "../../testkit/service.ts";
import { PASSWORD } from "../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

const NEW = "battery staple";
const form = (old_password = PASSWORD, new_password = NEW, confirm_password = new_password) => ({
  old_password,
  new_password,
  confirm_password,
});
const change = (tab: Tab, fields = form()) => tab.post("/console/me/password", fields);

describe("changing one's own password", () => {
  test("ends all sessions, and a holder's tokens with everything refreshed from them", async () => {
    const who = await service.world.merchant();
    const [tab, other] = [await signInTo(service, who), await signInTo(service, who)];
    const tokens = await who.signIn();
    const { key } = await who.makeKey();
    const changed = await change(tab);
    assert.equal(changed.headers.get("location"), "/sign-in?done=password");
    assert.match((await tab.get("/sign-in?done=password")).text, /signed out everywhere/);
    for (const each of [tab, other]) assert.equal((await each.get("/console")).status, 303);
    assert.equal((await whoami(service, { token: tokens.access_token })).status, 401);
    assert.equal((await refresh(service, tokens.refresh_token)).status, 401);
    assert.equal((await whoami(service, { key })).status, 200, "API keys stay");
    assert.equal((await attempt(service, who)).status, 401);
    assert.equal((await attempt(service, who, { password: NEW })).status, 200);
    await signInTo(service, { ...who, password: NEW });
  });

  test("of a member without an account leaves the account's own alone", async () => {
    const who = await service.world.merchant();
    const member = await makeMember(service, who.accountNumber, "viewer");
    const tab = await signInTo(service, member);
    const holder = await signInTo(service, who);
    const tokens = await who.signIn();
    assert.equal((await change(tab)).status, 303);
    assert.equal((await tab.get("/console")).status, 303);
    assert.equal((await holder.get("/console")).status, 200);
    assert.equal((await whoami(service, { token: tokens.access_token })).status, 200);
    await signInTo(service, { ...member, password: NEW });
  });

  test("of a holder who acts for another account changes the account they hold", async () => {
    const [who, other] = [await service.world.merchant(), await service.world.merchant()];
    const { ctx } = service;
    await ctx.db.run(sql`
      insert into members (account_number, person_id, role)
      select ${other.accountNumber}, person_id, 'viewer' from persons
      where holder_of = ${who.accountNumber}`);
    const tab = await signInTo(service, who);
    await tab.post("/console/account", { account_number: other.accountNumber });
    assert.equal((await change(tab)).status, 303);
    assert.equal((await attempt(service, who, { password: NEW })).status, 200);
    assert.equal((await attempt(service, other)).status, 200);
  });

  test("is refused beside the field that is wrong, and nothing changes", async () => {
    const who = await service.world.merchant();
    const tab = await signInTo(service, who);
    const wrong: [ReturnType<typeof form>, string, RegExp][] = [
      [form("not my password"), "old_password", /That is not your password/],
      [form(PASSWORD, "short"), "new_password", /at least 8 characters/],
      [form(PASSWORD, PASSWORD), "new_password", /must differ from the old/],
      [form(PASSWORD, NEW, "another one"), "confirm_password", /do not match/],
      [form(PASSWORD, who.email), "new_password", /must not be the account/],
    ];
    for (const [fields, field, sentence] of wrong) {
      const answer = await change(tab, fields);
      assert.equal(answer.status, 422);
      assert.match(answer.text, sentence);
      assert.match(answer.text, new RegExp(`href="#${field}"`));
      for (const typed of Object.values(fields))
        assert(!answer.text.includes(`value="${typed}"`), "no password comes back");
    }
    assert.equal((await tab.get("/console")).status, 200);
    assert.equal((await attempt(service, who)).status, 200);
  });

  test("of two at once one takes effect, and owners are told", async () => {
    const who = await service.world.merchant();
    const [one, two] = [await signInTo(service, who), await signInTo(service, who)];
    const news = () =>
      service.ctx.db.rows(sql`
        select from mails where reason like 'security %' and recipient = ${who.email}`);
    const before = (await news()).length;
    const answers = await Promise.all([
      change(one, form(PASSWORD, "first of two")),
      change(two, form(PASSWORD, "second of two")),
    ]);
    const taken = answers.filter(
      ({ headers }) => headers.get("location") === "/sign-in?done=password",
    );
    assert.equal(taken.length, 1);
    assert.equal((await news()).length, before + 1);
  });

  test("the old password is guessed ten times, not more", async () => {
    const tab = await signInTo(service, await service.world.merchant());
    for (let i = 0; i < 10; i++)
      assert.equal((await change(tab, form(`wrong guess ${i}`))).status, 422);
    assert.equal((await change(tab)).status, 429);
  });
});

describe("sessions", () => {
  test("are listed with browser and address, and ended one by one", async () => {
    const who = await service.world.merchant();
    const [tab, other] = [await signInTo(service, who), await signInTo(service, who)];
    const page = (await tab.get("/console/me")).text;
    assert.match(page, /This one/);
    assert.match(page, /127\.0\.0\.1/);
    const ends = [...page.matchAll(/action="(\/console\/me\/sessions\/[0-9a-f-]{36}\/end)"/g)];
    assert.equal(ends.length, 1, "the other one; this one is ended by signing out");
    const path = ends[0]?.[1] ?? "";
    const stranger = await signInTo(service, await service.world.merchant());
    assert.equal((await stranger.post(path)).status, 404);
    assert.equal((await other.get("/console")).status, 200);
    assert.equal((await tab.post(path)).headers.get("location"), "/console/me?done=session_ended");
    assert.equal((await other.get("/console")).status, 303);
    assert.equal((await tab.get("/console")).status, 200);
    assert.equal((await tab.post("/console/me/sessions/x/end")).status, 404);
  });

  test("all others end at once", async () => {
    const who = await service.world.merchant();
    const tabs = [];
    for (let i = 0; i < 3; i++) tabs.push(await signInTo(service, who));
    const [tab, ...others] = tabs;
    assert.equal((await tab?.post("/console/me/sessions/end-others"))?.status, 303);
    for (const each of others) assert.equal((await each.get("/console")).status, 303);
    assert.equal((await tab?.get("/console"))?.status, 200);
  });
});

test("a name is changed, and shown as text", async () => {
  const who = await service.world.merchant();
  const tab = await signInTo(service, who);
  const name = '<script>alert("x")</script> & Söhne';
  assert.equal((await tab.post("/console/me/name", { name })).status, 303);
  const page = (await tab.get("/console/me")).text;
  assert(!page.includes("<script>alert"));
  assert.match(page, /&lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt; &amp; Söhne/);
  for (const wrong of ["", "  ", "x".repeat(101), "a\nb"])
    assert.equal((await tab.post("/console/me/name", { name: wrong })).status, 400, wrong);
});

/**
 * The guarantee: nobody is at `/operator` without a password and a second factor; members of
 * accounts are not operators, and what ends a sign-in ends it at once.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { hiddenOf, openTab, signInTo } from "../../testkit/console.ts";
import { operator, operatorJson, SIGNED } from "../../testkit/operator.ts";
import {
  giveOperatorPassword,
  makeOperator,
  operatorCode,
  signInOperator,
} from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { fromBase32, totpCode } from "../../testkit/totp.ts";
import { PASSWORD } from "../../testkit/world.ts";

const service = await startService();
after(() => service.stop());

const SIGN_IN = "/operator/sign-in";
const CODE = "/operator/sign-in/code";
const { db } = service.ctx;

describe("signing in", () => {
  test("takes a password, then a code, and gives a cookie of its own", async () => {
    const who = await makeOperator(service);
    const { tab, answer } = await giveOperatorPassword(service, who);
    assert.equal(answer.headers.get("location"), CODE);
    assert.match(
      answer.headers.getSetCookie()[0] ?? "",
      /^windward-operator=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const halfway = tab.cookie;
    assert.equal((await tab.get("/operator")).headers.get("location"), SIGN_IN);
    const code = await operatorCode(service, who);
    assert.equal((await tab.post(CODE, { code }, { from: CODE })).status, 303);
    assert.notEqual(tab.cookie, halfway, "the halfway cookie was replaced");
    assert.equal((await tab.get("/operator")).status, 200);
    const stale = openTab(service);
    stale.cookie = halfway;
    assert.equal((await stale.get("/operator")).headers.get("location"), SIGN_IN);
  });

  test("refuses a wrong code, one that was used, and a wrong password in the same words", async () => {
    const who = await makeOperator(service);
    const { tab } = await giveOperatorPassword(service, who);
    const wrong = await tab.post(CODE, { code: "000000" }, { from: CODE });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /That code is not right, or it was used before\./);
    const code = await operatorCode(service, who);
    await tab.post(CODE, { code }, { from: CODE });
    const again = (await giveOperatorPassword(service, who)).tab;
    assert.equal((await again.post(CODE, { code }, { from: CODE })).status, 422);
    const refusals = [];
    for (const email of [who.email, "nobody@operator.example"]) {
      const other = openTab(service);
      const answer = await other.post(
        SIGN_IN,
        { email, password: "Wrong-2026" },
        { from: SIGN_IN },
      );
      assert.equal(answer.status, 401);
      refusals.push(answer.text.replaceAll(email, "").replace(/value="[^"]*"/g, ""));
    }
    assert.equal(refusals[0], refusals[1]);
  });

  test("without a factor sets one up, and nothing else opens before", async () => {
    const who = await makeOperator(service, "support", { hasFactor: false });
    const { tab, answer } = await giveOperatorPassword(service, who);
    assert.equal(answer.headers.get("location"), "/operator/set-up");
    assert.equal((await tab.get("/operator/me")).status, 303);
    assert.equal((await tab.get(CODE)).headers.get("location"), SIGN_IN);
    const page = await tab.get("/operator/set-up");
    const secret = /<code id="secret">([^<]+)</.exec(page.text)?.[1] ?? "";
    const csrf = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const send = (code: string) =>
      service.request("/operator/set-up", {
        method: "POST",
        form: { csrf_token: csrf, code },
        headers: { cookie: tab.cookie, origin: service.url },
      });
    assert.equal((await send("000000")).status, 422);
    const done = await send(totpCode(fromBase32(secret)));
    assert.equal(done.headers.get("location"), "/operator");
    const [cookie = ""] = (done.headers.getSetCookie()[0] ?? "").split(";");
    const opened = await service.request("/operator", { headers: { cookie } });
    assert.equal(opened.status, 200);
  });

  test("is not in the audit log where the session ended before it was finished", async () => {
    const who = await makeOperator(service, "support", { hasFactor: false });
    const { tab } = await giveOperatorPassword(service, who);
    const page = await tab.get("/operator/set-up");
    const secret = /<code id="secret">([^<]+)</.exec(page.text)?.[1] ?? "";
    await db.run(sql`
      create function end_sessions_of_confirmed() returns trigger language plpgsql as $$
      begin
        update operator_sessions set ended_at = real_now() where person_id = new.person_id;
        return null;
      end $$`);
    await db.run(sql`
      create trigger sessions_end after update of confirmed_at on totp_secrets
        for each row execute function end_sessions_of_confirmed()`);
    const answer = await service.request("/operator/set-up", {
      method: "POST",
      form: { ...hiddenOf(page), code: totpCode(fromBase32(secret)) },
      headers: { cookie: tab.cookie, origin: service.url },
    });
    await db.run(sql`drop function end_sessions_of_confirmed() cascade`);
    assert.equal(answer.headers.get("location"), SIGN_IN);
    const entries = await db.rows(sql`
      select from audit_entries
      where actor = ${`person ${who.personId}`} and action = 'console_signed_in'`);
    assert.deepEqual(entries, []);
  });

  test("is for operators: members are no operators, and the other way round", async () => {
    const who = await makeOperator(service);
    const owner = await service.world.merchant();
    const refused = openTab(service);
    const of = (email: string) => ({ email, password: PASSWORD });
    assert.equal((await refused.post(SIGN_IN, of(owner.email), { from: SIGN_IN })).status, 401);
    assert.equal((await refused.post("/sign-in", of(who.email), { from: "/sign-in" })).status, 401);
    const member = await signInTo(service, owner);
    const value = member.cookie.replace(/.*windward=([\w-]{43}).*/, "$1");
    member.cookie = `windward-operator=${value}`;
    assert.equal((await member.get("/operator")).headers.get("location"), SIGN_IN);
    await assert.rejects(
      db.run(sql`insert into members (account_number, person_id, role)
        values (${owner.accountNumber}, ${who.personId}, 'viewer')`),
      { constraint: "a_member_is_no_operator" },
    );
  });

  test("after ten wrong passwords waits, and merchants guessing lock no operator out", async () => {
    const who = await makeOperator(service);
    const tab = openTab(service);
    const guess = (path: string) =>
      tab.post(path, { email: who.email, password: "Wrong-2026" }, { from: path });
    for (let i = 0; i < 10; i++) assert.equal((await guess("/sign-in")).status, 401);
    for (let i = 0; i < 10; i++) assert.equal((await guess(SIGN_IN)).status, 401);
    const refused = await guess(SIGN_IN);
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    await db.run(sql`delete from console_guesses`);
  });
});

describe("a session ends", () => {
  const ways: Readonly<Record<string, (email: string) => Promise<unknown>>> = {
    "when the role changes": (email) =>
      operatorJson(service, ["change-operator", email, "--role", "risk", ...SIGNED]),
    "when factors are forgotten": (email) =>
      operatorJson(service, ["change-operator", email, "--forget-factors", ...SIGNED]),
    "when its person is removed": (email) =>
      operatorJson(service, ["remove-operator", email, ...SIGNED]),
    "after 30 minutes without a request": () =>
      db.run(sql`update operator_sessions set last_seen_at = now() - interval '31 minutes'`),
    "after 12 hours": () =>
      db.run(sql`update operator_sessions set created_at = now() - interval '12 hours 1 minute'`),
  };
  for (const [when, end] of Object.entries(ways))
    test(when, async () => {
      await makeOperator(service);
      const who = await makeOperator(service);
      const tab = await signInOperator(service, who);
      assert.equal((await tab.get("/operator")).status, 200);
      await end(who.email);
      assert.equal((await tab.get("/operator")).headers.get("location"), SIGN_IN);
    });

  test("and not because an operator in a merchant's console signs out", async () => {
    const tab = await signInOperator(service, await makeOperator(service));
    const out = await tab.post("/operator/sign-out", {}, { from: "/operator/me" });
    assert.equal(out.headers.get("location"), "/operator/sign-in?done=signed_out");
    assert.equal((await tab.get("/operator/me")).status, 303);
  });
});

describe("from the terminal", () => {
  test("the first operator is made, sets a password by the link, and it works once", async () => {
    const email = "first@operator.example";
    const added = await operatorJson(service, [
      "add-operator",
      email,
      ...["--name", "First", "--role", "admin"],
      ...SIGNED,
    ]);
    const { pathname } = new URL(added.url);
    assert.match(pathname, /^\/operator\/password\/[\w-]{43}$/);
    assert.equal(
      (await service.request(pathname.replace("/operator/password", "/reset"))).status,
      404,
    );
    const set = () =>
      service.request(pathname, {
        method: "POST",
        form: { new_password: PASSWORD, confirm_password: PASSWORD },
      });
    assert.equal((await set()).headers.get("location"), "/operator/sign-in?done=password");
    assert.equal((await set()).status, 404);
    const { answer } = await giveOperatorPassword(service, { email });
    assert.equal(answer.headers.get("location"), "/operator/set-up");
  });

  test("one e-mail is one operator, and one admin stays", async () => {
    const who = await makeOperator(service);
    const add = ["add-operator", who.email, "--name", "x", "--role", "risk", ...SIGNED];
    assert.equal(
      (await operator(service, add)).stderr,
      `There is an operator ${who.email} already.\n`,
    );
    await db.run(sql`
      update operators set removed_at = now() where person_id <> ${who.personId}`);
    const remove = await operator(service, ["remove-operator", who.email, ...SIGNED]);
    assert.equal(remove.stderr, "One operator must stay an admin.\n");
  });
});

test("the last second factor stays", async () => {
  const tab = await signInOperator(service, await makeOperator(service));
  const from = "/operator/me/authenticator";
  const answer = await tab.post(`${from}/remove`, {}, { from });
  assert.equal(answer.status, 409);
  assert.match(answer.text, /This is your only second factor\. Add another one first\./);
  assert.equal((await tab.get("/operator")).status, 200);
});

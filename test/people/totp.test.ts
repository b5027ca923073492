/**
 * A code of the authenticator app finishes a sign-in, each once, within one step either way;
 * without it a right password opens nothing (Decision 0090).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { verifySecondFactor } from "../../src/modules/people/verify-second-factor.ts";
import { signInTo } from "../../testkit/console.ts";
import { appOf, forgetCodes, goHalfway, sendCode, setUpApp } from "../../testkit/second-factors.ts";
import { startService } from "../../testkit/service.ts";
import { stepNow, totpCode } from "../../testkit/totp.ts";

const service = await startService();
after(() => service.stop());

test("the codes that tests compute are those of RFC 6238", () => {
  const secret = Buffer.from("12345678901234567890");
  for (const [seconds, code] of [
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ] as const)
    assert.equal(totpCode(secret, Math.floor(seconds / 30), 8), code);
});

describe("setting up an app", () => {
  test("takes its first code, and a wrong one leaves it as it was", async () => {
    const tab = await signInTo(service, await service.world.merchant());
    const app = appOf(await tab.get("/console/me/authenticator"));
    const wrong = totpCode(app.secret, stepNow() - 20);
    const path = "/console/me/authenticator";
    const refused = await tab.post(path, { code: wrong });
    assert.equal(refused.status, 422);
    assert.deepEqual(appOf(refused).secret, app.secret, "the page still shows the same secret");
    assert.match((await tab.get("/console/me")).text, /Not set up/);
    const again = appOf(await tab.get(path));
    assert.notDeepEqual(again.secret, app.secret, "a page opened anew has a secret of its own");
    assert.equal((await tab.post(path, { code: again.code() })).status, 303);
    assert.doesNotMatch((await tab.get("/console/me")).text, /Not set up/);
    const set = await tab.get(path);
    assert.doesNotMatch(set.text, /id="secret"/, "a secret in use is never shown again");
  });

  test("keeps the secret sealed, and tells no log of it", async () => {
    const tab = await signInTo(service, await service.world.merchant());
    const { secret } = await setUpApp(service, tab);
    const rows = await service.ctx.db.rows<{ secret_box: Buffer }>(
      sql`select secret_box from totp_secrets`,
    );
    assert(rows.length > 0);
    for (const row of rows) assert(!row.secret_box.includes(secret));
    assert(!service.logged.join("").includes(secret.toString("hex")));
  });

  test("needs a fresh proof", async () => {
    const tab = await signInTo(service, await service.world.merchant());
    await service.clock.advance({ minutes: 6 });
    const asked = await tab.get("/console/me/authenticator");
    assert.equal(asked.status, 303);
    const to = "/console/prove?next=%2Fconsole%2Fme%2Fauthenticator";
    assert.equal(asked.headers.get("location"), to);
  });
});

describe("signing in with a code", () => {
  test("a halfway session opens no page of the console", async () => {
    const who = await service.world.merchant();
    await setUpApp(service, await signInTo(service, who));
    const tab = await goHalfway(service, who);
    for (const path of ["/console", "/console/me", "/console/prove", "/console/me/password"]) {
      const answer = await tab.get(path);
      assert.equal(answer.status, 303, path);
      assert.match(answer.headers.get("location") ?? "", /^\/sign-in/);
    }
    const posted = await tab.post("/console/me/sessions/end-others", {}, { from: "/sign-in/code" });
    assert.equal(posted.headers.get("location"), "/sign-in");
  });

  test("finishes once: the cookie is a new one, the same code is refused", async () => {
    const who = await service.world.merchant();
    const app = await setUpApp(service, await signInTo(service, who));
    const tab = await goHalfway(service, who);
    const { cookie: before } = tab;
    const code = app.code();
    const done = await sendCode(tab, code);
    assert.equal(done.status, 303, done.text);
    assert.equal(done.headers.get("location"), "/console");
    assert.equal((await tab.get("/console")).status, 200);
    const old = await goHalfway(service, who);
    const again = await sendCode(old, code);
    assert.equal(again.status, 422);
    assert.match(again.text, /not right, or it was used before/);
    old.cookie = before;
    assert.equal((await old.get("/console")).status, 303, "the halfway cookie opens nothing");
    assert.equal((await old.get("/sign-in/code")).headers.get("location"), "/sign-in");
  });

  test("takes the next step's code, and then no earlier one", async () => {
    const who = await service.world.merchant();
    const app = await setUpApp(service, await signInTo(service, who));
    const early = app.code();
    const next = app.code(1);
    assert.equal((await sendCode(await goHalfway(service, who), next)).status, 303);
    assert.equal((await sendCode(await goHalfway(service, who), early)).status, 422);
  });

  test("refuses codes of steps that are long over or far ahead", async () => {
    const who = await service.world.merchant();
    const app = await setUpApp(service, await signInTo(service, who));
    const tab = await goHalfway(service, who);
    for (const away of [-40, -4, 4, 40])
      assert.equal((await sendCode(tab, totpCode(app.secret, stepNow() + away))).status, 422);
    assert.equal((await sendCode(tab, ` ${app.code().replace(/^.../, "$& ")} `)).status, 303);
  });

  test("follows real time, whatever the service's clock says", async () => {
    const who = await service.world.merchant();
    const app = await setUpApp(service, await signInTo(service, who));
    await service.clock.advance({ hours: 5 });
    assert.equal((await sendCode(await goHalfway(service, who), app.code())).status, 303);
  });

  test("of ten requests with one code one passes", async () => {
    const who = await service.world.merchant();
    const app = await setUpApp(service, await signInTo(service, who));
    const tabs = [];
    for (let i = 0; i < 10; i++) tabs.push(await goHalfway(service, who));
    for (const tab of tabs) await tab.get("/sign-in/code");
    const code = app.code();
    const answers = await Promise.all(tabs.map((tab) => sendCode(tab, code)));
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
  });

  test("ten minutes after the password it begins anew", async () => {
    const who = await service.world.merchant();
    const app = await setUpApp(service, await signInTo(service, who));
    const tab = await goHalfway(service, who);
    const form = await tab.get("/sign-in/code");
    assert.equal(form.status, 200);
    await service.clock.advance({ minutes: 11 });
    const late = await sendCode(tab, app.code());
    assert.equal(late.headers.get("location"), "/sign-in");
  });
});

test("the eleventh wrong code waits, even with the right one, and each is audited", async () => {
  const who = await service.world.merchant();
  const app = await setUpApp(service, await signInTo(service, who));
  const tab = await goHalfway(service, who);
  const wrong = totpCode(app.secret, stepNow() - 50);
  for (let i = 0; i < 10; i++) assert.equal((await sendCode(tab, wrong)).status, 422);
  const late = await sendCode(tab, app.code());
  assert.equal(late.status, 429);
  assert(Number(late.headers.get("retry-after")) > 60);
  const failures = await service.ctx.db.rows<{ actor: string; detail: Record<string, string> }>(sql`
    select actor, detail from audit_entries
    where account_number = ${who.accountNumber} and action = 'second_factor_failed'`);
  assert.equal(failures.length, 10);
  for (const { actor, detail } of failures) {
    assert.match(actor, /^person [0-9a-f-]{36}$/);
    assert.equal(detail.address, "127.0.0.1");
    assert.match(detail.browser ?? "", /./);
  }
  assert(!JSON.stringify(failures).includes(wrong), "the code itself is nowhere");
});

test("a code is a fresh proof, and a person's own only", async () => {
  const who = await service.world.merchant();
  const other = await service.world.merchant();
  const tab = await signInTo(service, who);
  const app = await setUpApp(service, tab);
  const theirs = await setUpApp(service, await signInTo(service, other));
  await service.clock.advance({ minutes: 6 });
  const prove = (code: string) =>
    tab.post("/console/prove", { code, next: "/console/me/authenticator" });
  assert.equal((await prove(theirs.code())).status, 422);
  assert.equal((await tab.get("/console/me/authenticator")).status, 303);
  const proven = await prove(app.code());
  assert.equal(proven.headers.get("location"), "/console/me/authenticator");
  assert.equal((await tab.get("/console/me/authenticator")).status, 200);
});

test("the proof's next page is never another site's", async () => {
  const tab = await signInTo(service, await service.world.merchant());
  for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example", "/sign-in"]) {
    const answer = await tab.post("/console/prove", { password: "correct horse", next });
    assert.equal(answer.headers.get("location"), "/console", next);
  }
});

test("removing the last factor deletes the recovery codes, and asks for a proof", async () => {
  const who = await service.world.merchant();
  const tab = await signInTo(service, who);
  await setUpApp(service, tab);
  await tab.post("/console/me/recovery-codes");
  await service.clock.advance({ minutes: 6 });
  const remove = () => tab.post("/console/me/authenticator/remove");
  const asked = await remove();
  assert.match(asked.headers.get("location") ?? "", /^\/console\/prove/);
  assert.match((await tab.get("/console/me")).text, /10 of 10 left/);
  await tab.post("/console/prove", { password: "correct horse" });
  assert.equal((await remove()).headers.get("location"), "/console/me?done=authenticator_removed");
  const rows = await service.ctx.db.rows(sql`
    select from recovery_codes join persons using (person_id)
    where holder_of = ${who.accountNumber}`);
  assert.equal(rows.length, 0);
  await forgetCodes(service);
  assert.equal((await (await signInTo(service, who)).get("/console")).status, 200);
});

test("a session that was ended meanwhile is not signed in by a late code", async () => {
  const who = await service.world.merchant();
  const app = await setUpApp(service, await signInTo(service, who));
  await goHalfway(service, who);
  const { ctx } = service;
  const [row] = await ctx.db.rows<{ session_id: string; person_id: string }>(sql`
    update console_sessions set ended_at = app_now() where stage = 'second_factor'
      and account_number = ${who.accountNumber} returning session_id, person_id`);
  assert(row !== undefined);
  const session = {
    sessionId: row.session_id,
    stage: "second_factor" as const,
    person: {
      personId: row.person_id,
      email: who.email,
      name: "x",
      holderOf: who.accountNumber,
      isOperator: false,
    },
    account: { accountNumber: who.accountNumber } as never,
  };
  const from = { address: "127.0.0.1", browser: "x" };
  const shown = { kind: "code", code: app.code() } as const;
  assert.equal(await verifySecondFactor(ctx, session, shown, from), false);
});

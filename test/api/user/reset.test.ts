/**
 * The guarantee: a reset link sets the password of one account once, within 30 minutes, and ends
 * every sign-in of it; whatever else is sent to such an address changes nothing (Decision 0070).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { findHolder } from "../../../src/modules/people/person.ts";
import {
  attempt,
  auditsOf,
  INCORRECT,
  REFRESH_INVALID,
  refresh,
  whoami,
} from "../../../testkit/auth.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { operatorJson, SIGNED } from "../../../testkit/operator.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import { PASSWORD, type Person } from "../../../testkit/world.ts";

const { service, sibling, atOnce } = await startTwoServices();
const NEW = "battery staple";
const GOOD = { new_password: NEW, confirm_password: NEW };
const INVALID = "This link is no longer valid";

/** The path of a new link, made by the operator's command. */
async function linkFor(who: Pick<Person, "accountNumber">, at: TestService = service) {
  const made = await operatorJson(at, ["reset-password", who.accountNumber, ...SIGNED]);
  return new URL(made.url).pathname;
}

const set = (path: string, form: Record<string, string> = GOOD, at = service) =>
  at.request(path, { method: "POST", form });

const stateOf = (who: Person) =>
  service.ctx.db.one(sql`
    select password_digest, credential_epoch from accounts
    where account_number = ${who.accountNumber}`);

async function expectInvalid(path: string, at = service): Promise<void> {
  for (const answer of [await at.request(path), await set(path, GOOD, at)]) {
    assert.equal(answer.status, 404);
    assert.match(answer.text, new RegExp(`<h1>${INVALID}</h1>`));
    assert.match(answer.text, /for a new one\./);
    assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  }
}

describe("a reset link", () => {
  test("shows a form, as often as it is looked at, and then sets the password", async () => {
    const who = await service.world.merchant();
    const path = await linkFor(who);
    for (const at of [service, sibling, service]) {
      const page = await at.request(path);
      assert.equal(page.status, 200);
      for (const label of ["New password", "Confirm the password", "Set password"])
        assert(page.text.includes(`>${label}<`), label);
    }
    const done = await set(path, GOOD, sibling);
    assert.equal(done.status, 200);
    assert.match(done.text, /<h1>Your password has been changed<\/h1>/);
    assert.equal((await attempt(service, who, { password: NEW })).status, 200);
    assert.equal((await attempt(sibling, who)).text, INCORRECT);
  });

  test("ends sign-ins and refresh tokens on every process; API keys stay", async () => {
    const who = await service.world.merchant();
    const { access_token: token, refresh_token } = await who.signIn();
    const minted = await mintToken(service.ctx, who, ["svc-user-all"]);
    const { key } = await mintKey(service.ctx, who, ["svc-user-all"]);
    for (const at of [service, sibling]) assert.equal((await whoami(at, { token })).status, 200);
    assert.equal((await set(await linkFor(who))).status, 200);
    for (const at of [service, sibling]) {
      assert.equal((await whoami(at, { token })).status, 401);
      assert.equal((await whoami(at, { token: minted.token })).status, 401);
      assert.equal((await whoami(at, { key })).status, 200);
      assert.equal((await refresh(at, refresh_token)).text, REFRESH_INVALID);
    }
  });

  test("works once: of many posts at once on two processes exactly one wins", async () => {
    const who = await service.world.merchant();
    const path = await linkFor(who);
    const answers = await atOnce(4, (one, turn) =>
      set(
        path,
        { new_password: `number ${turn} wins`, confirm_password: `number ${turn} wins` },
        one,
      ),
    );
    const winners = answers.flatMap(({ status }, turn) => (status === 200 ? [turn] : []));
    assert.equal(winners.length, 1);
    for (const { status } of answers) assert([200, 404, 503].includes(status));
    const password = `number ${winners[0]} wins`;
    assert.equal((await attempt(service, who, { password })).status, 200);
    assert.equal(await auditsOf(service, who, "password_reset"), 1);
    await expectInvalid(path);
  });

  test("is over after 30 minutes of the database's clock", async () => {
    const own = await startService();
    const who = await own.world.merchant();
    const path = await linkFor(who, own);
    await own.clock.advance({ minutes: 29 });
    assert.equal((await own.request(path)).status, 200);
    await own.clock.advance({ minutes: 1, seconds: 1 });
    await expectInvalid(path, own);
    assert.equal((await attempt(own, who)).status, 200);
    await own.stop();
  });

  test("is ended by a newer one, which works", async () => {
    const who = await service.world.merchant();
    const [older, newer] = [await linkFor(who), await linkFor(who)];
    await expectInvalid(older);
    assert.equal((await set(newer)).status, 200);
  });

  test("is ended by a password change, a freeze, a closing and end-credentials", async () => {
    const changed = await service.world.merchant();
    const path = await linkFor(changed);
    const { access_token: token } = await changed.signIn();
    const json = { old_password: PASSWORD, new_password: NEW, confirm_password: NEW };
    assert.equal(
      (await service.request("/user/password", { method: "PATCH", token, json })).status,
      200,
    );
    await expectInvalid(path);
    for (const state of ["frozen", "closed"]) {
      const who = await service.world.merchant();
      const its = await linkFor(who);
      await service.ctx.db.run(sql`
        update accounts set status = ${state},
          closed_at = case when ${state} = 'closed' then app_now() end
        where account_number = ${who.accountNumber}`);
      await expectInvalid(its);
    }
    const ended = await service.world.merchant();
    const last = await linkFor(ended);
    await operatorJson(service, ["end-credentials", ended.email, ...SIGNED]);
    await expectInvalid(last);
  });

  test("that is unknown or malformed gets the same page", async () => {
    for (const token of ["A".repeat(43), "x", "0".repeat(60), "%00", "done"])
      await expectInvalid(`/reset/${token}`);
  });
});

describe("a password that breaks a rule", () => {
  const short = "The new password must be at least 8 characters.";
  const CASES: [string, Record<string, string>, string, string][] = [
    ["short", { new_password: "1234567", confirm_password: "1234567" }, "new_password", short],
    ["absent", {}, "new_password", short],
    [
      "long",
      { new_password: "x".repeat(257), confirm_password: "x".repeat(257) },
      "new_password",
      "The new password must not be longer than 256 characters.",
    ],
    [
      "repeated wrongly",
      { new_password: "battery staple", confirm_password: "battery stable" },
      "confirm_password",
      "The passwords do not match.",
    ],
    [
      "the old one",
      { new_password: PASSWORD, confirm_password: PASSWORD },
      "new_password",
      "The new password must differ from the old password.",
    ],
  ];
  for (const [what, form, field, sentence] of CASES)
    test(`(${what}) is told beside its field, echoes nothing and leaves the link good`, async () => {
      const who = await service.world.merchant();
      const path = await linkFor(who);
      const before = await stateOf(who);
      const answer = await set(path, form);
      assert.equal(answer.status, 422);
      const told = new RegExp(`id="${field}-wrong">${sentence.replace(/[.']/g, ".")}<`);
      assert.match(answer.text, told);
      assert.match(answer.text, new RegExp(`id="${field}"[^>]* aria-invalid="true"`));
      for (const typed of Object.values(form)) assert(!answer.text.includes(typed));
      assert.doesNotMatch(answer.text, /type="password"[^>]*value=/);
      assert.deepEqual(await stateOf(who), before);
      assert.equal((await set(path)).status, 200);
    });

  test("(the account's e-mail in any case) is refused", async () => {
    const who = await service.world.merchant();
    const email = who.email.toUpperCase();
    const answer = await set(await linkFor(who), { new_password: email, confirm_password: email });
    assert.equal(answer.status, 422);
    assert.match(answer.text, /The new password must not be the account&#39;s email\./);
  });

  test("is held to production's rules where they are switched on", async () => {
    const own = await startService({ settings: { PASSWORD_COMPLEXITY: "true" } });
    const path = await linkFor(await own.world.merchant(), own);
    const answer = await set(path, GOOD, own);
    assert.equal(answer.status, 422);
    assert.match(answer.text, /The password must contain a lower-case letter/);
    const good = { new_password: "Battery-staple-1", confirm_password: "Battery-staple-1" };
    assert.equal((await set(path, good, own)).status, 200);
    await own.stop();
  });
});

test("the trail says who made a link and why, and from where it was used; no secret is kept", async () => {
  const who = await service.world.merchant();
  const path = await linkFor(who);
  const token = path.slice("/reset/".length);
  assert.equal(Buffer.from(token, "base64url").length, 32);
  await set(path);
  const entries = await service.ctx.db.rows(sql`
    select action, actor, detail from audit_entries
    where account_number = ${who.accountNumber} order by entry_id`);
  const holder = await findHolder(service.ctx.db, who.accountNumber);
  assert.deepEqual(entries, [
    {
      action: "password_reset_link_made",
      actor: "operator D. Joseph",
      detail: { why: "ticket 4711" },
    },
    { action: "password_reset", actor: "127.0.0.1", detail: { person_id: holder?.personId } },
  ]);
  await expectInvalid(path);
  const another = (await linkFor(who)).slice("/reset/".length);
  const { text: kept } = await service.ctx.db.one<{ text: string }>(sql`
    select concat((select json_agg(one) from reset_links as one),
      (select json_agg(one) from audit_entries as one)) as text`);
  for (const place of [kept, service.logged.join(""), sibling.logged.join("")])
    for (const secret of [token, another, NEW]) assert(!place.includes(secret));
});

test("its pages load only their style and frame nothing, are never cached, and tell nobody their address", async () => {
  const path = await linkFor(await service.world.merchant());
  const pages = [await service.request(path), await set(path, {}), await set("/reset/x")];
  for (const { headers } of pages) {
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("x-frame-options"), "DENY");
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; style-src 'self'; img-src 'self' data:; /);
    assert.match(policy, /base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/);
  }
});

test("posts are limited to 5 a minute and address, told by a page; looking is not", async () => {
  const own = await startService({ settings: { LIMIT_PASSWORD: "5" } });
  const who = await own.world.merchant();
  const path = await linkFor(who, own);
  for (let i = 0; i < 5; i++) assert.equal((await set(path, {}, own)).status, 422);
  const limited = await set(path, GOOD, own);
  assert.equal(limited.status, 429);
  assert.match(limited.text, /<h1>Too many attempts<\/h1>/);
  assert(Number(limited.headers.get("retry-after")) > 0);
  assert.equal((await own.request(path)).status, 200);
  assert.equal((await attempt(own, who)).status, 200);
  await own.stop();
});

test("what is no form is told by a page, with the way back", async () => {
  const path = await linkFor(await service.world.merchant());
  const raw = { type: "text/plain", body: "new_password=x" };
  const answer = await service.request(path, { method: "POST", raw });
  assert.equal(answer.status, 415);
  assert.match(answer.text, new RegExp(`href="${path}"`));
});

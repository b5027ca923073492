/**
 * Changing a password needs the old one, and ends every other sign-in, on every process, at once
 * (Interface §4.5, Decision 0020).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  attempt,
  auditsOf,
  INCORRECT,
  REFRESH_INVALID,
  refresh,
  UNAUTHORIZED,
  usedAfter,
  whoami,
  wholeDatabase,
} from "../../../testkit/auth.ts";
import { signedIn } from "../../../testkit/banks.ts";
import { type Credential, mintKey } from "../../../testkit/credentials.ts";
import { startService } from "../../../testkit/service.ts";
import { slowly } from "../../../testkit/slow-request.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import { PASSWORD, type Person } from "../../../testkit/world.ts";

const NEW = "battery staple";
const GOOD = { old_password: PASSWORD, new_password: NEW, confirm_password: NEW };
const OLD_WRONG = '{"message":"The old password is incorrect."}';

const { service, sibling } = await startTwoServices();

const changeIt = (credential: Credential, json: unknown = GOOD, at = service) =>
  at.request("/user/password", { method: "PATCH", ...credential, json });
const digestOf = async ({ accountNumber }: Person) =>
  service.ctx.db.one<{ password_digest: string; credential_epoch: number }>(sql`
    select password_digest, credential_epoch from accounts
    where account_number = ${accountNumber}`);

describe("a new password", () => {
  for (const encoding of ["json", "form"] as const)
    test(`sent as ${encoding} signs in from now on, and the old one does not`, async () => {
      const who = await signedIn(service);
      const { token } = who;
      const options = { method: "PATCH", token, [encoding]: GOOD };
      const answer = await service.request("/user/password", options);
      assert.deepEqual([answer.status, answer.text], [200, '{"message":"OK"}']);
      assert.equal((await attempt(service, who, { password: NEW })).status, 200);
      assert.equal((await attempt(sibling, who)).text, INCORRECT);
      assert.equal(await auditsOf(service, who, "password_changed"), 1);
    });

  test("is kept as argon2id, and stands nowhere else, nor in the log", async () => {
    const who = await signedIn(service);
    const secret = "never to be seen 1!";
    const json = { ...GOOD, new_password: secret, confirm_password: secret };
    assert.equal((await changeIt(who, json)).status, 200);
    assert.match((await digestOf(who)).password_digest, /^\$argon2id\$/);
    for (const place of [await wholeDatabase(service), service.logged.join("")])
      for (const each of [secret, PASSWORD]) assert(!place.includes(each));
  });

  test("is taken exactly as sent: spaces, capitals and signs of every script", async () => {
    const who = await signedIn(service);
    const odd = "  Ünïcödé 🌴 \u00e9 ";
    const json = { ...GOOD, new_password: odd, confirm_password: odd };
    assert.equal((await changeIt(who, json)).status, 200);
    assert.equal((await attempt(service, who, { password: odd })).status, 200);
    for (const password of [odd.trim(), odd.toLowerCase(), odd.normalize("NFD")])
      assert.equal((await attempt(service, who, { password })).status, 401);
  });
});

describe("a field that breaks a rule answers 400 and changes nothing", () => {
  const long = "x".repeat(257);
  const short = (label: string) => `The ${label} password must be at least 8 characters.`;
  const tooLong = (label: string) =>
    `The ${label} password must not be longer than 256 characters.`;
  const needed = (label: string) => `The ${label} password field is required.`;
  const MATCH = "The confirm password must match the new password.";
  const CASES: readonly [change: Record<string, unknown>, message: string][] = [
    ...(["old", "new", "confirm"] as const).flatMap(
      (label): [Record<string, unknown>, string][] => [
        [{ [`${label}_password`]: undefined }, needed(label)],
        [{ [`${label}_password`]: "" }, needed(label)],
        [{ [`${label}_password`]: "1234567" }, short(label)],
        [{ [`${label}_password`]: long }, tooLong(label)],
        [{ [`${label}_password`]: 12345678 }, `The ${label} password must be a string.`],
      ],
    ),
    [{ old_password: "wrong horse" }, "The old password is incorrect."],
    [{ old_password: `${PASSWORD} ` }, "The old password is incorrect."],
    [{ old_password: PASSWORD.toUpperCase() }, "The old password is incorrect."],
    [{ confirm_password: `${NEW}!` }, MATCH],
    [{ confirm_password: NEW.toUpperCase() }, MATCH],
    [
      { new_password: PASSWORD, confirm_password: PASSWORD },
      "The new password must differ from the old password.",
    ],
    [{ old_password: "1234567", new_password: "1", confirm_password: 5 }, short("old")],
    [{ new_password: "1234567", confirm_password: undefined }, short("new")],
    [{ old_password: "wrong horse", confirm_password: "different" }, MATCH],
  ];
  for (const [change, message] of CASES)
    test(`${JSON.stringify(change).slice(0, 60)}: ${message}`, async () => {
      const who = await signedIn(service);
      const earlier = await digestOf(who);
      const answer = await changeIt(who, { ...GOOD, ...change });
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
      assert.deepEqual(await digestOf(who), earlier);
      assert.equal(await auditsOf(service, who, "password_changed"), 0);
    });

  test("the account's own e-mail is no password, in any case", async () => {
    const who = await signedIn(service);
    const email = who.email.toUpperCase();
    const earlier = await digestOf(who);
    const answer = await changeIt(who, { ...GOOD, new_password: email, confirm_password: email });
    const message = "The new password must not be the account's email.";
    assert.deepEqual([answer.status, answer.body], [400, { message }]);
    assert.deepEqual(await digestOf(who), earlier);
    assert.equal(await auditsOf(service, who, "password_changed"), 0);
  });

  test("complexity is asked for where the settings say so, before the confirmation", async () => {
    const strict = await startService({
      database: service.database,
      settings: { PASSWORD_COMPLEXITY: "true" },
    });
    try {
      const who = await signedIn(strict);
      const plain = await changeIt(who, { ...GOOD, confirm_password: "" }, strict);
      assert.equal(plain.status, 400);
      assert.match(plain.body.message, /^The password must contain a lower-case letter, /);
      const good = "Sandbox-2027";
      const json = { ...GOOD, new_password: good, confirm_password: good };
      assert.equal((await changeIt(who, json, strict)).status, 200);
    } finally {
      await strict.stop();
    }
  });
});

describe("once a password change is answered", () => {
  test("every other sign-in and its refresh token is dead, on every service", async () => {
    const who = await service.world.merchant();
    const [mine, other] = [await who.signIn(), await who.signIn()];
    const late = await usedAfter([service, sibling], { token: other.access_token }, async () => {
      assert.equal((await changeIt({ token: mine.access_token })).status, 200);
    });
    assert.deepEqual(new Set(late), new Set([401]));
    for (const one of [service, sibling])
      assert.equal((await refresh(one, other.refresh_token)).text, REFRESH_INVALID);
  });

  test("the sign-in that asked goes on, and so does its refresh token", async () => {
    const who = await service.world.merchant();
    const mine = await who.signIn();
    await changeIt({ token: mine.access_token });
    for (const one of [service, sibling])
      assert.equal((await whoami(one, { token: mine.access_token })).status, 200);
    const next = await refresh(sibling, mine.refresh_token);
    assert.equal(next.status, 200);
    assert.equal((await whoami(service, { token: next.body.access_token })).status, 200);
  });

  test("API keys go on; and one that asked ends every sign-in", async () => {
    const who = await signedIn(service);
    const asking = await mintKey(service.ctx, who, ["svc-user-update"], { prefix: "live" });
    const other = await mintKey(service.ctx, who, ["svc-user-all"], { prefix: "live" });
    assert.equal((await changeIt({ key: asking.key })).status, 200);
    for (const { key } of [asking, other])
      assert.equal((await whoami(sibling, { key })).status, 200);
    assert.equal((await whoami(sibling, { token: who.token })).text, UNAUTHORIZED);
    assert.equal((await attempt(service, who, { password: NEW })).status, 200);
  });

  test("nobody else is signed out", async () => {
    const [who, other] = [await signedIn(service), await signedIn(service)];
    await changeIt(who);
    assert.equal((await whoami(sibling, { token: other.token })).status, 200);
  });
});

describe("concurrent changes of a password", () => {
  test("with one sign-in, one wins; the other is told that its old password is wrong", async () => {
    const who = await signedIn(service);
    const wishes = ["first choice", "second choice"];
    const answers = await Promise.all(
      wishes.map((wish, turn) => {
        const json = { ...GOOD, new_password: wish, confirm_password: wish };
        return changeIt(who, json, turn === 0 ? service : sibling);
      }),
    );
    const won = answers.findIndex(({ status }) => status === 200);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    assert.equal(answers[1 - won]?.text, OLD_WRONG);
    assert.equal((await attempt(service, who, { password: wishes[won] ?? "" })).status, 200);
    const lost = await attempt(service, who, { password: wishes[1 - won] ?? "" });
    assert.equal(lost.text, INCORRECT);
    assert.equal((await digestOf(who)).credential_epoch, 2);
    assert.equal((await whoami(service, who)).status, 200);
  });

  test("with two sign-ins, one wins and the other's sign-in is over", async () => {
    const who = await service.world.merchant();
    const pairs = [await who.signIn(), await who.signIn()];
    const answers = await Promise.all(pairs.map((pair) => changeIt({ token: pair.access_token })));
    const won = answers.findIndex(({ status }) => status === 200);
    assert([400, 401].includes(answers[1 - won]?.status ?? 0), answers[1 - won]?.text);
    const loser = pairs[1 - won]?.access_token ?? "";
    assert.equal((await whoami(service, { token: loser })).status, 401);
    assert.equal((await digestOf(who)).credential_epoch, 2);
  });

  test("and sign in with the old one, nobody holds a token from it afterwards", async () => {
    const who = await signedIn(service);
    const signIns = Array.from({ length: 6 }, () => attempt(sibling, who));
    const [changed, ...granted] = await Promise.all([changeIt(who), ...signIns]);
    assert.equal(changed.status, 200);
    for (const { status, body } of granted)
      if (status === 200)
        assert.equal((await whoami(sibling, { token: body.access_token })).status, 401);
  });
});

test("a change that was admitted before its sign-in was revoked is refused", async () => {
  const who = await signedIn(service);
  const request = { method: "PATCH", path: "/user/password", token: who.token, json: GOOD };
  const status = await slowly(service, request, async () => {
    await service.request("/auth/tokens", { method: "DELETE", token: who.token });
  });
  assert.equal(status, 401);
  assert.equal((await attempt(service, who)).status, 200);
});

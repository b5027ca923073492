/**
 * What `POST /auth/tokens` asks of the holder (Decision 0090): with `password_and_code` a missing
 * or wrong code is the 401 of a wrong password, after the same work; with `off` it always is; with
 * `password` a code is ignored.
 */

import assert from "node:assert/strict";
import { after, describe, mock, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import type { Caller } from "../../src/infra/http/caller.ts";
import {
  ApiCodesNeedAuthenticator,
  type ApiSignIn,
  setApiSignIn,
} from "../../src/modules/auth/api-sign-in.ts";
import { INCORRECT, whoami } from "../../testkit/auth.ts";
import { signInTo } from "../../testkit/console.ts";
import { forgetCodes, makeCodes, setUpApp } from "../../testkit/second-factors.ts";
import { startService } from "../../testkit/service.ts";
import { stepNow, totpCode } from "../../testkit/totp.ts";
import { until } from "../../testkit/until.ts";
import { PASSWORD, type Person } from "../../testkit/world.ts";

const service = await startService({ settings: { SIGN_IN_FAILURES_MAX: "10" } });
after(() => service.stop());

function signIn(who: { email: string }, otp?: string, password = PASSWORD) {
  const fields = { email: who.email, password, scopes: "svc-user-all" };
  const form = otp === undefined ? fields : { ...fields, otp };
  return service.request("/auth/tokens", { method: "POST", form });
}

async function callerOf({ accountNumber }: Person): Promise<Caller> {
  const [row] = await service.ctx.db.rows<{ session_id: string; person_id: string }>(sql`
    select session_id, person_id from console_sessions
    where account_number = ${accountNumber} order by created_at desc limit 1`);
  assert(row !== undefined);
  return {
    accountNumber,
    accountType: "BUSINESS",
    countryCode: "TT",
    isMainMerchant: false,
    scopes: new Set(),
    credential: {
      kind: "session",
      sessionId: row.session_id,
      personId: row.person_id,
      address: "127.0.0.1",
      browser: "x",
      expiresAt: new Date(8.64e15),
    },
  };
}

async function set(who: Person, value: ApiSignIn): Promise<void> {
  const caller = await callerOf(who);
  await service.ctx.db.transaction((tx) => setApiSignIn(service.ctx, tx, caller, value));
}

async function someoneWithApp() {
  const who = await service.world.merchant();
  const tab = await signInTo(service, who);
  return { who, tab, app: await setUpApp(service, tab) };
}

describe("password_and_code", () => {
  test("takes a code of the app once, or a recovery code once", async () => {
    const { who, tab, app } = await someoneWithApp();
    const [recovery = ""] = await makeCodes(tab);
    await set(who, "password_and_code");
    const code = app.code();
    const signed = await signIn(who, code);
    assert.equal(signed.status, 200);
    assert.equal((await whoami(service, { token: signed.body.access_token })).status, 200);
    assert.equal((await signIn(who, code)).text, INCORRECT);
    assert.equal((await signIn(who, recovery)).status, 200);
    assert.equal((await signIn(who, recovery)).text, INCORRECT);
  });

  test("refuses a missing, empty, wrong or strange code in the same words", async () => {
    const { who, app } = await someoneWithApp();
    const other = await someoneWithApp();
    await set(who, "password_and_code");
    const wrong = [undefined, "", "000000", totpCode(app.secret, stepNow() - 30), other.app.code()];
    for (const otp of wrong) {
      const answer = await signIn(who, otp);
      assert.equal(answer.status, 401);
      assert.equal(answer.text, INCORRECT);
    }
    const unused = await signIn(who, app.code(), "a wrong password");
    assert.equal(unused.text, INCORRECT);
    assert.equal((await signIn(who, app.code())).status, 200, "which did not use the code up");
  });

  test("of many requests with one code one passes", async () => {
    const { who, app } = await someoneWithApp();
    await set(who, "password_and_code");
    const code = app.code();
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(who, code)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  test("asks the same statements of unknown accounts, wrong passwords and wrong codes", async () => {
    const { who } = await someoneWithApp();
    await set(who, "password_and_code");
    const plain = await service.world.merchant();
    const statements = async (work: () => Promise<unknown>) => {
      const spies = (["rows", "maybeOne", "one"] as const).map((name) =>
        mock.method(service.ctx.db, name),
      );
      await work();
      const texts = spies.map((spy) => spy.mock.calls.length);
      for (const spy of spies) spy.mock.restore();
      return texts;
    };
    const refusals = [
      () => signIn({ email: "nobody@example.com" }, "123456"),
      () => signIn(who, "123456", "a wrong password"),
      () => signIn(who, "123456"),
      () => signIn(plain, "123456", "a wrong password"),
    ];
    const counts = [];
    for (const refusal of refusals) counts.push(await statements(refusal));
    for (const count of counts) assert.deepEqual(count, counts[0]);
  });

  test("wrong codes count with the sign-in failures, also from an address that was known", async () => {
    const { who, app } = await someoneWithApp();
    await set(who, "password_and_code");
    assert.equal((await signIn(who, app.code())).status, 200);
    await forgetCodes(service);
    const failures = () =>
      service.ctx.db.rows(sql`
        select from sign_in_failures where account_number = ${who.accountNumber}`);
    for (let i = 1; i <= 10; i++) {
      assert.equal((await signIn(who, "000000")).status, 401);
      await until(async () => (await failures()).length === i, "the failure is written");
    }
    assert.equal((await signIn(who, app.code())).text, INCORRECT, "throttled");
    assert.equal((await failures()).length, 10, "and not counted");
    await service.clock.advance({ minutes: 31 });
    assert.equal((await signIn(who, app.code())).status, 200);
  });

  test("needs the holder's app, which then stays", async () => {
    const who = await service.world.merchant();
    const tab = await signInTo(service, who);
    await assert.rejects(set(who, "password_and_code"), ApiCodesNeedAuthenticator);
    assert.equal((await signIn(who)).status, 200);
    await setUpApp(service, tab);
    await set(who, "password_and_code");
    const kept = await tab.post("/console/me/authenticator/remove");
    assert.equal(kept.status, 409);
    assert.match(kept.text, /Change that under Security first/);
    await set(who, "password");
    assert.equal((await tab.post("/console/me/authenticator/remove")).status, 303);
  });

  test("is never left without an app, whichever of the two changes comes first", async () => {
    for (let round = 0; round < 4; round++) {
      const { who, tab } = await someoneWithApp();
      const path = "/console/me/authenticator/remove";
      await Promise.allSettled([set(who, "password_and_code"), tab.post(path)]);
      const [row] = await service.ctx.db.rows<{ api_sign_in: string; has_app: boolean }>(sql`
        select api_sign_in, exists (select from totp_secrets
            where totp_secrets.person_id = persons.person_id) as has_app
        from accounts join persons on holder_of = account_number
        where account_number = ${who.accountNumber}`);
      assert(row?.has_app === true || row?.api_sign_in === "password", JSON.stringify(row));
    }
  });
});

test("off refuses the right password with any code, and keeps what exists", async () => {
  const { who, app } = await someoneWithApp();
  const tokens = await who.signIn();
  await set(who, "off");
  for (const otp of [undefined, app.code()]) assert.equal((await signIn(who, otp)).text, INCORRECT);
  assert.equal((await whoami(service, { token: tokens.access_token })).status, 200);
  await signInTo(service, await service.world.merchant());
});

test("password ignores a code, right or wrong, and does not use it up", async () => {
  const { who, app } = await someoneWithApp();
  const code = app.code();
  for (const otp of ["000000", code, code, "x".repeat(64)])
    assert.equal((await signIn(who, otp)).status, 200);
  assert.equal((await signIn(who, "x".repeat(65))).status, 400);
});

test("a change is audited once", async () => {
  const { who } = await someoneWithApp();
  await set(who, "off");
  await set(who, "off");
  const entries = await service.ctx.db.rows<{ detail: { to: string; browser: string } }>(sql`
    select detail from audit_entries
    where account_number = ${who.accountNumber} and action = 'api_sign_in_changed'`);
  assert.deepEqual(
    entries.map(({ detail }) => detail.to),
    ["off"],
  );
  assert.equal(entries[0]?.detail.browser, "x");
});

/**
 * Guessing at the old password is guessing at the account: it counts with failed sign-ins and is
 * stopped like them, in the words of a wrong password (Decisions 0011 and 0020).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { attempt, auditsOf, INCORRECT, TOO_MANY } from "../../../testkit/auth.ts";
import { type Holder, signedIn } from "../../../testkit/banks.ts";
import { type Credential, mintKey } from "../../../testkit/credentials.ts";
import { holdHashes } from "../../../testkit/held-hashes.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { PASSWORD } from "../../../testkit/world.ts";

const NEW = "battery staple";
const GOOD = { old_password: PASSWORD, new_password: NEW, confirm_password: NEW };
const OLD_WRONG = '{"message":"The old password is incorrect."}';

const changeAt = (at: TestService, credential: Credential, json: unknown) =>
  at.request("/user/password", { method: "PATCH", ...credential, json });

describe("guessing the old password", () => {
  const HOME = "198.51.100.1";
  const AWAY = "198.51.100.77";
  let guarded: TestService;
  before(async () => {
    guarded = await startService({
      settings: { SIGN_IN_FAILURES_MAX: "3", TRUSTED_PROXIES: "127.0.0.1/32" },
    });
  });
  after(() => guarded.stop());
  const from = (who: Holder, address: string, json: unknown) =>
    guarded.request("/user/password", {
      method: "PATCH",
      token: who.token,
      json,
      headers: { "x-forwarded-for": address },
    });

  test("counts with guesses at the sign-in, and is stopped like them", async () => {
    const who = await signedIn(guarded);
    assert.equal((await attempt(guarded, who, { from: HOME })).status, 200);
    const wrong = { ...GOOD, old_password: "wrong horse" };
    for (let i = 0; i < 3; i++) assert.equal((await from(who, AWAY, wrong)).text, OLD_WRONG);
    assert.equal((await from(who, AWAY, GOOD)).text, OLD_WRONG, "throttled, whatever it knows");
    assert.equal((await attempt(guarded, who, { from: AWAY })).text, INCORRECT);
    assert.equal((await attempt(guarded, who, { from: HOME })).status, 200);
    assert.equal((await from(who, HOME, GOOD)).status, 200, "the owner's own address is welcome");
  });

  test("many at once are stopped like those that come one after the other", async () => {
    const who = await signedIn(guarded);
    const held = holdHashes(guarded);
    try {
      const wrong = [1, 2, 3].map((i) =>
        from(who, AWAY, { ...GOOD, old_password: `wrong horse ${i}` }),
      );
      const right = from(who, AWAY, GOOD);
      await held.untilWaiting(4);
      held.letGo((password) => password !== PASSWORD);
      for (const answer of await Promise.all(wrong)) assert.equal(answer.text, OLD_WRONG);
      held.letGo(() => true);
      assert.equal((await right).text, OLD_WRONG);
    } finally {
      held.restore();
    }
    assert.equal(await auditsOf(guarded, who, "password_changed"), 0);
  });

  test("is limited to 5 a minute for an account, whatever the credential", async () => {
    const limited = await startService({ settings: { LIMIT_PASSWORD: "5" } });
    try {
      const who = await signedIn(limited);
      const { key } = await mintKey(limited.ctx, who, ["svc-user-all"], { prefix: "live" });
      const wrong = { ...GOOD, old_password: "wrong horse" };
      for (let i = 0; i < 5; i++)
        assert.equal((await changeAt(limited, i % 2 ? { key } : who, wrong)).text, OLD_WRONG);
      const sixth = await changeAt(limited, who, GOOD);
      assert.deepEqual([sixth.status, sixth.text], [429, TOO_MANY]);
      assert.equal((await changeAt(limited, { key }, GOOD)).status, 429);
    } finally {
      await limited.stop();
    }
  });
});

/**
 * Guessing at one account from many addresses stops after so many failures, without a word that
 * tells so and without locking out its owner: known addresses, tokens and keys stay good.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  attempt,
  auditsOf,
  change,
  countOf,
  grantsOf,
  INCORRECT,
  refresh,
  whoami,
} from "../../../testkit/auth.ts";
import { holdHashes } from "../../../testkit/held-hashes.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import type { Person, Tokens } from "../../../testkit/world.ts";

const HOME = "198.51.100.1";
const AWAY = "198.51.100.77";
const settings = { SIGN_IN_FAILURES_MAX: "3", TRUSTED_PROXIES: "127.0.0.1/32" };

let service: TestService;
before(async () => {
  service = await startService({ settings });
});
after(() => service.stop());

const failuresOf = (who: Person) =>
  countOf(service, sql`sign_in_failures where account_number = ${who.accountNumber}`);

/** Guesses from ever new addresses, and waits until the service has written them down. */
async function guess(who: Person, times: number): Promise<void> {
  const before = await failuresOf(who);
  for (let i = 1; i <= times; i++) {
    const answer = await attempt(service, who, {
      password: "wrong horse",
      from: `203.0.113.${i}`,
    });
    assert.equal(answer.text, INCORRECT);
  }
  await until(async () => (await failuresOf(who)) === before + times, "the guesses are written");
}

describe("after three failures within half an hour", () => {
  let shop: Person;
  let pair: Tokens;
  beforeEach(async () => {
    shop = await service.world.merchant();
    pair = (await attempt(service, shop, { from: HOME, scopes: shop.allScopes })).body;
    assert.equal((await attempt(service, shop, { from: HOME })).status, 200);
    await guess(shop, 3);
  });

  test("an address the account never signed in from gets the 401 of a wrong password", async () => {
    const grants = await grantsOf(service, shop);
    const refused = await attempt(service, shop, { from: AWAY });
    const wrong = await attempt(service, { email: "nobody@example.com" }, { from: AWAY });
    assert.equal(refused.status, 401);
    assert.equal(refused.text, INCORRECT);
    const names = (answer: typeof refused) => [...answer.headers.keys()];
    assert.deepEqual(names(refused), names(wrong));
    assert.equal(await grantsOf(service, shop), grants);
  });

  test("the refusal costs a password hash like any other, against nobody's digest", async () => {
    const hashed = mock.method(service.ctx.passwords, "matches");
    await attempt(service, shop, { from: AWAY });
    const calls = hashed.mock.calls.map((call) => call.arguments[1]);
    hashed.mock.restore();
    assert.deepEqual(calls, [undefined]);
  });

  test("the owner's known address, tokens and keys are as welcome as before", async () => {
    assert.equal((await attempt(service, shop, { from: HOME })).status, 200);
    const token = pair.access_token;
    assert.equal((await whoami(service, { token, from: AWAY })).status, 200);
    const json = { environment: "test", scopes: "svc-user-all" };
    const made = await service.request("/auth/keys", { method: "POST", token, json });
    const { key } = made.body.data;
    assert.equal((await whoami(service, { key, from: AWAY })).status, 200);
    assert.equal((await refresh(service, pair.refresh_token)).status, 200);
  });

  test("a wrong password from the known address is still wrong", async () => {
    const answer = await attempt(service, shop, { from: HOME, password: "wrong horse" });
    assert.equal(answer.text, INCORRECT);
  });

  test("each failure is in the audit trail with its address", async () => {
    assert.equal(await auditsOf(service, shop, "sign_in_failed"), 3);
    const rows = await service.ctx.db.rows<{ actor: string }>(sql`
      select actor from audit_entries
      where account_number = ${shop.accountNumber} and action = 'sign_in_failed'`);
    const actors = rows.map(({ actor }) => actor).sort();
    assert.deepEqual(actors, ["203.0.113.1", "203.0.113.2", "203.0.113.3"]);
  });

  test("it is over half an hour later", async () => {
    // An owner who keeps trying meanwhile makes it no longer: what is throttled is not counted.
    for (let minute = 1; minute < 29; minute += 4) {
      await service.clock.advance({ minutes: 4 });
      assert.equal((await attempt(service, shop, { from: AWAY })).text, INCORRECT);
    }
    assert.equal(await failuresOf(shop), 3);
    await service.clock.advance({ minutes: 3 });
    assert.equal((await attempt(service, shop, { from: AWAY })).status, 200);
  });

  test("another account is not touched by it", async () => {
    const neighbour = await service.world.merchant();
    assert.equal((await attempt(service, neighbour, { from: "203.0.113.1" })).status, 200);
  });
});

describe("of guesses that all came before the first was counted", () => {
  test("no more are judged than one after the other, the right one among them", async () => {
    const shop = await service.world.merchant();
    const held = holdHashes(service);
    try {
      const wrong = [1, 2, 3, 4, 5].map((i) =>
        attempt(service, shop, { password: `wrong horse ${i}`, from: `203.0.113.${i}` }),
      );
      const right = attempt(service, shop, { from: AWAY });
      await held.untilWaiting(6);
      held.letGo((password) => /[123]$/.test(password));
      await until(async () => (await failuresOf(shop)) === 3, "three are counted");
      held.letGo(() => true);
      for (const answer of await Promise.all([...wrong, right]))
        assert.equal(answer.text, INCORRECT);
    } finally {
      held.restore();
    }
    assert.equal(await grantsOf(service, shop), 0);
    assert.equal(await failuresOf(shop), 3, "what is throttled is not counted");
    assert.equal((await attempt(service, shop, { from: AWAY })).text, INCORRECT);
  });

  test("everybody's is looked at as often, whether there is an account or not", async () => {
    const shop = await service.world.merchant();
    const looks = async (who: { email: string }, password?: string) => {
      const asked = mock.method(service.ctx.db, "one");
      await attempt(service, who, { from: AWAY, ...(password === undefined ? {} : { password }) });
      const texts = asked.mock.calls.map((call) => call.arguments[0].text);
      asked.mock.restore();
      return texts.filter((text) => text.includes("sign_in_failures")).length;
    };
    assert.equal(await looks({ email: "nobody@example.com" }), 2);
    assert.equal(await looks(shop, "wrong horse"), 2);
    assert.equal(await looks(shop), 2);
  });
});

describe("what is no reason to refuse anybody", () => {
  test("two failures", async () => {
    const shop = await service.world.merchant();
    await guess(shop, 2);
    assert.equal((await attempt(service, shop, { from: AWAY })).status, 200);
  });

  test("bad requests and scopes that are not allowed", async () => {
    const shop = await service.world.merchant();
    for (let i = 0; i < 3; i++) {
      const forbidden = await attempt(service, shop, { from: AWAY, scopes: "svc-accounts-all" });
      assert.equal(forbidden.status, 403);
      assert.equal((await attempt(service, shop, { from: AWAY, password: "short" })).status, 400);
    }
    assert.equal((await attempt(service, shop, { from: AWAY })).status, 200);
    assert.equal(await failuresOf(shop), 0);
  });

  test("guesses at an e-mail that nobody has leave no row", async () => {
    const rows = await countOf(service, sql`sign_in_failures`);
    await attempt(service, { email: "nobody@example.com" }, { from: AWAY });
    assert.equal(await countOf(service, sql`sign_in_failures`), rows);
  });

  test("a 403 does not make an address a known one", async () => {
    const shop = await service.world.merchant();
    await attempt(service, shop, { from: AWAY, scopes: "svc-accounts-all" });
    await guess(shop, 3);
    assert.equal((await attempt(service, shop, { from: AWAY })).text, INCORRECT);
  });

  test("a closed account answers as it would without any throttle", async () => {
    const shop = await service.world.merchant();
    await attempt(service, shop, { from: HOME });
    await change(service, shop, "closed");
    assert.equal((await attempt(service, shop, { from: HOME })).text, INCORRECT);
  });
});

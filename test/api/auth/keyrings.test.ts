/**
 * Every secret of the service can be replaced without a moment in which honest requests fail: a new
 * first key in a ring, the old one behind it. Only dropping the old one ends what it protects.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { decodeProtectedHeader } from "jose";
import { sql } from "../../../src/infra/db/query.ts";
import { Unavailable } from "../../../src/kit/errors.ts";
import { rotateSigningKeys } from "../../../src/modules/auth/signing-keys.ts";
import {
  attempt,
  INCORRECT,
  REFRESH_INVALID,
  refresh,
  UNAUTHORIZED,
  whoami,
} from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person, Tokens } from "../../../testkit/world.ts";

const ring = (...ids: string[]) => ids.map((id) => `${id}:${SECRETS[id]}`).join(",");
const SECRETS: Record<string, string> = Object.fromEntries(
  ["old", "new"].map((id) => [id, randomBytes(32).toString("base64")]),
);
const settingsWith = (peppers: string) => ({
  PASSWORD_PEPPERS: peppers,
  TOKEN_PEPPERS: peppers,
  WRAPPING_KEYS: peppers,
});

let past: TestService;
let turning: TestService;
let shop: Person;
let pair: Tokens;
let key: string;
let unused: Tokens;
before(async () => {
  past = await startService({ settings: settingsWith(ring("old")) });
  shop = await past.world.merchant();
  pair = await shop.signIn();
  unused = await shop.signIn();
  key = (await shop.makeKey()).key;
  const { database } = past;
  turning = await startService({ settings: settingsWith(ring("new", "old")), database });
});
after(async () => {
  await turning.stop();
  await past.stop();
});

async function digestOf(who: Person) {
  return past.ctx.db.one<{ password_digest: string; pepper_id: string }>(sql`
    select password_digest, pepper_id from accounts where account_number = ${who.accountNumber}`);
}

describe("with a new first key in every ring", () => {
  test("tokens and keys made before work as before, in both processes", async () => {
    for (const one of [past, turning])
      for (const credential of [{ token: pair.access_token }, { key }])
        assert.equal((await whoami(one, credential)).status, 200);
  });

  test("a refresh token made before is exchanged, and its lost answer given again", async () => {
    const first = await refresh(turning, pair.refresh_token);
    const again = await refresh(turning, pair.refresh_token);
    assert.equal(first.status, 200);
    assert.equal(again.text, first.text);
    const rows = await past.ctx.db.rows<{ pepper_id: string }>(sql`
      select pepper_id from refresh_tokens join grants using (grant_id)
      where account_number = ${shop.accountNumber} order by issued_at desc limit 1`);
    assert.deepEqual(rows, [{ pepper_id: "new" }]);
  });

  test("new keys are digested under the new pepper", async () => {
    const { access_token: token } = (await attempt(turning, shop, { scopes: shop.allScopes })).body;
    const json = { environment: "test", scopes: "svc-user-all" };
    const { data } = (await turning.request("/auth/keys", { method: "POST", token, json })).body;
    const row = sql`select pepper_id from api_keys where kid = ${data.kid}`;
    assert.deepEqual(await past.ctx.db.rows(row), [{ pepper_id: "new" }]);
    assert.equal((await whoami(turning, { key: data.key })).status, 200);
    assert.equal((await whoami(past, { key: data.key })).text, UNAUTHORIZED);
  });

  test("a password is renewed under the new pepper when its owner signs in, once", async () => {
    const who = await past.world.person();
    const before = await digestOf(who);
    assert.equal(before.pepper_id, "old");
    assert.equal((await attempt(turning, who, { password: "wrong horse" })).text, INCORRECT);
    assert.deepEqual(await digestOf(who), before, "a wrong password renews nothing");
    const { access_token: token } = (await attempt(turning, who)).body;
    const renewed = await digestOf(who);
    assert.equal(renewed.pepper_id, "new");
    assert.notEqual(renewed.password_digest, before.password_digest);
    assert.equal((await whoami(turning, { token })).status, 200, "and no sign-in ends by it");
    assert.equal((await attempt(turning, who)).status, 200);
    assert.deepEqual(await digestOf(who), renewed);
  });

  test("a sign-in does not fail because the renewal of its password does", async (t) => {
    const who = await past.world.person();
    const before = await digestOf(who);
    t.mock.method(turning.ctx.passwords, "digest", async () => {
      throw new Unavailable({ cause: "too many at once" });
    });
    const answer = await attempt(turning, who);
    assert.equal(answer.status, 200);
    assert.equal((await whoami(turning, { token: answer.body.access_token })).status, 200);
    assert.deepEqual(await digestOf(who), before);
  });

  test("the renewal never undoes a password that was changed meanwhile", async (t) => {
    const who = await past.world.person();
    const { passwords, db } = turning.ctx;
    const digest = passwords.digest;
    const changed = await passwords.digest("another password");
    t.mock.method(passwords, "digest", async (password: string) => {
      await db.run(sql`
        update accounts set password_digest = ${changed.digest}, pepper_id = ${changed.pepperId},
          credential_epoch = credential_epoch + 1 where account_number = ${who.accountNumber}`);
      return digest(password);
    });
    await attempt(turning, who);
    assert.equal((await digestOf(who)).password_digest, changed.digest);
    assert.equal((await attempt(turning, who)).text, INCORRECT);
    assert.equal((await attempt(turning, who, { password: "another password" })).status, 200);
  });

  test("signing keys sealed under the old key sign on, new ones use the new", async () => {
    const { access_token: token } = (await attempt(turning, shop)).body;
    assert.equal(decodeProtectedHeader(token).kid, decodeProtectedHeader(pair.access_token).kid);
    const { db, config } = turning.ctx;
    for (let turn = 0; turn < 2; turn++)
      await db.transaction((tx) => rotateSigningKeys(tx, config.wrappingKeys));
    const row = sql`select wrapping_key_id from signing_keys where state = 'current'`;
    assert.deepEqual(await past.ctx.db.rows(row), [{ wrapping_key_id: "new" }]);
    const later = (await attempt(turning, shop)).body.access_token;
    for (const good of [token, later, pair.access_token])
      assert.equal((await whoami(turning, { token: good })).status, 200);
    assert.equal((await whoami(past, { token: later })).status, 200);
  });
});

test("a password made with lower costs is renewed at today's when its owner signs in", async () => {
  const who = await past.world.person();
  const { password_digest: floor } = await digestOf(who);
  assert.match(floor, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const standard = await startService({
    settings: { ...settingsWith(ring("new", "old")), PASSWORD_HASHING: "standard" },
    database: past.database,
  });
  assert.equal((await attempt(standard, who)).status, 200);
  assert.match((await digestOf(who)).password_digest, /^\$argon2id\$v=19\$m=65536,t=2,p=1\$/);
  assert.equal((await attempt(standard, who)).status, 200);
  await standard.stop();
});

test("without the old key what it digested is a 401 and no error of ours", async () => {
  const future = await startService({
    settings: settingsWith(ring("new")),
    database: past.database,
  });
  assert.equal((await whoami(future, { key })).text, UNAUTHORIZED);
  assert.equal((await refresh(future, unused.refresh_token)).text, REFRESH_INVALID);
  assert.equal((await whoami(future, { token: unused.access_token })).status, 200);
  await future.stop();
});

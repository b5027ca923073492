/**
 * Rotating a key: the successor is the same key with another secret, the old one dies exactly when
 * it was said to, and one key has one successor.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { countOf, SCOPE_REFUSED, UNAUTHORIZED, whoami } from "../../../testkit/auth.ts";
import { untilWaiting } from "../../../testkit/lock-waits.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

const WEEK_SECONDS = 7 * 24 * 3600;
const EXPIRY = "2099-01-31T12:00:00.000Z";

let service: TestService;
let shop: Person;
let token: string;
before(async () => {
  service = await startService();
});
beforeEach(async () => {
  shop = await service.world.merchant();
  token = (await shop.signIn()).access_token;
});
after(() => service.stop());

const rotate = (kid: string, json?: unknown, as = token) =>
  service.request(`/auth/keys/${kid}/rotate`, {
    method: "POST",
    token: as,
    ...(json === undefined ? {} : { json }),
  });
const read = async (kid: string) =>
  (await service.request(`/auth/keys/${kid}`, { token })).body.data;
const statusOf = async (key: string) => (await whoami(service, { key })).status;
const keysOf = () => countOf(service, sql`api_keys where account_number = ${shop.accountNumber}`);

describe("POST /auth/keys/{kid}/rotate", () => {
  test("holds no key while it waits for its account: ending all keys cannot deadlock", async () => {
    const { kid } = await shop.makeKey("svc-user-all");
    const { db } = service.ctx;
    const { answer } = await db.transaction(async (tx) => {
      await tx.run(sql`
        select from accounts where account_number = ${shop.accountNumber} for update`);
      const rotated = rotate(kid);
      await untilWaiting(db);
      await tx.run(sql`select from api_keys where kid = ${kid} for update nowait`);
      return { answer: rotated };
    });
    assert.equal((await answer).status, 201);
  });

  test("gives a successor with the same settings and names it in the old record", async () => {
    const fields = { name: "Till", environment: "live", allowed_cidrs: ["127.0.0.0/8"] };
    const old = await shop.makeKey("svc-user-all", { ...fields, expires_at: EXPIRY });
    const answer = await rotate(old.kid, { overlap_seconds: 60 });
    assert.equal(answer.status, 201);
    assert.equal(answer.body.message, "Created");
    const { key, kid, created_at, ...rest } = answer.body.data;
    assert.match(key, /^svc_live_[0-9a-f]{18}_[0-9a-f]{64}$/);
    assert.notEqual(kid, old.kid);
    assert.equal(typeof created_at, "string");
    assert.deepEqual(rest, {
      ...fields,
      status: "active",
      scopes: ["svc-user-all"],
      expires_at: EXPIRY,
      last_used_at: null,
      rotated_to: null,
    });
    assert.equal((await read(old.kid)).rotated_to, kid);
  });

  for (const [name, body] of [
    ["without a body", undefined],
    ["with an overlap of 0", { overlap_seconds: 0 }],
    ["with an empty overlap", { overlap_seconds: "" }],
  ] as const)
    test(`${name} ends the old key at once`, async () => {
      const old = await shop.makeKey();
      const { data } = (await rotate(old.kid, body)).body;
      assert.equal((await whoami(service, { key: old.key })).text, UNAUTHORIZED);
      assert.equal(await statusOf(data.key), 200);
      assert.equal((await read(old.kid)).status, "revoked");
    });

  test("without an overlap the old key can no longer be changed", async () => {
    const old = await shop.makeKey();
    await rotate(old.kid);
    const json = { name: "Till" };
    const answer = await service.request(`/auth/keys/${old.kid}`, { method: "PATCH", token, json });
    assert.equal(answer.status, 409);
    assert.equal(answer.body.message, "The API key has already been rotated.");
  });

  test("without an overlap the old key stays dead when the clock is set back", async () => {
    const old = await shop.makeKey();
    await service.clock.advance({ hours: 1 });
    await rotate(old.kid);
    await service.clock.advance({ minutes: -59 });
    assert.equal(await statusOf(old.key), 401);
  });

  test("with an overlap lets both work until it ends, and then one", async () => {
    const old = await shop.makeKey();
    const { data } = (await rotate(old.kid, { overlap_seconds: "3600" })).body;
    assert.deepEqual([await statusOf(old.key), await statusOf(data.key)], [200, 200]);
    await service.clock.advance({ minutes: 59, seconds: 50 });
    assert.deepEqual([await statusOf(old.key), await statusOf(data.key)], [200, 200]);
    await service.clock.advance({ seconds: 10 });
    assert.deepEqual([await statusOf(old.key), await statusOf(data.key)], [401, 200]);
  });

  test("ends the old key exactly at the moment its record names", async () => {
    const old = await shop.makeKey();
    await rotate(old.kid, { overlap_seconds: 600 });
    const { now } = await service.ctx.db.one<{ now: Date }>(sql`select app_now() as now`);
    const left = Date.parse((await read(old.kid)).expires_at) - now.getTime();
    assert(left > 595_000 && left <= 600_000, `${left} ms are left`);
    await service.clock.advance({ seconds: left / 1000 });
    assert.equal(await statusOf(old.key), 401);
  });

  test("never makes a key live longer than it would have", async () => {
    const { now } = await service.ctx.db.one<{ now: Date }>(sql`select app_now() as now`);
    const expires_at = new Date(now.getTime() + 60_000).toISOString();
    const old = await shop.makeKey("svc-user-all", { expires_at });
    const { data } = (await rotate(old.kid, { overlap_seconds: 3600 })).body;
    assert.equal(data.expires_at, expires_at);
    assert.equal((await read(old.kid)).expires_at, expires_at);
  });

  const BAD = [-1, WEEK_SECONDS + 1, 1.5, "1e3", "x", true, [60], { seconds: 60 }];
  for (const overlap_seconds of BAD)
    test(`an overlap of ${JSON.stringify(overlap_seconds)} answers 400`, async () => {
      const { kid, key } = await shop.makeKey();
      const answer = await rotate(kid, { overlap_seconds });
      assert.equal(answer.status, 400);
      const message = `The overlap seconds must be a whole number from 0 to ${WEEK_SECONDS}.`;
      assert.deepEqual(answer.body, { message });
      assert.equal(await statusOf(key), 200);
      assert.equal(await keysOf(), 1);
    });

  test("takes an overlap of a week", async () => {
    const { kid } = await shop.makeKey();
    assert.equal((await rotate(kid, { overlap_seconds: WEEK_SECONDS })).status, 201);
  });
});

describe("a key that cannot be rotated", () => {
  test("because it was: 409, while its successor can be", async () => {
    const old = await shop.makeKey();
    const { data } = (await rotate(old.kid, { overlap_seconds: 60 })).body;
    const again = await rotate(old.kid);
    assert.equal(again.status, 409);
    assert.deepEqual(again.body, { message: "The API key has already been rotated." });
    assert.equal(await statusOf(data.key), 200);
    assert.equal((await rotate(data.kid)).status, 201);
    assert.equal(await keysOf(), 3);
  });

  test("because it was revoked: 409", async () => {
    const { kid } = await shop.makeKey();
    await service.request(`/auth/keys/${kid}`, { method: "DELETE", token });
    assert.deepEqual((await rotate(kid)).body, { message: "The API key has been revoked." });
    assert.equal(await keysOf(), 1);
  });

  test("because it has expired: 409", async () => {
    const { kid } = await shop.makeKey();
    await service.ctx.db.run(sql`update api_keys set expires_at = app_now() where kid = ${kid}`);
    assert.deepEqual((await rotate(kid)).body, { message: "The API key has expired." });
    assert.equal(await keysOf(), 1);
  });

  test("because the token carries less than the key: 403, and the key lives on", async () => {
    const { kid, key } = await shop.makeKey("svc-user-all svc-withdrawals-create");
    const narrow = (await shop.signIn("svc-user-all")).access_token;
    const answer = await rotate(kid, {}, narrow);
    assert.equal(answer.status, 403);
    assert.equal(answer.text, SCOPE_REFUSED);
    assert.equal(await statusOf(key), 200);
    assert.equal(await keysOf(), 1);
  });

  test("twice at once: one successor, and the others get 409", async () => {
    const old = await shop.makeKey();
    const answers = await Promise.all(Array.from({ length: 12 }, () => rotate(old.kid)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 11);
    assert.equal(await keysOf(), 2);
  });

  test("beside its revocation: the old key is dead, and a successor is there that was answered", async () => {
    for (let round = 0; round < 8; round++) {
      const old = await shop.makeKey();
      const before = await keysOf();
      const revoke = () => service.request(`/auth/keys/${old.kid}`, { method: "DELETE", token });
      const both = round % 2 === 0 ? [rotate(old.kid), revoke()] : [revoke(), rotate(old.kid)];
      const answers = await Promise.all(both);
      const [rotated, revoked] = round % 2 === 0 ? answers : answers.toReversed();
      assert.equal(revoked?.status, 200);
      assert.equal(await statusOf(old.key), 401);
      const isRotated = rotated?.status === 201;
      assert(isRotated || rotated?.status === 409, rotated?.text);
      assert.equal(await keysOf(), before + (isRotated ? 1 : 0));
      if (isRotated) assert.equal(await statusOf(rotated.body.data.key), 200);
    }
  });
});

test("an account with twenty keys can still rotate one of them", async () => {
  const kids: string[] = [];
  for (let i = 0; i < 20; i++) {
    const json = { environment: "test", scopes: "svc-user-all" };
    const answer = await service.request("/auth/keys", { method: "POST", token, json });
    kids.push(answer.body.data.kid);
  }
  assert.equal((await rotate(kids[0] ?? "")).status, 201);
  const json = { environment: "test", scopes: "svc-user-all" };
  assert.equal((await service.request("/auth/keys", { method: "POST", token, json })).status, 409);
});

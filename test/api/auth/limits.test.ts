/**
 * The limits of authentication at their defaults (Interface §8): five in any sliding minute,
 * counted once for all processes, told in headers, and a request over the limit has no effect.
 */

import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  attempt,
  countOf,
  grantsOf,
  TOO_MANY,
  UNAUTHORIZED,
  whoami,
} from "../../../testkit/auth.ts";
import { startService, type TestAnswer, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

const settings = {
  LIMIT_SIGN_IN: "5",
  LIMIT_REFRESH: "5",
  LIMIT_REVOKE: "5",
  LIMIT_KEYS: "20",
  TRUSTED_PROXIES: "127.0.0.1/32",
  SIGN_IN_FAILURES_MAX: "1000",
};

let service: TestService;
let sibling: TestService;
let shop: Person;
before(async () => {
  service = await startService({ settings });
  sibling = await startService({ settings, database: service.database });
  shop = await service.world.merchant();
});
after(async () => {
  await sibling.stop();
  await service.stop();
});

/** A new address for every test, so that none finds another's window. */
let addressesUsed = 0;
const newAddress = () => `198.51.100.${++addressesUsed}`;

function rateOf({ headers }: TestAnswer) {
  return [headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")];
}

function expectTooMany(answer: TestAnswer, waitMax = 60): number {
  assert.equal(answer.status, 429);
  assert.equal(answer.text, TOO_MANY);
  assert.deepEqual(rateOf(answer).at(1), "0");
  const wait = Number(answer.headers.get("retry-after"));
  assert(Number.isInteger(wait) && wait >= 1 && wait <= waitMax, `Retry-After is ${wait}`);
  return wait;
}

async function statusesFrom(from: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await attempt(service, shop, { from })).status);
  return statuses;
}

async function tokenFrom(from: string): Promise<string> {
  return (await attempt(service, shop, { from, scopes: shop.allScopes })).body.access_token;
}

describe("POST /auth/tokens", () => {
  test("counts down to zero and refuses the sixth, good as its credentials are", async () => {
    const from = newAddress();
    for (const left of ["4", "3", "2", "1", "0"]) {
      const answer = await attempt(service, shop, { from });
      assert.equal(answer.status, 200);
      assert.deepEqual(rateOf(answer), ["5", left]);
    }
    const grants = await grantsOf(service, shop);
    expectTooMany(await attempt(service, shop, { from }));
    assert.equal(await grantsOf(service, shop), grants);
  });

  test("counts refusals too: five bad requests leave nothing for a good one", async () => {
    const from = newAddress();
    const headers = { "x-forwarded-for": from };
    for (const left of ["4", "3"]) {
      const answer = await service.request("/auth/tokens", { method: "POST", json: {}, headers });
      assert.equal(answer.status, 400);
      assert.deepEqual(rateOf(answer), ["5", left]);
    }
    for (const left of ["2", "1"]) {
      const answer = await attempt(service, shop, { from, password: "wrong horse" });
      assert.equal(answer.status, 401);
      assert.deepEqual(rateOf(answer), ["5", left]);
    }
    assert.equal((await attempt(service, shop, { from, scopes: "svc-accounts-all" })).status, 403);
    expectTooMany(await attempt(service, shop, { from }));
  });

  test("over the limit hashes no password and counts as no failed sign-in", async () => {
    const from = newAddress();
    await statusesFrom(from, 5);
    const hashed = mock.method(service.ctx.passwords, "matches");
    const answer = await attempt(service, shop, { from, password: "wrong horse" });
    hashed.mock.restore();
    expectTooMany(answer);
    assert.equal(hashed.mock.callCount(), 0);
    assert.equal(await countOf(service, sql`sign_in_failures where address = ${from}::inet`), 0);
  });

  test("works again once the minute is over, and exactly after Retry-After", async () => {
    const from = newAddress();
    await statusesFrom(from, 5);
    const wait = expectTooMany(await attempt(service, shop, { from }));
    assert(wait > 50, `five used within seconds are free again after ${wait} s`);
    await service.clock.advance({ seconds: wait - 5 });
    expectTooMany(await attempt(service, shop, { from }), 5);
    await service.clock.advance({ seconds: 5 });
    assert.equal((await attempt(service, shop, { from })).status, 200);
  });

  test("slides: what was used half a minute ago still counts", async () => {
    const from = newAddress();
    assert.deepEqual(await statusesFrom(from, 3), [200, 200, 200]);
    await service.clock.advance({ seconds: 30 });
    assert.deepEqual(await statusesFrom(from, 3), [200, 200, 429]);
    await service.clock.advance({ seconds: 31 });
    // The three of the first half have left the window, the two of the second have not.
    assert.deepEqual(await statusesFrom(from, 4), [200, 200, 200, 429]);
    expectTooMany(await attempt(service, shop, { from }), 30);
  });

  test("gives no second five at the turn of a minute", async () => {
    const from = newAddress();
    await service.ctx.db.run(sql`
      update clock_shift set shift = shift
        + (date_trunc('minute', app_now()) + interval '59 seconds' - app_now())
        + interval '1 minute'`);
    assert.deepEqual(await statusesFrom(from, 5), [200, 200, 200, 200, 200]);
    await service.clock.advance({ seconds: 2 });
    assert.deepEqual(await statusesFrom(from, 5), [429, 429, 429, 429, 429]);
  });

  test("judges exactly five of 200 that come at once to two processes", async () => {
    const from = newAddress();
    const hashed = [service, sibling].map((one) => mock.method(one.ctx.passwords, "matches"));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        attempt(i % 2 === 0 ? service : sibling, shop, { from }),
      ),
    );
    const judged = hashed.reduce((sum, one) => sum + one.mock.callCount(), 0);
    for (const one of hashed) one.mock.restore();
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    assert.equal(answers.filter(({ status }) => status === 429).length, 195);
    assert.equal(judged, 5);
  });

  test("counts by address: another one has five of its own, one IPv6 network has one", async () => {
    await statusesFrom(newAddress(), 6);
    assert.deepEqual(await statusesFrom(newAddress(), 1), [200]);
    const network = `2001:db8:${++addressesUsed}:1`;
    for (let host = 1; host <= 5; host++)
      assert.deepEqual(await statusesFrom(`${network}::${host}`, 1), [200]);
    assert.deepEqual(await statusesFrom(`${network}:ffff::6`, 1), [429]);
    assert.deepEqual(await statusesFrom(`2001:db8:${addressesUsed}:2::1`, 1), [200]);
  });
});

describe("POST /auth/tokens/refresh", () => {
  test("refuses the sixth and does not use the token up", async () => {
    const pair = (await attempt(service, shop, { from: newAddress() })).body;
    const headers = { "x-forwarded-for": newAddress() };
    const ask = (refresh_token: string) =>
      service.request("/auth/tokens/refresh", { method: "POST", form: { refresh_token }, headers });
    for (const left of ["4", "3", "2", "1", "0"]) {
      const answer = await ask("svc_rt_unknown");
      assert.equal(answer.status, 401);
      assert.deepEqual(rateOf(answer), ["5", left]);
    }
    const wait = expectTooMany(await ask(pair.refresh_token));
    await service.clock.advance({ seconds: wait });
    assert.equal((await ask(pair.refresh_token)).status, 200);
  });
});

describe("DELETE /auth/tokens", () => {
  test("asks who is calling before it counts, and over the limit revokes nothing", async () => {
    const headers = { "x-forwarded-for": newAddress() };
    const revoke = (token: string) =>
      service.request("/auth/tokens", { method: "DELETE", token, headers });
    const tokens: string[] = [];
    for (let i = 0; i < 6; i++) tokens.push(await tokenFrom(newAddress()));
    for (let i = 0; i < 10; i++) assert.equal((await revoke("nonsense")).text, UNAUTHORIZED);
    for (const token of tokens.slice(0, 5)) assert.equal((await revoke(token)).status, 200);
    const last = tokens[5] ?? "";
    expectTooMany(await revoke(last));
    assert.equal((await whoami(service, { token: last })).status, 200);
  });
});

describe("the key routes", () => {
  test("take 20 a minute of each token, counted together, before they look at scopes", async () => {
    const token = await tokenFrom(newAddress());
    const list = (credential: string) => service.request("/auth/keys", { token: credential });
    const answers: TestAnswer[] = [];
    for (let i = 0; i < 20; i++) answers.push(await list(token));
    assert(answers.every(({ status }) => status === 200));
    assert.deepEqual(answers.map(rateOf).at(0), ["20", "19"]);
    assert.deepEqual(answers.map(rateOf).at(-1), ["20", "0"]);
    const json = { environment: "test", scopes: "svc-accounts-all" };
    expectTooMany(await service.request("/auth/keys", { method: "POST", token, json }));
    assert.equal((await list(await tokenFrom(newAddress()))).status, 200);
  });
});

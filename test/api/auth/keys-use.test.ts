/**
 * Using an API key: exactly the key that was made, until its end, in its environment; everything
 * else is the same 401. Its last use is written later, off the request's path.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  countOf,
  exactRequest,
  statementsOf,
  UNAUTHORIZED,
  usedAfter,
  whoami,
} from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import type { Person } from "../../../testkit/world.ts";

let service: TestService;
let sibling: TestService;
let shop: Person;
before(async () => {
  service = await startService();
  sibling = await startService({ database: service.database });
});
beforeEach(async () => {
  shop = await service.world.merchant();
});
after(async () => {
  await sibling.stop();
  await service.stop();
});

async function expectRefused(key: string, one = service) {
  const answer = await whoami(one, { key });
  assert.equal(answer.status, 401);
  assert.equal(answer.text, UNAUTHORIZED);
  const challenge = /^Bearer realm="svc", error="invalid_token", error_description="[\w .]+"$/;
  assert.match(answer.headers.get("www-authenticate") ?? "", challenge);
}

/** How many times the table of keys was read while something happened. */
async function keyReads(happening: () => Promise<unknown>): Promise<number> {
  return (await statementsOf(service, happening)).filter((name) => name === "read_keys").length;
}

describe("a key that is not the one that was made", () => {
  const flip = (hex: string) => (hex === "0" ? "1" : "0");
  const at = (key: string, index: number) => {
    const place = index < 0 ? key.length + index : index;
    return key.slice(0, place) + flip(key[place] ?? "") + key.slice(place + 1);
  };
  const SHAPED: readonly [name: string, spoil: (key: string) => string][] = [
    ["one character of its kid changed", (key) => at(key, 9)],
    ["the last character of its kid changed", (key) => at(key, 26)],
    ["the first character of its secret changed", (key) => at(key, 28)],
    ["the last character of its secret changed", (key) => at(key, -1)],
    ["live for test", (key) => key.replace("svc_test_", "svc_live_")],
    ["a secret of zeros", (key) => key.slice(0, 28) + "0".repeat(64)],
  ];
  for (const [name, spoil] of SHAPED)
    test(`${name}: 401`, async () => {
      const { key } = await shop.makeKey();
      assert.notEqual(spoil(key), key);
      await expectRefused(spoil(key));
      assert.equal((await whoami(service, { key })).status, 200);
    });

  test("test for live: 401", async () => {
    const { key } = await shop.makeKey(shop.allScopes, { environment: "live" });
    await expectRefused(key.replace("svc_live_", "svc_test_"));
    assert.equal((await whoami(service, { key })).status, 200);
  });

  test("whose record says another environment than its prefix: 401", async () => {
    const { key, kid } = await shop.makeKey();
    await service.ctx.db.run(sql`update api_keys set environment = 'live' where kid = ${kid}`);
    await expectRefused(key);
  });

  test("the kid of one key with the secret of another: 401", async () => {
    const [one, other] = [(await shop.makeKey()).key, (await shop.makeKey()).key];
    await expectRefused(one.slice(0, 28) + other.slice(28));
  });

  const MISSHAPEN: readonly [name: string, spoil: (key: string) => string][] = [
    ["its hex in capitals", (key) => key.slice(0, 9) + key.slice(9).toUpperCase()],
    ["all in capitals", (key) => key.toUpperCase()],
    ["cut short", (key) => key.slice(0, -1)],
    ["longer", (key) => `${key}0`],
    ["another prefix", (key) => key.replace("svc_", "sk_")],
    ["another environment", (key) => key.replace("_test_", "_prod_")],
    ["only its kid", (key) => key.slice(9, 27)],
    ["with a comma after it", (key) => `${key},`],
    ["twice", (key) => `${key},${key}`],
    ["SQL", () => "svc_live_' or '1'='1"],
    ["empty", () => ""],
    ["of 7 KB", (key) => key + "0".repeat(7_000)],
  ];
  for (const [name, spoil] of MISSHAPEN)
    test(`${name}: 401 without a look into the database`, async () => {
      const { key } = await shop.makeKey();
      assert.equal(await keyReads(() => expectRefused(spoil(key))), 0);
      assert.equal(await keyReads(() => whoami(service, { key })), 1);
    });

  test("a header of 100 KB: 431", async () => {
    assert.equal((await whoami(service, { key: "0".repeat(100_000) })).status, 431);
  });

  test("in another place than X-SVC-Key: 401", async () => {
    const { key } = await shop.makeKey();
    const places: [path: string, lines: [string, string][]][] = [
      ["/auth/whoami", [["authorization", `Bearer ${key}`]]],
      ["/auth/whoami", [["authorization", key]]],
      ["/auth/whoami", [["x-api-key", key]]],
      [`/auth/whoami?key=${key}&x-svc-key=${key}`, []],
      ["/auth/whoami", [["cookie", `x-svc-key=${key}`]]],
    ];
    for (const [path, lines] of places)
      assert.deepEqual(await exactRequest(service, path, lines), {
        status: 401,
        text: UNAUTHORIZED,
      });
  });

  test("in two X-SVC-Key headers: 401, also when both are the same", async () => {
    const { key } = await shop.makeKey();
    const line: [string, string] = ["x-svc-key", key];
    assert.equal((await exactRequest(service, "/auth/whoami", [line])).status, 200);
    assert.equal((await exactRequest(service, "/auth/whoami", [line, line])).status, 401);
  });
});

describe("a key's end", () => {
  test("comes exactly at its expiry, on every process", async () => {
    const { now } = await service.ctx.db.one<{ now: Date }>(sql`select app_now() as now`);
    const expires_at = new Date(now.getTime() + 600_000).toISOString();
    const { key } = await shop.makeKey(shop.allScopes, { expires_at });
    await service.clock.advance({ minutes: 9, seconds: 50 });
    for (const one of [service, sibling]) assert.equal((await whoami(one, { key })).status, 200);
    await service.clock.advance({ seconds: 10 });
    for (const one of [service, sibling]) await expectRefused(key, one);
  });

  test("lets nothing in that began after a revocation was answered, on any process", async () => {
    const { key, kid } = await shop.makeKey();
    const { access_token: token } = await shop.signIn();
    const users = [service, sibling, service, sibling];
    const late = await usedAfter(users, { key }, async () => {
      await service.request(`/auth/keys/${kid}`, { method: "DELETE", token });
    });
    assert.deepEqual(new Set(late), new Set([401]));
  });

  test("is not the end of the token that made it: a key outlives that sign-in", async () => {
    const { access_token: token } = await shop.signIn();
    const json = { environment: "test", scopes: "svc-user-all" };
    const made = await service.request("/auth/keys", { method: "POST", token, json });
    await service.request("/auth/tokens", { method: "DELETE", token });
    assert.equal((await whoami(service, { key: made.body.data.key })).status, 200);
  });
});

describe("a key's last use", () => {
  async function lastUseOf(kid: string): Promise<string | null> {
    const { access_token: token } = await shop.signIn();
    return (await service.request(`/auth/keys/${kid}`, { token })).body.data.last_used_at;
  }
  /** Uses of one process are written together, so once a new key's is there, all are. */
  async function untilWritten(): Promise<void> {
    const { key, kid } = await shop.makeKey();
    await whoami(service, { key });
    const start = performance.now();
    const row = sql`api_keys where kid = ${kid} and last_used_at is not null`;
    await until(async () => (await countOf(service, row)) === 1, "the use is written");
    assert(performance.now() - start < 4_000, "it took longer than a few seconds");
  }

  test("is told within seconds and written at most once a minute", async () => {
    const { key, kid } = await shop.makeKey();
    assert.equal(await lastUseOf(kid), null);
    await whoami(service, { key });
    await untilWritten();
    const first = await lastUseOf(kid);
    assert.notEqual(first, null);
    await whoami(service, { key });
    await untilWritten();
    assert.equal(await lastUseOf(kid), first);
    await service.clock.advance({ seconds: 61 });
    await whoami(service, { key });
    await untilWritten();
    const later = Date.parse((await lastUseOf(kid)) ?? "") - Date.parse(first ?? "");
    assert(later >= 60_000, `it is ${later} ms later`);
  });

  test("is no use when the key was refused", async () => {
    const { key, kid } = await shop.makeKey();
    await whoami(service, { key: `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}` });
    await untilWritten();
    assert.equal(await lastUseOf(kid), null);
  });

  test("is not forgotten when a process stops", async () => {
    const { key, kid } = await shop.makeKey();
    const brief = await startService({ database: service.database });
    await whoami(brief, { key });
    await brief.stop();
    assert.notEqual(await lastUseOf(kid), null);
  });
});

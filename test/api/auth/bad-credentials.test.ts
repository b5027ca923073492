/**
 * Bad API keys and tokens from one address get 401 a thousand times a minute, then 429, counted
 * over all processes (Decision 0072). Good credentials from the same address never notice. The
 * clock of the database stands still unless a test moves it.
 */

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { readConfig } from "../../../src/infra/config.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { limitedAddress } from "../../../src/infra/http/admit/client-address.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { TOO_MANY, UNAUTHORIZED } from "../../../testkit/auth.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import type { RequestOptions, TestAnswer, TestService } from "../../../testkit/service.ts";
import { stopClock } from "../../../testkit/stopped-clock.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import { until } from "../../../testkit/until.ts";

const MAX = 1_000;
const AT_ONCE = 50;

const { service, sibling } = await startTwoServices({
  settings: { LIMIT_BAD_CREDENTIALS: String(MAX), TRUSTED_PROXIES: "127.0.0.0/8" },
});
const { ctx } = service;
await stopClock(ctx.db);
const shop = await service.world.merchant();
const good = {
  token: (await mintToken(ctx, shop, SCOPES)).token,
  key: (await mintKey(ctx, shop, SCOPES)).key,
};
const badKey = (n: number) =>
  `svc_live_${String(n).padStart(18, "0")}_${String(n).padStart(64, "0")}`;

let address = "";
let addresses = 0;
beforeEach(() => {
  addresses += 1;
  address = `203.0.113.${addresses}`;
});

function ask(
  credential: Pick<RequestOptions, "token" | "key" | "headers">,
  { from = address, at = service, path = "/auth/whoami" } = {},
): Promise<TestAnswer> {
  const headers = { "x-forwarded-for": from, ...credential.headers };
  return at.request(path, { ...credential, headers });
}

/** Sends this many bad credentials, over these services in turn; answers per status. */
async function guess(count: number, services: readonly TestService[] = [service]) {
  const statusCounts: Record<number, number> = {};
  for (let from = 0; from < count; from += AT_ONCE) {
    const turns = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => from + n);
    const answers = await Promise.all(
      turns.map((n) => {
        const credential = n % 2 === 0 ? { key: badKey(n) } : { token: `${good.token}${n}` };
        return ask(credential, { at: services[n % services.length] ?? service });
      }),
    );
    for (const { status } of answers) statusCounts[status] = (statusCounts[status] ?? 0) + 1;
  }
  return statusCounts;
}

function expectTooMany({ status, text, headers }: TestAnswer): void {
  assert.deepEqual([status, text], [429, TOO_MANY]);
  const wait = Number(headers.get("retry-after"));
  assert(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
  assert.equal(headers.get("x-ratelimit-limit"), String(MAX));
  assert.equal(headers.get("x-ratelimit-remaining"), "0");
}

function expectUnauthorized({ status, text }: TestAnswer): void {
  assert.deepEqual([status, text], [401, UNAUTHORIZED]);
}

test("a thousand are the default", () => {
  assert.equal(readConfig({}).limitsPerMinute.bad_credentials, MAX);
});

test("the first thousand get 401 and the next 429, over two processes together", async () => {
  assert.deepEqual(await guess(MAX, [service, sibling]), { 401: MAX });
  for (const at of [service, sibling])
    for (const bad of [{ key: badKey(0) }, { token: "x" }, { key: "x" }, { token: good.key }])
      expectTooMany(await ask(bad, { at }));
  for (const at of [service, sibling])
    for (const credential of [{ token: good.token }, { key: good.key }])
      assert.equal((await ask(credential, { at })).status, 200);
  expectUnauthorized(await ask({ key: badKey(0) }, { from: "203.0.113.200" }));
});

describe("once an address is over its limit", () => {
  async function exhaust(from: string): Promise<void> {
    const window = `bad_credentials ${limitedAddress(from)}`;
    await ctx.db.run(sql`select take_rate_limit(${window}, ${MAX}, 60000, 1000, ${MAX})`);
    assert.equal((await ask({ key: badKey(1) }, { from })).status, 429);
  }

  test("good credentials cost no count of addresses", async (t) => {
    await exhaust(address);
    const rows = t.mock.method(ctx.db, "rows");
    assert.equal((await ask({ key: good.key })).status, 200);
    assert.equal((await ask({ token: good.token })).status, 200);
    const names = rows.mock.calls.map((call) => (call.arguments[0] as { name?: string }).name);
    assert(names.length > 0 && !names.includes("take_rate_limits"), names.join());
  });

  test("a bad credential on a public route that knows callers gets 429 too", async () => {
    await exhaust(address);
    const path = "/withdrawals/meta";
    assert.equal((await ask({ key: badKey(2) }, { path })).status, 429);
    assert.equal((await ask({ key: good.key }, { path })).status, 200);
    assert.equal((await ask({}, { path })).status, 200);
  });

  test("what is no guess stays a 401", async () => {
    await exhaust(address);
    expectUnauthorized(await ask({}));
    expectUnauthorized(await ask({ token: good.token, key: good.key }));
    expectUnauthorized(await ask({ key: good.key }, { path: "/auth/keys" }));
  });

  test("an IPv6 network of 64 bits is one address", async () => {
    await exhaust("2001:db8:1:2::1");
    expectTooMany(await ask({ key: badKey(3) }, { from: "2001:db8:1:2::77" }));
    expectUnauthorized(await ask({ key: badKey(3) }, { from: "2001:db8:1:3::77" }));
  });

  test("it is free again after a minute", async () => {
    await exhaust(address);
    await service.clock.advance({ seconds: 61 });
    await until(async () => (await ask({ key: badKey(4) })).status === 401, "the minute is over");
  });
});

test("an expired or revoked credential is a bad one, and none at all is not counted", async () => {
  const { key } = await mintKey(ctx, shop, SCOPES, { expiresAt: new Date(0) });
  await ask({ key });
  await ask({});
  const { hits } = await ctx.db.one<{ hits: number }>(sql`
    select ${MAX} - remaining as hits
    from take_rate_limit(${`bad_credentials ${address}`}, ${MAX}, 60000, 1000, 0)`);
  assert.equal(hits, 1);
});

test("when it cannot be counted the answer is 401, not 503", async (t) => {
  const { rows } = ctx.db;
  t.mock.method(ctx.db, "rows", (statement: { name?: string }) => {
    if (statement.name === "take_rate_limits") throw new Error("no counting today");
    return rows.call(ctx.db, statement as never);
  });
  expectUnauthorized(await ask({ token: "x" }));
});

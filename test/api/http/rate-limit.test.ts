/**
 * At most so many requests in any sliding minute, over all processes together. The clock of this
 * file's database stands still unless a test moves it, so the limiter can be held against a plain
 * model, hit by hit.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/infra/db/query.ts";
import { createRateLimiter } from "../../../src/infra/http/admit/rate-limiter.ts";
import { pruneRequestRows } from "../../../src/infra/http/serve/prune-request-rows.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { moveClock } from "../../../testkit/move-clock.ts";
import { createProbes } from "../../../testkit/probe-routes.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import { startService, type TestAnswer, type TestService } from "../../../testkit/service.ts";
import { stopClock } from "../../../testkit/stopped-clock.ts";

const WINDOW_MS = 60_000;
const STEP_MS = 1_000;

const settings = { LIMIT_SIGN_IN: "5", LIMIT_GENERAL: "3", LIMIT_KEYS: "2" };
const extraRoutes = createProbes().routes;
const service = await startService({ settings, extraRoutes });
const other = await startService({ settings, extraRoutes, database: service.database });
const { db } = service.ctx;
after(async () => {
  await other.stop();
  await service.stop();
});
await stopClock(db);
const shop = await service.world.merchant();
beforeEach(() => db.run(sql`delete from rate_limit_windows`));

const wait = (ms: number) => moveClock(db, { seconds: ms / 1_000 });
const signIn = (from: TestService = service) => from.request("/auth/tokens", { method: "POST" });
const remaining = ({ headers }: TestAnswer) => Number(headers.get("x-ratelimit-remaining"));

/** What a caller does: some requests at once, then a pause. */
const turns = (hitsMax: number) =>
  fc.array(
    fc.record({
      hits: fc.integer({ min: 1, max: hitsMax }),
      pauseMs: fc.oneof(
        fc.integer({ min: 0, max: 3 * STEP_MS }),
        fc.integer({ min: 0, max: WINDOW_MS + STEP_MS }),
        fc.constantFrom(1, STEP_MS, WINDOW_MS / 2, WINDOW_MS - 1, WINDOW_MS, WINDOW_MS + 1),
      ),
    }),
    { minLength: 1, maxLength: 15 },
  );

describe("whatever a caller does,", () => {
  const limiters = [createRateLimiter(db), createRateLimiter(other.ctx.db)];

  /** Hits through both processes at once; the counts that were given. */
  function hitTogether(key: string, max: number, hits: number) {
    const some = Array.from({ length: hits }, (_, i) => limiters[i % 2]?.({ key, max }));
    return Promise.all(some.map((count) => count as NonNullable<typeof count>));
  }

  for (const max of [1, 5, 60])
    test(`a limit of ${max} answers exactly as a list of the last minute's hits would`, async () => {
      await fc.assert(
        fc.asyncProperty(turns(Math.ceil(max * 1.5)), async (story) => {
          const key = randomUUID();
          let granted: number[] = [];
          let now = 0;
          for (const { hits, pauseMs } of story) {
            granted = granted.filter((at) => at > now - WINDOW_MS);
            const left = max - granted.length;
            const counts = await hitTogether(key, max, hits);
            const admitted = counts.filter((count) => count.granted);
            assert.equal(admitted.length, Math.min(hits, left));
            const promised = admitted.map((count) => count.remaining).sort((a, b) => b - a);
            const expected = promised.map((_, place) => left - place - 1);
            assert.deepEqual(promised, expected, "a header promised more or less than is left");
            granted.push(...admitted.map(() => now));
            for (const { retryAfterSeconds } of counts.filter((count) => !count.granted)) {
              const oldest = granted[0] ?? Number.NaN;
              assert.equal(retryAfterSeconds, Math.ceil((oldest + WINDOW_MS - now) / 1_000));
            }
            await wait(pauseMs);
            now += pauseMs;
          }
        }),
        { numRuns: fuzzRuns({ usual: 20, proof: 100 }) },
      );
    });

  test("a limit of 100 admits at most 100 in any 60 s, and no fewer than 100 in 61 s", async () => {
    const max = 100;
    await fc.assert(
      fc.asyncProperty(turns(150), async (story) => {
        const key = randomUUID();
        const granted: number[] = [];
        const within = (now: number, ms: number) => granted.filter((at) => at > now - ms).length;
        let now = 0;
        for (const { hits, pauseMs } of story) {
          const sureOf = Math.min(hits, max - within(now, WINDOW_MS + STEP_MS));
          const counts = await hitTogether(key, max, hits);
          const admitted = counts.filter((count) => count.granted).length;
          for (let i = 0; i < admitted; i++) granted.push(now);
          assert(within(now, WINDOW_MS) <= max, "more than the limit was admitted");
          assert(admitted >= sureOf, "less than the limit was admitted");
          const left = max - within(now, WINDOW_MS);
          const least = Math.min(...counts.map((count) => count.remaining));
          assert(least <= left, "a header promised more than is left");
          for (const count of counts.filter((one) => !one.granted))
            assert(count.retryAfterSeconds >= 1 && count.retryAfterSeconds <= 61);
          await wait(pauseMs);
          now += pauseMs;
        }
      }),
      { numRuns: fuzzRuns({ usual: 20, proof: 100 }) },
    );
  });

  test("a clock that is set back locks nobody out for longer than a minute", async () => {
    const key = randomUUID();
    const [count] = limiters;
    assert(count !== undefined);
    for (let i = 0; i < 5; i++) assert((await count({ key, max: 5 })).granted);
    await wait(-2 * 3_600_000);
    assert.equal((await count({ key, max: 5 })).granted, false);
    await wait(WINDOW_MS);
    assert.equal((await count({ key, max: 5 })).granted, true);
  });
});

describe("POST /auth/tokens", () => {
  test("judges exactly 5 of 100 at once over two processes, the others get 429", async () => {
    const some = Array.from({ length: 100 }, (_, i) => signIn(i % 2 ? service : other));
    const statuses = (await Promise.all(some)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 400).length, 5);
    assert.equal(statuses.filter((status) => status === 429).length, 95);
  });

  test("tells what is left, and when to come back, and keeps its word", async () => {
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await signIn();
      assert.deepEqual([answer.status, remaining(answer)], [400, left]);
      assert.equal(answer.headers.get("x-ratelimit-limit"), "5");
      await wait(10_000);
    }
    for (const seconds of [10, 5, 1]) {
      const refused = await signIn(other);
      assert.deepEqual([refused.status, refused.body], [429, { message: "Too Many Attempts." }]);
      assert.deepEqual([refused.headers.get("x-ratelimit-limit"), remaining(refused)], ["5", 0]);
      assert.equal(refused.headers.get("retry-after"), String(seconds));
      await wait(seconds === 10 ? 5_000 : seconds === 5 ? 4_000 : 1_000);
    }
    assert.equal((await signIn()).status, 400);
    assert.equal((await signIn()).status, 429);
  });

  test("has no seam between two minutes: 5 at 59.9 s leave none at 60.1 s", async () => {
    await wait(59_900);
    for (let i = 0; i < 5; i++) assert.equal((await signIn()).status, 400);
    await wait(200);
    assert.equal((await signIn()).status, 429);
    await wait(59_800);
    assert.equal((await signIn()).status, 400);
  });

  test("does not make a refused request wait longer for asking", async () => {
    for (let i = 0; i < 5; i++) await signIn();
    for (let i = 0; i < 20; i++) assert.equal((await signIn()).status, 429);
    await wait(WINDOW_MS);
    assert.equal((await signIn()).status, 400);
  });
});

describe("a limit is counted", () => {
  const either = (credentials: { token: string } | { key: string }) =>
    service.request("/probe/either", credentials);
  const bearer = (token: string) =>
    service.request("/probe/bearer/x", { method: "PATCH", token, json: { copies: 1 } });

  test("per credential: one of an account does not use up another's", async () => {
    const one = await mintToken(service.ctx, shop, SCOPES);
    const two = await mintKey(service.ctx, shop, SCOPES);
    for (let i = 0; i < 3; i++) assert.equal((await either(one)).status, 200);
    assert.equal((await either(one)).status, 429);
    assert.equal((await either(two)).status, 200);
  });

  test("per account: all its credentials together, and no other account's", async () => {
    const tokens = [await mintToken(service.ctx, shop, SCOPES)];
    tokens.push(await mintToken(service.ctx, shop, SCOPES));
    for (const { token } of tokens) assert.equal((await bearer(token)).status, 200);
    for (const { token } of tokens) assert.equal((await bearer(token)).status, 429);
    const stranger = await mintToken(service.ctx, await service.world.merchant(), SCOPES);
    assert.equal((await bearer(stranger.token)).status, 200);
  });

  test("by its name: the general one over all routes, apart from those with their own", async () => {
    const { token } = await mintToken(service.ctx, shop, SCOPES);
    for (const path of ["/auth/whoami", "/probe/either", "/auth/whoami"])
      assert.equal((await service.request(path, { token })).status, 200);
    assert.equal((await service.request("/probe/either", { token })).status, 429);
    assert.equal((await service.request("/auth/keys", { token })).status, 200);
  });

  test("not at all where health is asked for", async () => {
    for (let i = 0; i < 10; i++) {
      const answer = await service.request("/livez");
      assert.deepEqual([answer.status, answer.headers.get("x-ratelimit-limit")], [200, null]);
    }
  });
});

test("the job forgets windows that nobody has used for two days, and no others", async () => {
  await signIn();
  await service.request("/auth/tokens/refresh", { method: "POST" });
  await db.run(sql`
    update rate_limit_windows set used_at = clock_timestamp() - interval '49 hours'
    where window_key like 'refresh%'`);
  await db.run(sql`
    update rate_limit_windows set used_at = clock_timestamp() - interval '47 hours'
    where window_key like 'signIn%'`);
  await pruneRequestRows.run(service.ctx, undefined);
  const left = await db.rows<{ window_key: string }>(
    sql`select window_key from rate_limit_windows`,
  );
  assert.deepEqual(left, [{ window_key: "signIn 127.0.0.1" }]);
});

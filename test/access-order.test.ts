/**
 * The order in which a protected route judges a request: credential (401), rate limit (429), scope
 * (403), fields (400). An earlier refusal hides every later one, so that nobody learns about a
 * route what their credential does not entitle them to, and a refused credential costs nobody a
 * request.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { appRoutes } from "../src/app.ts";
import { sql } from "../src/infra/db/query.ts";
import type { Route } from "../src/infra/http/route.ts";
import { SCOPES } from "../src/kit/scopes.ts";
import { mintToken } from "../testkit/credentials.ts";
import { createNoteTable, createProbes } from "../testkit/probe-routes.ts";
import { requestFor, routeName } from "../testkit/route-requests.ts";
import { startService } from "../testkit/service.ts";

const PICTURE_LIMITS = ["PICTURE_CREATE", "PICTURE_UPDATE", "PICTURE_DELETE"];
const LIMITS = [
  ...["SIGN_IN", "REFRESH", "REVOKE", "KEYS", "PASSWORD", "PHONE", "VERIFY", "GENERAL"],
  ...["BUSINESS", "LOGO"],
  ...PICTURE_LIMITS,
];
const probes = createProbes();
const service = await startService({
  settings: Object.fromEntries(LIMITS.map((name) => [`LIMIT_${name}`, "1"])),
  extraRoutes: probes.routes,
});
const { ctx } = service;
await createNoteTable(ctx.db);
after(() => service.stop());
const shop = await service.world.mainMerchant();

const GARBAGE = { type: "application/json", body: "{" };

for (const route of [...appRoutes(ctx), ...probes.routes]) {
  if (route.access === "public") continue;
  const { anyScope } = route.access;
  const { path, method } = requestFor(route);
  const raw = method === "GET" ? {} : { raw: GARBAGE };

  describe(routeName(route), () => {
    test("a bad credential gets 401 before and after its limit is used up", async () => {
      const { token } = await exhausted(route);
      for (const bad of [{}, { token: "x" }, { token, key: "x" }]) {
        const answer = await service.request(path, { method, ...bad, ...raw });
        assert.deepEqual([answer.status, answer.body], [401, { message: "Unauthorized" }]);
      }
    });

    test("a good credential over its limit gets 429, whatever its scope and its body", async () => {
      const { token } = await exhausted(route);
      const answer = await service.request(path, { method, token, ...raw });
      assert.deepEqual([answer.status, answer.body], [429, { message: "Too Many Attempts." }]);
      assert.equal(answer.headers.get("x-ratelimit-limit"), "1");
      assert.equal(answer.headers.get("x-ratelimit-remaining"), "0");
      const wait = Number(answer.headers.get("retry-after"));
      assert(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
    });

    if (anyScope !== undefined)
      test("a good credential without the scope gets 403, and the request is counted", async () => {
        await forgetRequests();
        const { token } = await strangerTo(route);
        const first = await service.request(path, { method, token, ...raw });
        assert.equal(first.status, 403);
        assert.equal(first.headers.get("x-ratelimit-remaining"), "0");
        assert.equal((await service.request(path, { method, token, ...raw })).status, 429);
      });

    test("refused credentials use up nobody's limit", async () => {
      await forgetRequests();
      for (let i = 0; i < 3; i++) await service.request(path, { method, token: "x" });
      const { token } = await mintToken(ctx, shop, anyScope ?? SCOPES);
      const answer = await service.request(path, { method, token });
      assert.notEqual(answer.status, 429);
    });
  });
}

/** A credential whose one request in this minute has been used. */
async function exhausted(route: Route<typeof ctx>): Promise<{ token: string }> {
  await forgetRequests();
  const made = await strangerTo(route);
  const { path, method } = requestFor(route);
  // Where no scope is asked for, revoking would end the credential: another one uses up the limit.
  const ends = ["/auth/tokens", "/auth/revoke"].includes(route.path);
  const first = ends ? await strangerTo(route) : made;
  await service.request(path, { method, token: first.token });
  return made;
}

/** A good token that lacks the route's scope, if it asks for one. */
function strangerTo({ access }: Route<typeof ctx>) {
  const wanted = access === "public" ? undefined : access.anyScope;
  const others = SCOPES.filter((scope) => !wanted?.includes(scope));
  return mintToken(ctx, shop, others);
}

async function forgetRequests(): Promise<void> {
  await ctx.db.run(sql`delete from rate_limit_windows`);
}

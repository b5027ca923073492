/**
 * Nobody gets in with the wrong credential, anywhere (Interface §5, §7).
 *
 * The table is made from the routes themselves: a new route is in it by existing. Each is tried by
 * wrong callers and by scopes alone, and a refused request must leave no row behind. `npm run
 * proof` tries every pair; `npm test` seven of each kind for a route, others for the next.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { appRoutes } from "../src/app.ts";
import { sql } from "../src/infra/db/query.ts";
import { changesShared } from "../src/infra/http/admit/refuse-sandbox-writes.ts";
import type { Access } from "../src/infra/http/route.ts";
import { SCOPES, type Scope } from "../src/kit/scopes.ts";
import { mintKey, mintToken } from "../testkit/credentials.ts";
import { createNoteTable, createProbes } from "../testkit/probe-routes.ts";
import { someOf } from "../testkit/proof-counts.ts";
import { requestFor, routeName } from "../testkit/route-requests.ts";
import { rowCounts } from "../testkit/row-counts.ts";
import { type RequestOptions, startService, type TestAnswer } from "../testkit/service.ts";
import { until } from "../testkit/until.ts";

type Credentials = Pick<RequestOptions, "token" | "key" | "headers">;

const probes = createProbes();
const service = await startService({ extraRoutes: probes.routes });
const { ctx, world } = service;
await createNoteTable(ctx.db);
after(() => service.stop());

const shop = await world.mainMerchant();
const bearer = async (scopes: readonly Scope[] = SCOPES) => mintToken(ctx, shop, scopes);
const key = async (options: Parameters<typeof mintKey>[3] = {}, scopes = SCOPES) =>
  mintKey(ctx, shop, scopes, options);
const header = (authorization: string) => ({ headers: { authorization } });

/** Wrong callers of a protected route: each must be told 401 and nothing more. */
const WRONG_CALLERS: Record<string, () => Promise<Credentials>> = {
  "no credential": async () => ({}),
  "both, each of them good": async () => ({
    token: (await bearer()).token,
    key: (await key()).key,
  }),
  "a good token and a bad key": async () => ({ token: (await bearer()).token, key: "x" }),
  "a bad token and a good key": async () => ({ token: "x", key: (await key()).key }),
  "a good token and an empty key header": async () => ({
    token: (await bearer()).token,
    headers: { "x-svc-key": "" },
  }),
  "an empty Authorization": async () => header(""),
  "Bearer without a token": async () => header("Bearer"),
  "Bearer with two spaces": async () => header(`Bearer  ${(await bearer()).token}`),
  "a token without its scheme": async () => header((await bearer()).token),
  "a token under Basic": async () => header(`Basic ${(await bearer()).token}`),
  "two tokens in one header": async () =>
    header(`Bearer ${(await bearer()).token}, Bearer ${(await bearer()).token}`),
  "a token with its last character changed": async () => {
    const { token } = await bearer();
    return { token: token.slice(0, -1) + (token.endsWith("A") ? "Q" : "A") };
  },
  "a token without its signature": async () => ({
    token: (await bearer()).token.replace(/\.[^.]*$/, "."),
  }),
  "a revoked token": async () => {
    const { token, grantId } = await bearer();
    await revoke("grants", "grant_id", grantId);
    return { token };
  },
  "a key of the wrong shape": async () => ({ key: "svc_live_x_y" }),
  "a key in upper case": async () => ({ key: (await key()).key.toUpperCase() }),
  "a key with its last digit changed": async () => {
    const { key: text } = await key();
    return { key: text.slice(0, -1) + (text.endsWith("0") ? "1" : "0") };
  },
  "a test key under the live prefix": async () => ({
    key: (await key()).key.replace("svc_test_", "svc_live_"),
  }),
  "a revoked key": async () => {
    const made = await key();
    await revoke("api_keys", "kid", made.kid);
    return { key: made.key };
  },
  "a key whose time is over": async () => ({ key: (await key({ expiresAt: new Date(0) })).key }),
  "a key used from a foreign address": async () => ({
    key: (await key({ allowedCidrs: ["203.0.113.0/24", "2001:db8::/32"] })).key,
  }),
  "a key as a bearer token": async () => ({ token: (await key()).key }),
  "a token as a key": async () => ({ key: (await bearer()).token }),
  "a key of a PERSONAL account": async () => {
    const person = await world.person();
    return { key: (await mintKey(ctx, person, SCOPES)).key };
  },
  "a token of a closed account": async () => {
    const gone = await world.merchant();
    const { token } = await mintToken(ctx, gone, SCOPES);
    await closeAccount(gone.accountNumber);
    return { token };
  },
  "a key of a closed account": async () => {
    const gone = await world.merchant();
    const made = await mintKey(ctx, gone, SCOPES);
    await closeAccount(gone.accountNumber);
    return { key: made.key };
  },
  "a token from before a password change": async () => {
    const changed = await world.merchant();
    const { token } = await mintToken(ctx, changed, SCOPES);
    await ctx.db.run(sql`
      update accounts set credential_epoch = credential_epoch + 1
      where account_number = ${changed.accountNumber}`);
    return { token };
  },
};

const wrongCallers = await Promise.all(
  Object.entries(WRONG_CALLERS).map(async ([who, make]) => ({ who, credentials: await make() })),
);
const apiKey = await key();
const personal = await mintToken(ctx, await world.person(), SCOPES);
const byScope = await Promise.all(
  SCOPES.map(async (scope) => ({
    scope,
    token: await bearer([scope]),
    key: await key({}, [scope]),
  })),
);
const routes = [...appRoutes(ctx), ...probes.routes];

for (const [turn, route] of routes.entries()) {
  const { access } = route;
  const request = requestFor(route);
  const call = (credentials: Credentials) =>
    service.request(request.path, { ...request, ...credentials });
  /** Without fields: an admitted caller is told what is missing, and nothing is done. */
  const knock = (credentials: Credentials) =>
    service.request(request.path, { method: request.method, ...credentials });

  if (access === "public") {
    test(`${routeName(route)} asks for no credential and ignores bad ones`, async () => {
      // The slow probe answers once it is let go.
      const open = route.path === "/probe/slow" ? letGo : knock;
      const without = await open({});
      assert.notEqual(without.body?.message, "Unauthorized");
      for (const bad of [{ token: "x" }, { key: "x" }, { token: "x", key: "x" }])
        assert.equal((await open(bad)).status, without.status);
    });
    continue;
  }

  describe(`${routeName(route)} is closed to`, () => {
    let rows: Record<string, string>;
    before(async () => {
      rows = await rowCounts(ctx.db);
    });
    for (const { who, credentials } of someOf(wrongCallers, { usual: 7, turn }))
      test(who, async () => expectUnauthorized(await call(credentials)));

    if (access.credentials === "bearer")
      test("an API key, whatever its scopes", async () =>
        expectUnauthorized(await call({ key: apiKey.key })));

    for (const kind of kindsOf(access))
      test(`a ${kind} with any other scope`, async () => {
        for (const { scope, ...carried } of someOf(byScope, { usual: 7, turn }))
          if (access.anyScope?.includes(scope) === false)
            expectScopeRefused(await call(carried[kind]), access.anyScope);
      });

    const { accountType, anyScope } = access;
    if (accountType !== undefined)
      test(`accounts that are not ${accountType}, whatever they send`, async () => {
        const { token } = accountType === "BUSINESS" ? personal : await bearer();
        for (const answer of [await call({ token }), await knock({ token })])
          assert.deepEqual([answer.status, answer.body], [403, { message: "Forbidden" }]);
      });

    if (anyScope !== undefined && route.method !== "GET")
      test("a token with another scope, whatever the body", async () => {
        const other = byScope.find(({ scope }) => !anyScope.includes(scope));
        const raw = { type: "application/json", body: "{" };
        const { path, method } = request;
        const answer = await service.request(path, { method, ...other?.token, raw });
        expectScopeRefused(answer, anyScope);
      });

    test("all of them without leaving a row behind", async () => {
      assert.deepEqual(await rowCounts(ctx.db), rows);
    });
  });

  describe(`${routeName(route)} is open to`, () => {
    // What a key of the sandbox may do is told in a table of its own (`access-sandbox.test.ts`).
    const prefix = changesShared(access) ? "live" : "test";

    test("a token whose scheme is written in any case", async () => {
      const { token } = await bearer();
      expectAdmitted(await knock(header(`bEaReR ${token}`)));
    });

    if (access.credentials === "either")
      test("a key used from an address on its list", async () => {
        const made = await key({ prefix, allowedCidrs: ["203.0.113.0/24", "127.0.0.0/8"] });
        expectAdmitted(await knock({ key: made.key }));
      });

    for (const kind of kindsOf(access))
      test(`a ${kind} with one of its scopes`, async () => {
        for (const scope of access.anyScope ?? SCOPES) {
          // Fresh, because a route may end the credential it is called with.
          const made = kind === "token" ? await bearer([scope]) : await key({ prefix }, [scope]);
          expectAdmitted(await knock(made), scope);
        }
      });
  });
}

test("a scope that the account may no longer hold stops working at once", async () => {
  const merchant = await world.merchant();
  const { token } = await mintToken(ctx, merchant, ["svc-accounts-all"]);
  const whoami = await service.request("/auth/whoami", { token });
  assert.deepEqual(whoami.body.data.scopes, []);
});

test("when its time is over a credential opens no route", async () => {
  const { token } = await bearer();
  const expiresAt = new Date(performance.timeOrigin + 11 * 3600 * 1000);
  const { key: text } = await key({ expiresAt });
  await service.clock.advance({ hours: 12, seconds: 6 });
  for (const route of routes.filter(({ access }) => access !== "public")) {
    const { path, ...request } = requestFor(route);
    for (const credential of [{ token }, { key: text }])
      expectUnauthorized(await service.request(path, { ...request, ...credential }));
  }
});

async function letGo(credentials: Credentials): Promise<TestAnswer> {
  const answer = service.request("/probe/slow", credentials);
  await until(() => probes.latch.waiting() === 1, "the request is admitted");
  probes.latch.open();
  return answer;
}

function kindsOf(access: Exclude<Access, "public">): ("token" | "key")[] {
  return access.credentials === "either" ? ["token", "key"] : ["token"];
}

function expectUnauthorized(answer: TestAnswer): void {
  assert.deepEqual([answer.status, answer.body], [401, { message: "Unauthorized" }]);
  assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer realm="svc"/);
  assert.equal(answer.headers.get("x-ratelimit-limit"), null);
}

function expectScopeRefused(answer: TestAnswer, wanted: readonly Scope[]): void {
  assert.deepEqual([answer.status, answer.body], [403, { message: "Invalid scope(s) provided." }]);
  assert.equal(
    answer.headers.get("www-authenticate"),
    `Bearer realm="svc", error="insufficient_scope", scope="${wanted.join(" ")}"`,
  );
}

/** Whatever the answer says about the request, it says nothing against the caller. */
function expectAdmitted(answer: TestAnswer, who = "the caller"): void {
  assert(![401, 403, 429].includes(answer.status), `${who} got ${answer.text}`);
  assert(answer.status < 500, answer.text);
}

async function revoke(table: "grants" | "api_keys", column: string, id: string): Promise<void> {
  const because = table === "grants" ? ", revoked_because = 'revoked'" : "";
  const text = `update ${table} set revoked_at = app_now()${because} where ${column} = $1`;
  assert.equal(await ctx.db.run({ name: `revoke_${table}`, text, values: [id] }), 1);
}

async function closeAccount(accountNumber: string): Promise<void> {
  await ctx.db.run(sql`
    update accounts set status = 'closed', closed_at = app_now()
    where account_number = ${accountNumber}`);
}

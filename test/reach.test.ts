/**
 * Nobody reaches what is not theirs: scope by scope, tenant by tenant, environment by environment
 * (Interface §5, Decisions 0010, 0013).
 *
 * The table is made from the routes, and a route whose path names a record that is not in it fails
 * here. Each is tried on records that are really there, because a 404 of something that never was
 * proves nothing; in the end their owner reaches them all.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { type AppContext, appRoutes } from "../src/app.ts";
import { changesShared } from "../src/infra/http/admit/refuse-sandbox-writes.ts";
import type { Access, Route } from "../src/infra/http/route.ts";
import { SCOPES, type Scope } from "../src/kit/scopes.ts";
import type { Environment } from "../src/kit/vocabulary.ts";
import { mintKey, mintToken } from "../testkit/credentials.ts";
import { someOf } from "../testkit/proof-counts.ts";
import { keepRecords, openHolder, pathTo, type Records } from "../testkit/records.ts";
import { requestFor, routeName } from "../testkit/route-requests.ts";
import { rowCounts } from "../testkit/row-counts.ts";
import { type RequestOptions, startService, type TestAnswer } from "../testkit/service.ts";

const service = await startService();
const { ctx } = service;
after(() => service.stop());

const ENVIRONMENTS: readonly Environment[] = ["live", "sandbox"];
const PREFIXES = { live: "live", sandbox: "test" } as const;
const otherThan = (one: Environment): Environment => (one === "live" ? "sandbox" : "live");

const owner = await openHolder(service);
const stranger = await openHolder(service);
const records: Record<Environment, Records> = {
  live: await keepRecords(service, owner, "live"),
  sandbox: await keepRecords(service, owner, "sandbox"),
};
await service.numberEvents();
const strangers = [
  { token: stranger.token },
  { key: stranger.keys.live },
  { key: stranger.keys.sandbox },
];
const byScope = await Promise.all(
  SCOPES.map(async (scope) => ({ scope, ...(await credentialsWith([scope])) })),
);
// Made when they are first asked for.
for (const query of ["?environment=live", "?environment=sandbox"])
  await service.request(`/user/payment-key${query}`, { token: stranger.token });
const before = await rowCounts(ctx.db);

/** What fits where the examples of the fields do not, or would do more than is asked here. */
const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  "POST /transactions/{transaction_id}/refund": { amount: "1.00" },
  "PATCH /auth/keys/{kid}": { name: "mine" },
  "PATCH /accounts/{account_number}": { first_name: "Anika" },
  "PATCH /webhooks/{id}": { description: "mine" },
  "PATCH /payment-links/{id}": { title: "Mine" },
  "POST /trusted-cards/{uuid}/verify": { amount: "0.50" },
  "POST /trusted-cards/{uuid}/charge": {
    currency: "TTD",
    fee_structure: "customer_pay",
    order_id: "reach-1",
    response_url: "https://shop.example.com/back",
    total: "10.00",
  },
};

/** These are of an account and of no environment. */
const OF_BOTH = ["/auth/keys", "/accounts"];

const routes = appRoutes(ctx).filter(({ access }) => access !== "public");
/** Snapshots are of the whole service, and of no account. */
const onRecords = routes.filter(
  ({ path, isHidden }) => path.includes("{") && !path.startsWith("/sandbox/snapshots") && !isHidden,
);
/** The request log lists what a caller asked for, which here are ids of others. */
const lists = routes.filter(
  ({ path, method }) => method === "GET" && !path.includes("{") && path !== "/requests",
);

for (const [turn, route] of onRecords.entries()) {
  const name = routeName(route);
  const { access } = route;
  assert(access !== "public");
  const hasEnvironment = !OF_BOTH.some((path) => route.path.startsWith(path));
  const call = (environment: Environment, credential: RequestOptions) =>
    reach(route, environment, credential);

  describe(name, () => {
    test("names a record that is in the table", () => {
      assert.doesNotMatch(pathTo(route.path, records.live), /[{}]/);
    });

    for (const environment of ENVIRONMENTS)
      test(`tells another tenant nothing of a ${environment} record`, async () => {
        for (const who of strangers)
          if (mayTry(access, who)) expectNotFound(await call(environment, who));
      });

    if (access.credentials === "either" && hasEnvironment)
      for (const environment of ENVIRONMENTS)
        test(`tells a ${PREFIXES[environment]} key nothing of the other environment`, async () => {
          const key = owner.keys[environment];
          expectNotFound(await call(otherThan(environment), { key }));
        });

    if (hasEnvironment)
      test("tells its own tenant nothing when the other environment is named", async () => {
        const { token } = owner;
        for (const environment of ENVIRONMENTS) {
          const other = otherThan(environment);
          expectNotFound(await reach(route, environment, { token }, { inQuery: other }));
          if (route.method !== "GET")
            expectNotFound(await reach(route, environment, { token }, { inBody: other }));
        }
      });

    test("is closed to its own tenant with any other scope alone", async () => {
      for (const { scope, token, live, sandbox } of someOf(byScope, { usual: 7, turn })) {
        if (access.anyScope === undefined || access.anyScope.includes(scope)) continue;
        const callers: [Environment, RequestOptions][] = [["sandbox", { token }]];
        if (access.credentials === "either")
          callers.push(["live", { key: live }], ["sandbox", { key: sandbox }]);
        for (const [environment, who] of callers) {
          const { status, body } = await call(environment, who);
          assert.deepEqual([status, body], [403, { message: "Invalid scope(s) provided." }], scope);
        }
      }
    });
  });
}

for (const route of lists)
  test(`${routeName(route)} shows what is of the caller's tenant and environment only`, async () => {
    const { path, access } = route;
    assert(access !== "public");
    for (const who of strangers) {
      if (access.credentials === "bearer" && "key" in who) continue;
      for (const query of ["", "?environment=sandbox", "?environment=live"])
        expectNone(await service.request(path + query, who), ENVIRONMENTS);
    }
    if (access.credentials === "bearer" || OF_BOTH.includes(path)) return;
    for (const environment of ENVIRONMENTS) {
      const other = otherThan(environment);
      const key = owner.keys[environment];
      const mine = await service.request(path, { key });
      expectNone(mine, [other]);
      const own = records[environment][recordOf(path)];
      if (own !== undefined) assert(mine.text.includes(own), "its own is not shown");
      if (route.query?.environment === undefined) continue;
      const asked = await service.request(`${path}?environment=${other}`, { key });
      assert.equal(asked.status, 400, asked.text);
    }
  });

test("none of it has left a row behind", async () => {
  assert.deepEqual(await rowCounts(ctx.db), before);
});

describe("its owner reaches", () => {
  /** What ends a record comes last. */
  const inTurn = onRecords.toSorted(
    (one, two) => Number(one.method === "DELETE") - Number(two.method === "DELETE"),
  );
  for (const route of inTurn)
    test(`${routeName(route)}, with one of its scopes alone`, async () => {
      const { access } = route;
      assert(access !== "public");
      for (const [index, environment] of ENVIRONMENTS.entries()) {
        const { anyScope = SCOPES } = access;
        const one = anyScope[index];
        const isNarrow = access.anyScope !== undefined && one !== undefined;
        const made = await credentialsWith(isNarrow ? [one] : anyScope);
        const who =
          access.credentials === "bearer"
            ? { token: made.token }
            : { key: made[changesShared(access) ? "live" : environment] };
        const answer = await reach(route, environment, who);
        // Of live objects, nothing is simulated.
        if (route.path.startsWith("/sandbox/") && environment === "live") {
          expectNotFound(answer);
          continue;
        }
        assert(answer.status < 300 || answer.status === 409, answer.text);
      }
    });
});

/** API keys where they are taken; a sandbox key only where it is not refused for what it is. */
function mayTry(access: Exclude<Access, "public">, who: RequestOptions): boolean {
  if ("token" in who) return true;
  if (access.credentials === "bearer") return false;
  return !changesShared(access) || who.key === stranger.keys.live;
}

function reach(
  route: Route<AppContext>,
  environment: Environment,
  credential: RequestOptions,
  named: { inQuery?: Environment; inBody?: Environment } = {},
): Promise<TestAnswer> {
  const { method, json } = requestFor(route);
  const { inQuery, inBody } = named;
  const known = BODIES[routeName(route)] ?? json;
  const body = inBody === undefined ? known : { ...known, environment: inBody };
  const query = inQuery === undefined ? "" : `?environment=${inQuery}`;
  return service.request(pathTo(route.path, records[environment]) + query, {
    method,
    ...(body === undefined ? {} : { json: body }),
    ...credential,
  });
}

async function credentialsWith(scopes: readonly Scope[]) {
  const { token } = await mintToken(ctx, owner, scopes);
  const live = (await mintKey(ctx, owner, scopes, { prefix: "live" })).key;
  const sandbox = (await mintKey(ctx, owner, scopes, { prefix: "test" })).key;
  return { token, live, sandbox };
}

/** What a list is a list of, as the table names it. */
function recordOf(list: string): string {
  const places = Object.keys(records.live);
  return places.find((place) => place.startsWith(`${list.replace(/\/$/, "")}/{`)) ?? "";
}

function expectNotFound({ status, body }: TestAnswer): void {
  assert.deepEqual([status, body], [404, { message: "Not Found" }]);
}

/** Answered or refused, it names none of the records of these environments. */
function expectNone({ text, status }: TestAnswer, environments: readonly Environment[]): void {
  assert(status < 500);
  for (const environment of environments)
    for (const [place, id] of Object.entries(records[environment]))
      assert(!text.includes(id), `${place} of ${environment} is shown`);
}

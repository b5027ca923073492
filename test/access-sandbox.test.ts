/**
 * What an API key of the sandbox may do (Decision 0071): the table names every route, and each is
 * really called with a key that has all scopes. What live uses too must answer 403 and stay as it
 * was, while the same request with a live key works.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { type AppContext, appRoutes } from "../src/app.ts";
import { protectedRoute, type Route } from "../src/infra/http/route.ts";
import { SCOPES, type Scope } from "../src/kit/scopes.ts";
import { made, newAccount } from "../testkit/accounts.ts";
import { FOREIGN_BANK, TT_BANK } from "../testkit/banks.ts";
import { mintKey, mintToken } from "../testkit/credentials.ts";
import { blackPng, multipart } from "../testkit/pictures.ts";
import { requestFor, routeName } from "../testkit/route-requests.ts";
import { tableDigests } from "../testkit/row-counts.ts";
import { isForPeople, SANDBOX_KEY_MAY } from "../testkit/sandbox-access.ts";
import { type RequestOptions, startService, type TestAnswer } from "../testkit/service.ts";

const service = await startService();
const { ctx } = service;
after(() => service.stop());

const owner = await service.world.mainMerchant();
const keyOf = async (prefix: "live" | "test", scopes: readonly Scope[] = SCOPES) =>
  (await mintKey(ctx, owner, scopes, { prefix })).key;
const sandboxKey = await keyOf("test");
const liveKey = await keyOf("live");
const { token } = await mintToken(ctx, owner, SCOPES);
const [first, second, third] = [
  (await made(service, { token })).accountNumber,
  (await made(service, { token })).accountNumber,
  (await made(service, { token })).accountNumber,
];

const picture = (fields: Record<string, string> = {}, field = "picture") => ({
  raw: multipart([
    ...Object.entries(fields).map(([name, content]) => ({ name, content, fileName: null })),
    { name: field, content: blackPng({ width: 8, height: 8 }) },
  ]),
});
const password = { old_password: owner.password, new_password: "Sandbox-2027" };

type Good = RequestOptions & { readonly path?: string };

/** A request that works with a live key, in the order in which they are made here. */
const GOOD: Readonly<Record<string, Good>> = {
  "POST /user/picture": picture(),
  "PATCH /user/picture": picture(),
  "DELETE /user/picture": {},
  "PATCH /user/business": { json: { business_name: "Sea Grape Books" } },
  "POST /user/logo": picture({}, "logo"),
  "DELETE /user/logo": {},
  "POST /accounts": { json: newAccount() },
  "PATCH /accounts/{account_number}": {
    path: `/accounts/${first}`,
    json: { first_name: "Asha" },
  },
  "DELETE /accounts/{account_number}": { path: `/accounts/${second}` },
  "PATCH /user/password": { json: { ...password, confirm_password: "Sandbox-2027" } },
  "PATCH /user/phone": { json: { phone: "+18686221234" } },
  "POST /user/banks/local": { json: TT_BANK },
  "PATCH /user/banks/local": { json: { name_in_bank: "Anika Ali" } },
  "DELETE /user/banks/local": {},
  "POST /user/banks/foreign": { json: FOREIGN_BANK },
  "PATCH /user/banks/foreign": { json: { beneficiary_name: "Anika Ali" } },
  "DELETE /user/banks/foreign": {},
  "POST /accounts/create": { json: newAccount() },
  "DELETE /accounts/delete": { path: `/accounts/delete?account_number=${third}` },
  "POST /accounts/update": { json: { account_number: first, last_name: "Ali" } },
};

const routes = appRoutes(ctx).filter((route) => !isForPeople(route));

test("the table names every route, and no other", () => {
  assert.deepEqual(Object.keys(SANDBOX_KEY_MAY).toSorted(), routes.map(routeName).toSorted());
});

test("a route that takes keys and changes something says what it changes", () => {
  const silent = routes.filter(
    ({ access, method }) =>
      access !== "public" &&
      access.credentials === "either" &&
      method !== "GET" &&
      access.changes === undefined,
  );
  assert.deepEqual(silent.map(routeName), []);
  const parts = { path: "/x", summary: "", answers: {}, run: async () => ({ status: 200 }) };
  // @ts-expect-error: it does not compile without.
  protectedRoute({ ...parts, method: "POST", access: { credentials: "either" } });
});

for (const route of routes)
  test(`${routeName(route)}: ${SANDBOX_KEY_MAY[routeName(route)]}`, async () => {
    switch (SANDBOX_KEY_MAY[routeName(route)]) {
      case "public":
        assert.equal((await call(route, sandboxKey)).status, (await call(route)).status);
        return;
      case "reads":
      case "changes":
        return expectAdmitted(await call(route, sandboxKey));
      case "bearer only":
        return expectAnswer(await call(route, sandboxKey), 401, "Unauthorized");
      case "useless":
        assert.equal((await call(route, sandboxKey)).status, 400);
        return;
      default:
        return expectForbidden(route);
    }
  });

describe("before a sandbox key is refused for what it would change", () => {
  const phone = { method: "PATCH", json: { phone: "+18686221234" } };

  test("it is refused for its scope", async () => {
    const key = await keyOf("test", ["svc-user-retrieve"]);
    const answer = await service.request("/user/phone", { ...phone, key });
    expectAnswer(answer, 403, "Invalid scope(s) provided.");
  });

  test("fields and state are not looked at", async () => {
    for (const json of [{}, { phone: "x" }])
      expectAnswer(
        await service.request("/user/phone", { method: "PATCH", json, key: sandboxKey }),
        403,
        "Forbidden",
      );
    const noBank = await service.request("/user/banks/local", {
      method: "DELETE",
      key: sandboxKey,
    });
    expectAnswer(noBank, 403, "Forbidden");
  });

  test("an upload is judged by the method that its form names", async () => {
    const post = (key: string, fields = {}) =>
      service.request("/user/picture", { method: "POST", key, ...picture(fields) });
    const creator = await keyOf("test", ["svc-user-create"]);
    const updater = await keyOf("test", ["svc-user-update"]);
    const asPatch = { _method: "PATCH" };
    expectAnswer(await post(sandboxKey), 403, "Forbidden");
    expectAnswer(await post(sandboxKey, asPatch), 403, "Forbidden");
    expectAnswer(await post(creator), 403, "Forbidden");
    expectAnswer(await post(creator, asPatch), 403, "Invalid scope(s) provided.");
    expectAnswer(await post(updater), 403, "Invalid scope(s) provided.");
    expectAnswer(await post(updater, asPatch), 403, "Forbidden");
    const { body } = await service.request("/user/", { key: sandboxKey });
    assert.equal(body.data.profile_picture, null);
  });
});

test("a sandbox key makes webhook endpoints of the sandbox only", async () => {
  const make = (environment: string, key: string) =>
    service.request("/webhooks", {
      method: "POST",
      key,
      json: { url: `https://shop.example.com/${environment}`, environment },
    });
  const refused = await make("live", sandboxKey);
  expectAnswer(refused, 400, "The environment must be sandbox with this API key.");
  const live = await make("live", liveKey);
  assert.equal(live.status, 201, live.text);
  const path = `/webhooks/${live.body.data.id}`;
  for (const [method, at] of [
    ["GET", path],
    ["PATCH", path],
    ["DELETE", path],
    ["POST", `${path}/rotate`],
    ["POST", `${path}/test`],
  ] as const) {
    const json = method === "PATCH" ? { json: { description: "mine" } } : {};
    expectAnswer(await service.request(at, { method, key: sandboxKey, ...json }), 404, "Not Found");
  }
});

async function expectForbidden(route: Route<AppContext>): Promise<void> {
  const before = await tableDigests(ctx.db);
  expectAnswer(await call(route, sandboxKey), 403, "Forbidden");
  assert.deepEqual(await tableDigests(ctx.db), before);
  const { status, text } = await call(route, liveKey);
  const isRefusal = route.path === "/user/banks/{type}";
  assert(isRefusal ? status === 400 : status < 300, `with a live key: ${text}`);
}

function call(route: Route<AppContext>, key?: string): Promise<TestAnswer> {
  const { path, ...request } = requestFor(route);
  const { path: at = path, ...good } = GOOD[routeName(route)] ?? {};
  return service.request(at, { ...request, ...good, ...(key === undefined ? {} : { key }) });
}

/** Whatever the answer says about the request, it says nothing against the caller. */
function expectAdmitted({ status, text }: TestAnswer): void {
  assert(![401, 403, 429].includes(status), text);
  assert(status < 500, text);
}

function expectAnswer({ status, body }: TestAnswer, wanted: number, message: string): void {
  assert.deepEqual([status, body], [wanted, { message }]);
}

/**
 * A NUL is refused with the name of the field that holds it, in every field of every route, as JSON
 * and as form data; in a query alike. In a path it names nothing, which is a 404.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { appRoutes } from "../src/app.ts";
import { labelOf } from "../src/kit/fields/field.ts";
import { SCOPES } from "../src/kit/scopes.ts";
import { mintToken } from "../testkit/credentials.ts";
import { pathOf, requestFor, routeName } from "../testkit/route-requests.ts";
import { rowCounts } from "../testkit/row-counts.ts";
import { startService, type TestAnswer } from "../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const { ctx } = service;
const owner = await service.world.mainMerchant();
const { token } = await mintToken(ctx, owner, SCOPES);
// Pages for people answer with pages.
const routes = appRoutes(ctx).filter(({ isHidden }) => !isHidden);
const before = await rowCounts(ctx.db);

for (const route of routes.filter(({ body }) => body !== undefined))
  describe(routeName(route), () => {
    const { path, method, json: good = {} } = requestFor(route);
    for (const name of Object.keys(route.body ?? {}))
      test(`names ${name}`, async () => {
        const json = { ...good, [name]: "a\0b" };
        expectNamed(await service.request(path, { method, token, json }), name);
        const texts = Object.entries(json).map(([key, value]) => [key, String(value)]);
        const form = Object.fromEntries(texts);
        expectNamed(await service.request(path, { method, token, form }), name);
      });
  });

for (const route of routes.filter(({ query, method }) => query !== undefined && method === "GET"))
  test(`${routeName(route)} names each parameter of its query`, async () => {
    for (const name of Object.keys(route.query ?? {})) {
      const path = `${pathOf(route)}?${name}=a%00b`;
      expectNamed(await service.request(path, { token }), name);
    }
  });

for (const route of routes.filter(({ path }) => path.includes("{")))
  test(`${routeName(route)} with a NUL in its path is 404`, async () => {
    const { method, json } = requestFor(route);
    const path = route.path.replace(/\{\w+\}/g, "a%00b");
    const answer = await service.request(path, { method, token, ...(json ? { json } : {}) });
    assert.equal(answer.status, 404, answer.text);
  });

test("the name of a field is not repeated when it holds the NUL itself", async () => {
  const json = { "na\0me": "x" };
  const { status, body } = await service.request("/auth/keys", { method: "POST", token, json });
  assert.deepEqual([status, body], [400, { message: "The body holds a NUL character." }]);
});

test("none of it has left a row behind", async () => {
  assert.deepEqual(await rowCounts(ctx.db), before);
});

function expectNamed({ status, body }: TestAnswer, name: string): void {
  const message = `The ${labelOf(name)} must not contain a NUL character.`;
  assert.deepEqual([status, body.message], [400, message]);
}

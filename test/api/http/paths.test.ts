/**
 * Where a path leads: the same with and without its trailing slash, HEAD where there is GET, the
 * methods of a path in Allow, and nowhere for every other spelling.
 */

import assert from "node:assert/strict";
import http from "node:http";
import { after, describe, test } from "node:test";
import { appRoutes } from "../../../src/app.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { createNoteTable, createProbes } from "../../../testkit/probe-routes.ts";
import { someOf } from "../../../testkit/proof-counts.ts";
import { ask, expectRefusal } from "../../../testkit/raw-http.ts";
import { pathOf, routeName } from "../../../testkit/route-requests.ts";
import { startService } from "../../../testkit/service.ts";

const probes = createProbes();
const service = await startService({ extraRoutes: probes.routes });
await createNoteTable(service.ctx.db);
after(() => service.stop());
const shop = await service.world.mainMerchant();
const goodToken = async () => (await mintToken(service.ctx, shop, SCOPES)).token;

const routes = [...appRoutes(service.ctx), ...probes.routes].filter(
  ({ path }) => path !== "/probe/slow", // it would not answer until it is told to
);

describe("with a trailing slash", () => {
  for (const route of routes)
    test(`${routeName(route)} is itself, without a redirect`, async () => {
      const bare = pathOf(route).replace(/\/$/, "");
      const { method } = route;
      const one = await service.request(bare, { method, token: await goodToken() });
      const two = await service.request(`${bare}/`, { method, token: await goodToken() });
      assert.equal(two.status, one.status);
      assert.equal(two.body?.message, one.body?.message);
      assert.equal(two.headers.get("content-type"), one.headers.get("content-type"));
      const unknown = await service.request(`${bare}/`, { method });
      assert.equal(unknown.status, (await service.request(bare, { method })).status);
    });

  test("a body is read as well", async () => {
    const form = { email: shop.email, password: shop.password, scopes: "svc-user-all" };
    const answer = await service.request("/auth/tokens/", { method: "POST", form });
    assert.equal(answer.status, 200);
  });
});

describe("HEAD", () => {
  for (const route of routes.filter(({ method }) => method === "GET"))
    test(`of ${route.path} answers as GET does, without a body`, async () => {
      const path = pathOf(route);
      const token = await goodToken();
      const full = await service.request(path, { token });
      const head = await service.request(path, { method: "HEAD", token });
      assert.equal(head.status, full.status);
      assert.equal(head.headers.get("content-type"), full.headers.get("content-type"));
      assert.equal(head.text, "");
    });

  test("of a path that has no GET is refused with 405", async () => {
    const answer = await ask(service.url, { method: "HEAD", target: "/auth/tokens" });
    assert.equal(answer.status, 405);
  });
});

/** The methods each path really has. */
const methodsByPath = new Map<string, Set<string>>();
for (const route of routes) {
  const methods = methodsByPath.get(pathOf(route)) ?? new Set(["OPTIONS"]);
  methodsByPath.set(pathOf(route), methods.add(route.method));
  if (route.method === "GET") methods.add("HEAD");
}

describe("methods of", () => {
  // CONNECT asks for a tunnel and not for a path: Node closes the connection.
  const every = http.METHODS.filter((name) => name !== "CONNECT");
  const common = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
  // A method that no route has takes the same way for each path: three are tried with all of them.
  const thorough = new Set([...methodsByPath.keys()].slice(0, 3));
  // With and without the slash; in `npm test` they take turns.
  for (const [turn, [path, methods]] of [...methodsByPath].entries())
    for (const target of path === "/"
      ? ["/"]
      : someOf([path.replace(/\/$/, ""), `${path.replace(/\/$/, "")}/`], { usual: 1, turn }))
      test(`${target} are listed by OPTIONS, and every other is refused with 405`, async () => {
        const options = await ask(service.url, { method: "OPTIONS", target });
        assert.equal(options.status, 204);
        assert.deepEqual(allowed(options.headers), methods);
        for (const method of thorough.has(path) ? every : common) {
          if (methods.has(method)) continue;
          const answer = await ask(service.url, { method, target });
          if (method === "HEAD") assert.equal(answer.status, 405);
          else expectRefusal(answer, 405);
          assert.deepEqual(allowed(answer.headers), methods, method);
        }
      });

  test("a path are judged before the body", async () => {
    for (const lines of [["Content-Type: text/plain"], ["Content-Type: application/json"]]) {
      const garbage = { target: "/auth/tokens", body: "{", lines };
      expectRefusal(await ask(service.url, { ...garbage, method: "PUT" }), 405);
      expectRefusal(await ask(service.url, { ...garbage, method: "POST", target: "/nope" }), 404);
    }
  });
});

function allowed(headers: ReadonlyMap<string, string>): Set<string> {
  return new Set(headers.get("allow")?.split(", "));
}

describe("a browser at a path that does not exist", () => {
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const NAVIGATING = [`Accept: ${accept}`, "Sec-Fetch-Mode: navigate"];

  test("reads a page, with the status and the code of the error", async () => {
    for (const path of ["/nope", `/checkout/${"x".repeat(65)}`, "/checkout/a/b/c"]) {
      const page = await ask(service.url, { target: path, lines: NAVIGATING });
      assert.equal(page.status, 404, path);
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'/);
      assert.match(page.headers.get("x-svc-error") ?? "", /^(unknown_path|not_found)$/);
      assert.match(page.body, /<h1>There is nothing here<\/h1>/);
    }
  });

  test("other clients, and other methods, get the usual error", async () => {
    for (const headers of [{}, { accept }, { accept: "*/*" }, { accept: "application/json" }])
      assert.deepEqual((await service.request("/nope", { headers })).body, {
        message: "Not Found",
      });
    const posted = await service.request("/nope", { method: "POST", headers: { accept } });
    assert.deepEqual([posted.status, posted.body], [404, { message: "Not Found" }]);
  });
});

describe("nowhere leads", () => {
  const SPELLINGS = [
    "/nope",
    "/auth",
    "//auth/whoami",
    "/auth//whoami",
    "/auth/whoami//",
    "/auth/keys//",
    "/auth/keys//?page=1",
    "/auth/keys/%00", // found by the fuzzer, seed -987773596
    "/auth/keys/a%00b",
    "/auth/./whoami",
    "/auth/../auth/whoami",
    "/%2e%2e/auth/whoami",
    "/auth/%2e%2e/auth/whoami",
    "/auth%2Fwhoami",
    "/auth%2fwhoami",
    "/auth/%2Fwhoami",
    "/auth%5Cwhoami",
    "/auth\\whoami",
    "/AUTH/whoami",
    "/auth/Whoami",
    "/auth/whoami;x=1",
    "/auth;x=1/whoami",
    "/auth/whoami%00",
    "/auth/whoami%20",
    "/auth/whoami%2F",
    "/auth/whoami.json",
    "/auth/whoami/x",
    "/.git/config",
    "/.env",
    "/debug",
    "/package.json",
    "/docs/../package.json",
    "/docs/reference.js.map",
    "/src/main.ts",
    `/auth/keys/${"0".repeat(65)}`,
    `/${"x".repeat(6_000)}`,
    `/${"x/".repeat(3_000)}`,
    `/auth/keys/${"%41".repeat(2_000)}`,
  ];
  for (const target of SPELLINGS)
    test(`${target.slice(0, 40)}, with a good credential and without one`, async () => {
      expectRefusal(await ask(service.url, { target }), 404);
      const lines = [`Authorization: Bearer ${await goodToken()}`];
      expectRefusal(await ask(service.url, { target, lines }), 404);
    });

  for (const target of ["/auth/%zz", "/%", "/auth/whoami%", "/%c0%ae%c0%ae/", "/%ff"])
    test(`${target}, which cannot be decoded`, async () => {
      expectRefusal(await ask(service.url, { target }), 400, 404);
    });

  test("a path of 10 KB, which is more than all headers together may have", async () => {
    expectRefusal(await ask(service.url, { target: `/${"x".repeat(10_240)}` }), 431);
  });

  test("an encoded spelling without the credential that the plain one asks for", async () => {
    for (const target of ["/%61uth/whoami", "/auth/%77hoami", "/auth/whoami?", "/auth/whoami?a=b"])
      expectRefusal(await ask(service.url, { target }), 401, 404);
  });
});

test("in production the public port has no metrics", () => {
  const config = { ...service.ctx.config };
  const production = { ...config, http: { ...config.http, metricsPort: 9464 } };
  const paths = appRoutes({ config: production }).map(({ path }) => path);
  assert(!paths.includes("/metrics"));
});

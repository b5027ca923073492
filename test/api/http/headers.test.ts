/**
 * Every answer has the same headers: ours and no others, JSON for an API whatever the client
 * accepts, and an id that we generate.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { appRoutes } from "../../../src/app.ts";
import {
  COMMON_HEADERS,
  OPEN_COMMON_HEADERS,
} from "../../../src/infra/http/serve/response-headers.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { createNoteTable, createProbes, NOTE } from "../../../testkit/probe-routes.ts";
import { ask } from "../../../testkit/raw-http.ts";
import { pathOf, routeName } from "../../../testkit/route-requests.ts";
import { isForPeople, SITE_FILES, SITE_PAGES } from "../../../testkit/sandbox-access.ts";
import { type RequestOptions, startService } from "../../../testkit/service.ts";

const probes = createProbes();
const service = await startService({ extraRoutes: probes.routes });
await createNoteTable(service.ctx.db);
after(() => service.stop());
const shop = await service.world.mainMerchant();
const { token } = await mintToken(service.ctx, shop, SCOPES);

/** Documents for people and for caches say so; everything else is JSON that nobody keeps. */
const OWN_WORDS: Record<string, readonly string[]> = {
  "/openapi.json": ["cache-control", "etag"],
  "/.well-known/jwks.json": ["cache-control"],
  "/verify": ["content-security-policy"],
  "/dev/mail": ["content-security-policy", "referrer-policy"],
  "/dev/parts": ["content-security-policy", "referrer-policy"],
  "/": ["content-security-policy", "referrer-policy"],
  "/docs/welcome": ["content-security-policy", "referrer-policy"],
  ...Object.fromEntries(
    SITE_PAGES.map((path) => [
      path,
      ["content-security-policy", "referrer-policy", "cache-control", "etag"],
    ]),
  ),
  ...Object.fromEntries(SITE_FILES.map((path) => [path, ["cache-control", "etag"]])),
  "/docs/reference.js": ["cache-control"],
  // Any site may load it.
  "/pay/button.js": ["cache-control", "cross-origin-resource-policy"],
  "/plugins/get/currencies": ["cache-control", "etag"],
  "/plugins/get/environments": ["cache-control", "etag"],
  "/plugins/get/fee_structures": ["cache-control", "etag"],
  "/withdrawals/meta": ["cache-control", "etag", "vary"],
};
/** Pages for a person's browser, which have a policy of their own also when they refuse. */
const PAGE = /^\/(checkout|pay|receipts|reset|sandbox)\//;

function expectOurHeaders(
  headers: Headers,
  except: readonly string[] = [],
  expected = COMMON_HEADERS,
): void {
  for (const [name, value] of Object.entries(expected))
    if (!except.includes(name)) assert.equal(headers.get(name), value, name);
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  for (const name of headers.keys()) {
    assert(!name.startsWith("access-control-") || name in expected, name);
    const isForeign = ["server", "x-powered-by", "via", "set-cookie", "etag"].includes(name);
    assert(!isForeign || except.includes(name), name);
  }
}

describe("our headers stand on", () => {
  for (const route of appRoutes(service.ctx))
    test(`what ${routeName(route)} answers, to a stranger and to a friend`, async () => {
      const { method } = route;
      const friend = { token: (await mintToken(service.ctx, shop, SCOPES)).token };
      for (const credentials of [{}, friend]) {
        const answer = await service.request(pathOf(route), { method, ...credentials });
        const except = answer.status === 200 ? OWN_WORDS[route.path] : [];
        const policy = PAGE.test(route.path) ? ["content-security-policy"] : [];
        // Their forms need a referrer of their own origin (Decision 0085).
        if (isForPeople(route)) policy.push("content-security-policy", "referrer-policy");
        const isOpen = route.path.startsWith("/plugins/");
        const expected = isOpen ? OPEN_COMMON_HEADERS : COMMON_HEADERS;
        expectOurHeaders(answer.headers, [...(except ?? []), ...policy], expected);
      }
    });

  /** Those of the bytes, and of the moment. */
  const ITS_OWN = /^(content-(encoding|length|type)|date|x-ratelimit-remaining|x-request-id)$/;
  const others = (headers: Headers) => [...headers].filter(([name]) => !ITS_OWN.test(name));
  const keptPaths = [...SITE_PAGES, ...SITE_FILES, "/openapi.json", "/plugins/get/currencies"];
  for (const path of keptPaths)
    test(`a 304 of ${path} as on its 200, for a browser puts them in its place`, async () => {
      const whole = await service.request(path);
      const etag = whole.headers.get("etag") ?? "";
      const known = await service.request(path, { headers: { "if-none-match": etag } });
      assert.deepEqual([known.status, known.text], [304, ""]);
      assert.deepEqual(others(known.headers), others(whole.headers));
      assert.equal(known.headers.get("content-type"), null);
    });

  const REFUSALS: [number, string, RequestOptions][] = [
    [400, "/probe/notes", { method: "POST", token, raw: { type: "application/json", body: "{" } }],
    [401, "/probe/notes", { method: "POST", json: NOTE }],
    [404, "/nope", {}],
    [404, "/nope", { method: "POST", json: {} }],
    [405, "/probe/notes", {}],
    [413, "/probe/notes", { method: "POST", token, json: { x: "x".repeat(70_000) } }],
    [415, "/probe/notes", { method: "POST", token, raw: { type: "text/plain", body: "x" } }],
    [422, "/probe/notes", { method: "POST", token, json: { ...NOTE, mood: "refused" } }],
    [500, "/probe/notes", { method: "POST", token, json: { ...NOTE, mood: "broken" } }],
  ];
  for (const [status, path, request] of REFUSALS)
    test(`a ${status} of ${request.method ?? "GET"} ${path}, whose body is one sentence`, async () => {
      const answer = await service.request(path, request);
      assert.equal(answer.status, status);
      expectOurHeaders(answer.headers);
      assert.deepEqual(Object.keys(answer.body), ["message"]);
    });
});

describe("the pages", () => {
  test("take scripts from our origin only and cannot be framed", async () => {
    for (const path of ["/docs", "/docs/try", "/docs/start", "/docs/welcome"]) {
      const { headers } = await service.request(path);
      const policy = headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'; script-src 'self';/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /https?:|\*/);
    }
  });

  test("have a viewer script that a browser can read", async () => {
    const script = await service.request("/docs/reference.js");
    assert.match(script.headers.get("content-type") ?? "", /^text\/javascript/);
    assert.match(script.text, /createApiReference\("#reference"/);
  });
});

describe("the client's wishes:", () => {
  const ACCEPTS = ["text/html", "text/html,*/*;q=0.1", "image/png", "", "application/xml", "\xff"];
  for (const accept of ACCEPTS)
    test(`Accept: ${accept} still gets JSON`, async () => {
      for (const target of ["/auth/whoami", "/nope", "/livez"]) {
        const answer = await ask(service.url, { target, lines: [`Accept: ${accept}`] });
        assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
        assert.doesNotThrow(() => JSON.parse(answer.body));
      }
    });

  for (const origin of ["null", "https://evil.example", "http://localhost:3000"])
    test(`Origin: ${origin} is not allowed from a browser, nor by a preflight`, async () => {
      const plain = await service.request("/auth/whoami", { token, headers: { origin } });
      expectOurHeaders(plain.headers);
      const preflight = await service.request("/auth/tokens", {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization",
        },
      });
      assert.equal(preflight.status, 204);
      expectOurHeaders(preflight.headers);
    });

  const IDS = ["xyz-1", "00000000-0000-4000-8000-000000000000", "x".repeat(7_000), 'a","level":60'];
  for (const id of IDS)
    test(`X-Request-Id: ${id.slice(0, 40)} is ignored`, async () => {
      const before = service.logged.length;
      for (const name of ["x-request-id", "request-id", "x-correlation-id"]) {
        const answer = await service.request("/auth/whoami", { headers: { [name]: id } });
        assert.notEqual(answer.headers.get("x-request-id"), id);
      }
      for (const line of service.logged.slice(before)) {
        assert(!line.includes(id), "the client's id is in the log");
        assert.equal(line.trimEnd().split("\n").length, 1);
      }
    });
});

test("no two answers have the same id, and the log lines of a request carry it", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.request("/auth/whoami", { token })),
  );
  const ids = answers.map(({ headers }) => headers.get("x-request-id") ?? "");
  assert.equal(new Set(ids).size, 20);
  const log = service.logged.join("");
  for (const id of ids) assert(log.includes(`"reqId":"${id}"`), "a request left no line");
});

test("a log line names the route, never the address that was asked for", async () => {
  const before = service.logged.length;
  await service.request("/auth/keys/kid-canary-1?query-canary=2", { token });
  await service.request("/nope/path-canary-3", { token });
  const log = service.logged.slice(before).join("");
  assert.match(log, /"route":"\/auth\/keys\/:kid"/);
  assert.doesNotMatch(log, /canary/);
});

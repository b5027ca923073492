/**
 * Scripts of any origin may call what stands under /plugins/ and read every answer of it, refusals
 * included, without credentials; no other path says so (Decision 0064).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { appRoutes } from "../../../src/app.ts";
import { ask, minimal, PATH } from "../../../testkit/payment-requests.ts";
import { ask as askRaw } from "../../../testkit/raw-http.ts";
import { pathOf } from "../../../testkit/route-requests.ts";
import { type RequestOptions, startService } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const shop = await service.world.merchant();
const ORIGIN = { origin: "https://shop.example" };
const STATES = "/plugins/get/states?country_code=US";

/** What a script needs to read beside the body. */
const EXPOSED = [
  "X-Request-Id",
  "X-SVC-Error",
  "Link",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "Idempotent-Replayed",
  "Deprecation",
];

const asHeaders = (given: ReadonlyMap<string, string>) => new Headers([...given]);

function expectOpen(headers: Headers): void {
  assert.equal(headers.get("access-control-allow-origin"), "*");
  assert.equal(headers.has("access-control-allow-credentials"), false);
  assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
  const exposed = (headers.get("access-control-expose-headers") ?? "").split(", ");
  for (const name of EXPOSED) assert(exposed.includes(name), name);
}

function expectClosed(headers: Headers, path: string): void {
  const names = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
  assert.deepEqual(names, [], path);
  assert.notEqual(headers.get("cross-origin-resource-policy"), "cross-origin", path);
}

function preflight(path: string, method: string, headers?: string) {
  const wanted = headers === undefined ? {} : { "access-control-request-headers": headers };
  return service.request(path, {
    method: "OPTIONS",
    headers: { ...ORIGIN, "access-control-request-method": method, ...wanted },
  });
}

const routes = appRoutes(service.ctx);
const isOpen = (path: string) => path.startsWith("/plugins/");

describe("a preflight", () => {
  for (const route of routes.filter(({ path }) => isOpen(path)))
    test(`of ${route.path} names its methods and the headers that are allowed`, async () => {
      const asked = "Content-Type, accept,idempotency-key, X-Requested-With, x-odd, authorization";
      for (const path of [pathOf(route), `${pathOf(route)}/`]) {
        const { status, headers, text } = await preflight(path, route.method, asked);
        assert.deepEqual([status, text], [204, ""]);
        expectOpen(headers);
        const methods = (headers.get("access-control-allow-methods") ?? "").split(", ");
        assert(methods.includes(route.method));
        assert.equal(methods.includes("HEAD"), route.method === "GET");
        assert.equal(
          headers.get("access-control-allow-headers"),
          "accept, authorization, content-type, idempotency-key, x-requested-with",
        );
        assert.match(headers.get("access-control-max-age") ?? "", /^[1-9]\d+$/);
      }
    });

  test("without a wish lists all of them", async () => {
    const { headers } = await preflight(PATH, "POST");
    assert.match(headers.get("access-control-allow-headers") ?? "", /content-type, .*x-request/);
  });

  test("of a path that is not there is a 404 that a script can read", async () => {
    for (const path of ["/plugins/nothing", "/plugins/", "/plugins/payments"]) {
      const { status, headers } = await preflight(path, "POST");
      assert.equal(status, 404);
      expectOpen(headers);
    }
  });
});

describe("an answer under /plugins/ can be read:", () => {
  test("a payment, a helper and what a client has kept", async () => {
    const made = await ask(service, minimal(shop.accountNumber), "json", { headers: ORIGIN });
    assert.equal(made.status, 200);
    expectOpen(made.headers);
    const browser = await ask(service, minimal(shop.accountNumber), "browser");
    assert.equal(browser.status, 303);
    expectOpen(browser.headers);
    const states = await service.request(STATES, { headers: ORIGIN });
    expectOpen(states.headers);
    const etag = states.headers.get("etag") ?? "";
    const kept = await service.request(STATES, { headers: { "if-none-match": etag } });
    assert.equal(kept.status, 304);
    expectOpen(kept.headers);
  });

  const REFUSALS: [number, string, RequestOptions][] = [
    [400, PATH, { method: "POST", json: {} }],
    [400, PATH, { method: "POST", raw: { type: "application/json", body: "{" } }],
    [400, "/plugins/get/states", {}],
    [404, "/plugins/nothing", {}],
    [404, "/plugins//payments/request", { method: "POST" }],
    [405, PATH, {}],
    [405, STATES, { method: "POST" }],
    [413, PATH, { method: "POST", json: { x: "x".repeat(70_000) } }],
    [415, PATH, { method: "POST", raw: { type: "text/plain", body: "x" } }],
  ];
  for (const [status, path, request] of REFUSALS)
    test(`${status} of ${request.method ?? "GET"} ${path}`, async () => {
      const answer = await service.request(path, request);
      assert.equal(answer.status, status);
      expectOpen(answer.headers);
    });

  test("a page for a browser that has no address to go to", async () => {
    const fields = minimal(shop.accountNumber, { response_url: "nowhere" });
    const answer = await ask(service, fields, "browser");
    assert.equal(answer.status, 400);
    expectOpen(answer.headers);
  });

  test("429, and 503 of a process that is stopping", async () => {
    const settings = { LIMIT_PAYMENT_REQUEST: "1" };
    const other = await startService({ settings, database: service.database });
    await service.clock.advance({ minutes: 2 });
    await ask(other, minimal(shop.accountNumber));
    const limited = await ask(other, minimal(shop.accountNumber));
    assert.equal(limited.status, 429);
    expectOpen(limited.headers);
    other.server.drain();
    for (const path of [PATH, STATES]) {
      const method = path === PATH ? "POST" : "GET";
      const { status, headers } = await other.request(path, { method });
      assert.equal(status, 503);
      expectOpen(headers);
    }
    await other.stop();
  });

  test("503 when there are too many at once", async () => {
    const other = await startService({
      settings: { REQUESTS_AT_ONCE_MAX: "1" },
      database: service.database,
    });
    const requests = Array.from({ length: 40 }, () => ask(other, minimal(shop.accountNumber)));
    const answers = await Promise.all(requests);
    await other.stop();
    assert(answers.some(({ status }) => status === 503));
    for (const { headers } of answers) expectOpen(headers);
  });

  test("the whole address as a request's target", async () => {
    const target = `${service.url}/plugins/get/environments`;
    const { status, headers } = await askRaw(service.url, { target });
    assert.equal(status, 200);
    expectOpen(asHeaders(headers));
  });
});

/** Any site may run it; none can read it by a script of its own. */
const BUTTON = "/pay/button.js";

test("the button's script can be run by any site, and not be read", async () => {
  const { status, headers } = await service.request(BUTTON, { headers: ORIGIN });
  assert.equal(status, 200);
  assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
  assert.equal(headers.get("access-control-allow-origin"), null);
});

describe("no other path can be read", () => {
  test("whatever it is called by", async () => {
    for (const route of routes.filter(({ path }) => !isOpen(path) && path !== BUTTON)) {
      const path = pathOf(route);
      const { headers } = await service.request(path, { method: route.method, headers: ORIGIN });
      expectClosed(headers, path);
      const asked = await preflight(path, route.method, "content-type");
      expectClosed(asked.headers, path);
    }
  });

  for (const target of [
    "/plugins",
    "/pluginsx/get/states",
    "/auth/whoami?x=/plugins/",
    "/auth/../plugins/get/states",
    "/nothing",
  ])
    test(target, async () => {
      const { headers } = await askRaw(service.url, { target });
      expectClosed(asHeaders(headers), target);
    });

  test("nor one that begins there and leads back", async () => {
    for (const target of ["/plugins/../auth/whoami", "/plugins/%2e%2e/auth/whoami"]) {
      const { status } = await askRaw(service.url, { target });
      assert.equal(status, 404, target);
    }
  });
});

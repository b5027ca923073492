/**
 * A call of the SDK has its effect once, whatever is lost on the way: what is safe is tried again,
 * what is not safe is not, and what went wrong is one error without a secret (Decision 0053).
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { inspect } from "node:util";
import { createWindward, type Windward } from "../../sdk/src/windward.ts";
import { WindwardError } from "../../sdk/src/windward-error.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { newUrl } from "../../testkit/webhook-endpoints.ts";
import type { Person } from "../../testkit/world.ts";
import { startWire, type Wire } from "./support.ts";

let service: TestService;
let wire: Wire;
let shop: Person;
let apiKey: string;
let windward: Windward;
before(async () => {
  service = await startService();
  wire = await startWire(service.url);
});
after(async () => {
  await wire.close();
  await service.stop();
});
beforeEach(async () => {
  wire.forget();
  shop = await service.world.merchant();
  const scopes = ["svc-user-all", "svc-transactions-all"] as const;
  ({ key: apiKey } = await mintKey(service.ctx, shop, scopes));
  windward = createWindward({ baseUrl: wire.url, apiKey });
});

const body = () => ({ url: newUrl(), environment: "sandbox" as const });
const keysSent = () => wire.requests.map(({ headers }) => headers["idempotency-key"] as string);
const caught = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail("it was answered"),
    (error: unknown) => {
      assert(error instanceof WindwardError, inspect(error));
      return error;
    },
  );

describe("a call", () => {
  test("carries the API key, and answers with the body", async () => {
    const { message, data } = await windward.GET("/auth/whoami");
    assert.equal(message, "OK");
    assert.equal(data.credential, "api_key");
    assert.equal(wire.requests[0]?.headers["x-svc-key"], apiKey);
  });

  test("that anybody may make carries no credential", async () => {
    await windward.GET("/plugins/get/environments");
    assert.equal(wire.requests[0]?.headers["x-svc-key"], undefined);
    await createWindward({ baseUrl: wire.url }).GET("/plugins/get/environments");
  });

  test("gives headers through openapi-fetch's own client", async () => {
    const { data, response } = await windward.client.GET("/auth/whoami");
    assert.equal(data?.data.account_number, shop.accountNumber);
    assert.equal(response.headers.get("x-svc-version"), "2.0.5");
    const refused = await windward.client.POST("/webhooks", { body: { ...body(), url: "no" } });
    assert.equal(refused.error?.message, "The url must begin with https:// or http://.");
  });
});

describe("a call that moves something", () => {
  for (const fate of ["before", "after", "middle"] as const)
    test(`has one effect when it is lost (${fate}), and its answer comes`, async () => {
      wire.fate("/webhooks", fate);
      const { data } = await windward.POST("/webhooks", { body: body() });
      assert.deepEqual(wire.calls(), ["POST /webhooks", "POST /webhooks"]);
      const [first, second] = keysSent();
      assert.match(first ?? "", /^[0-9a-f-]{36}$/);
      assert.equal(second, first, "under the same key");
      const made = await windward.GET("/webhooks");
      assert.deepEqual(
        made.data.map(({ id }) => id),
        [data.id],
      );
    });

  test("has a key of its own each time, or the one it was given", async () => {
    await windward.POST("/webhooks", { body: body() });
    await windward.POST("/webhooks", { body: body() });
    const header = { "Idempotency-Key": "order-7" };
    await windward.POST("/webhooks", { body: body(), params: { header } });
    const [first, second, third] = keysSent();
    assert.notEqual(first, second);
    assert.equal(third, "order-7");
  });

  test("waits for the first of two with its key, when that is still running", async () => {
    wire.fate("/webhooks", { status: 409, headers: { "retry-after": "0" } });
    await windward.POST("/webhooks", { body: body() });
    assert.equal(new Set(keysSent()).size, 1);
    assert.equal(wire.requests.length, 2);
  });

  test("and meets a conflict that waiting does not mend is told of it at once", async () => {
    wire.fate("/webhooks", { status: 409 });
    assert.equal((await caught(windward.POST("/webhooks", { body: body() }))).status, 409);
    assert.equal(wire.requests.length, 1);
  });
});

describe("a call that the service takes no key for", () => {
  const phone = { phone: "+18687101234" };

  for (const [what, fate] of [
    ["lost", "after"],
    ["answered 503", { status: 503 }],
  ] as const)
    test(`is not sent again when it is ${what}`, async () => {
      wire.fate("/user/phone", fate);
      const error = await caught(windward.PATCH("/user/phone", { body: phone as never }));
      assert.equal(error.status, typeof fate === "string" ? 0 : 503);
      assert.deepEqual(wire.calls(), ["PATCH /user/phone"]);
      assert.equal(keysSent()[0], undefined);
    });

  test("is sent again after a 429, which is said before anything is done", async () => {
    wire.fate("/auth/tokens", { status: 429, headers: { "retry-after": "0" } });
    // With a key it is refused, which shows that the second one arrived.
    const error = await caught(windward.DELETE("/auth/tokens"));
    assert.equal(error.status, 400);
    assert.equal(wire.requests.length, 2);
  });
});

describe("a call that reads", () => {
  for (const fate of ["before", "after", "middle", { status: 503 }, { status: 502 }] as const)
    test(`is sent again when it is lost (${inspect(fate)})`, async () => {
      wire.fate("/auth/whoami", fate, fate);
      const { data } = await windward.GET("/auth/whoami");
      assert.equal(data.account_number, shop.accountNumber);
      assert.equal(wire.requests.length, 3);
    });

  test("is given up after three more tries, or as many as were asked for", async () => {
    wire.fate("/auth/whoami", ...Array.from({ length: 5 }, () => "before" as const));
    const error = await caught(windward.GET("/auth/whoami"));
    assert.equal(error.status, 0);
    assert.match(error.message, /^No answer from http:\/\/127\.0\.0\.1:\d+: .+\.$/);
    assert.equal(wire.requests.length, 4);
    const hasty = createWindward({ baseUrl: wire.url, apiKey, retries: 0 });
    await caught(hasty.GET("/auth/whoami"));
    assert.equal(wire.requests.length, 5);
  });

  test("is not sent again for what is our mistake or yours", async () => {
    for (const status of [400, 403, 404, 500]) {
      wire.forget();
      wire.fate("/auth/whoami", { status });
      assert.equal((await caught(windward.GET("/auth/whoami"))).status, status);
      assert.equal(wire.requests.length, 1);
    }
  });

  test("ends when a try takes too long", async () => {
    const never = () => new Promise<Response>(() => {});
    const slow = (request: Request) =>
      Promise.race([
        never(),
        new Promise<Response>((_resolve, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason));
        }),
      ]);
    const settings = { baseUrl: wire.url, apiKey, timeoutSeconds: 0.05, retries: 1 };
    const error = await caught(createWindward({ ...settings, fetch: slow }).GET("/auth/whoami"));
    assert.match(error.message, /it took too long/);
  });
});

describe("a limit", () => {
  test("that is reached is waited for, as long as the service says", async () => {
    wire.fate("/auth/whoami", { status: 429, headers: { "retry-after": "1" } });
    const began = performance.now();
    await windward.GET("/auth/whoami");
    assert(performance.now() - began >= 1_000);
  });

  test("of the real service is waited for until the signal calls it off", async () => {
    const strict = await startService({ settings: { LIMIT_KEYS: "1" } });
    try {
      const { email, password } = await strict.world.merchant();
      const scopes = "svc-user-all";
      const limited = createWindward({ baseUrl: strict.url, email, password, scopes });
      await limited.GET("/auth/keys");
      const signal = AbortSignal.timeout(300);
      await assert.rejects(limited.GET("/auth/keys", { signal }), { name: "TimeoutError" });
      const hasty = { baseUrl: strict.url, email, password, scopes, retries: 0 };
      const other = createWindward(hasty);
      await other.GET("/auth/keys");
      const error = await caught(other.GET("/auth/keys"));
      assert.deepEqual([error.status, error.detail], [429, "Too Many Attempts."]);
      assert((error.retryAfterSeconds ?? 0) > 50);
      await strict.clock.advance({ seconds: 61 });
      await limited.GET("/auth/keys");
    } finally {
      await strict.stop();
    }
  });

  test("that asks for more than a minute is told instead", async () => {
    wire.fate("/auth/whoami", { status: 429, headers: { "retry-after": "61" } });
    const error = await caught(windward.GET("/auth/whoami"));
    assert.deepEqual([error.status, error.retryAfterSeconds], [429, 61]);
  });
});

describe("an abort signal", () => {
  test("ends a call before, during and between its tries, with its own reason", async () => {
    const reason = new Error("enough");
    await assert.rejects(
      windward.GET("/auth/whoami", { signal: AbortSignal.abort(reason) }),
      reason,
    );
    assert.equal(wire.requests.length, 0);
    const controller = new AbortController();
    wire.fate("/auth/whoami", { status: 503, headers: { "retry-after": "30" } });
    const call = windward.GET("/auth/whoami", { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 100);
    await assert.rejects(call, reason);
    assert.equal(wire.requests.length, 1);
  });

  test("of one caller leaves the sign-in to the others", async () => {
    const { email, password } = shop;
    const signedIn = createWindward({ baseUrl: wire.url, email, password, scopes: "svc-user-all" });
    const controller = new AbortController();
    const given = signedIn.GET("/auth/whoami", { signal: controller.signal });
    const other = signedIn.GET("/auth/whoami");
    controller.abort();
    await assert.rejects(given, { name: "AbortError" });
    assert.equal((await other).message, "OK");
  });
});

describe("a secret", () => {
  test("is in no error and in nothing that can be printed", async () => {
    const password = "secret of the test";
    const sent = [apiKey, password, "svc_rt_", "eyJ"];
    const { email } = shop;
    const withPassword = { baseUrl: wire.url, email, password, scopes: "svc-user-all" };
    const loud = Object.assign(new Error(`failed with ${apiKey}`), { config: { key: apiKey } });
    const clients = [
      windward,
      createWindward(withPassword),
      createWindward({ baseUrl: wire.url, apiKey, retries: 0, fetch: () => Promise.reject(loud) }),
    ];
    wire.fate("/auth/whoami", { status: 500 });
    for (const client of clients) {
      const error = await caught(client.GET("/auth/whoami"));
      for (const thing of [error, client]) {
        const shown = inspect(thing, { depth: 20, showHidden: true }) + JSON.stringify(thing);
        for (const secret of sent) assert(!shown.includes(secret), `${secret} in ${shown}`);
      }
    }
  });

  test("that no header can carry is refused without being quoted", () => {
    const make = () => createWindward({ baseUrl: wire.url, apiKey: "svc_live_abc\ndef" });
    assert.throws(make, (error: Error) => !error.message.includes("svc_live"));
    assert.throws(() => createWindward({ baseUrl: "api.example.com", apiKey }), WindwardError);
  });

  test("does not follow a redirect to another host", async () => {
    wire.fate("/auth/whoami", { status: 302, headers: { location: "http://127.0.0.1:1/steal" } });
    assert.equal((await caught(windward.GET("/auth/whoami"))).status, 302);
  });
});

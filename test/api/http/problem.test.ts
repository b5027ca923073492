/**
 * Every error carries its code and a link to the page about it; a caller whose Accept prefers
 * problem+json gets RFC 9457 with every member of the default body, and everybody else the default
 * body byte for byte (Decision 0063).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CATALOGUE, type ErrorCode } from "../../../src/kit/error-catalogue/catalogue.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { ask, minimal, PATH } from "../../../testkit/payment-requests.ts";
import { createProbes } from "../../../testkit/probe-routes.ts";
import { converse } from "../../../testkit/raw-http.ts";
import {
  type RequestOptions,
  startService,
  type TestAnswer,
  type TestService,
} from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

const PROBLEM = { accept: "application/problem+json" };

let service: TestService;
let shop: Person;
let token: string;
before(async () => {
  service = await startService({ extraRoutes: createProbes().routes });
  shop = await service.world.merchant();
  ({ token } = await mintToken(service.ctx, shop, ["svc-user-all"]));
});
after(() => service.stop());

/** The same request twice: the default body, and the problem that must contain all of it. */
async function bothOf(path: string, asked: RequestOptions = {}) {
  const plain = await service.request(path, asked);
  const headers = { ...asked.headers, ...PROBLEM };
  const problem = await service.request(path, { ...asked, headers });
  assert.match(plain.headers.get("content-type") ?? "", /^application\/json/);
  expectProblem(problem, plain);
  return { plain, problem };
}

function expectProblem(problem: TestAnswer, plain: TestAnswer): void {
  assert.equal(problem.headers.get("content-type"), "application/problem+json");
  assert.equal(problem.status, plain.status);
  const code = problem.headers.get("x-svc-error") as ErrorCode;
  assert.equal(plain.headers.get("x-svc-error"), code);
  const {
    type,
    title,
    status,
    detail,
    code: told,
    field,
    hint,
    request_id,
    ...rest
  } = problem.body;
  assert.equal(problem.headers.get("link"), `<${type}>; rel="help"`);
  assert.deepEqual([type, told], [`/docs/errors/${code}`, code]);
  assert.deepEqual([title, status], [CATALOGUE[code].title, plain.status]);
  assert.equal(detail, plain.body.message);
  assert.equal(request_id, problem.headers.get("x-request-id"));
  assert(typeof hint === "string" && hint !== "");
  assert(field === undefined || typeof field === "string");
  assert.deepEqual(rest, plain.body);
}

describe("problem+json is the default body and more", () => {
  test("of a field", async () => {
    const asked = { method: "POST", json: { refresh_token: "" } };
    const { plain, problem } = await bothOf("/auth/tokens/refresh", asked);
    assert.equal(plain.text, '{"message":"The refresh token field is required."}');
    assert.deepEqual([problem.body.code, problem.body.field], ["field_required", "refresh_token"]);
  });

  test("of a field that looks like a slip", async () => {
    const fields = minimal(shop.accountNumber, { order_id: undefined, orderid: "7" });
    const { problem } = await bothOf(PATH, { method: "POST", json: fields });
    assert.match(problem.body.hint, /The field orderid is not known; order_id may be/);
  });

  test("of the payment request, with url and transaction_id", async () => {
    const asked = { method: "POST", json: minimal(shop.accountNumber, { total: "-1" }) };
    const { problem } = await bothOf(PATH, asked);
    assert.match(problem.body.url, /^https:\/\/shop\.example\/paid\?cart=7&/);
    assert.deepEqual([problem.body.transaction_id, problem.body.field], ["", "total"]);
  });

  test("of a sign-in, with error and error_description", async () => {
    const json = {
      email: "nobody@example.com",
      password: "wrong-password",
      scopes: "svc-user-all",
    };
    const { problem } = await bothOf("/auth/tokens", { method: "POST", json });
    assert.equal(problem.body.error, "invalid_credentials");
    assert.equal(problem.body.error_description, problem.body.message);
  });

  test("of a missing scope, with those that are needed and held", async () => {
    const { problem } = await bothOf("/withdrawals/", { token });
    assert.match(problem.body.hint, /^Use a credential with svc-withdrawals-\S+ or svc-/);
    assert.match(problem.body.hint, /; this one has .*\bsvc-user-all\b/);
    assert.match(problem.headers.get("www-authenticate") ?? "", /scope="svc-withdrawals-/);
  });

  test("of an unknown record, an unknown path, a method and a mistake of ours", async () => {
    await bothOf("/auth/keys/0123456789abcdef01", { token });
    assert.equal((await bothOf("/nowhere")).problem.body.code, "unknown_path");
    const { problem } = await bothOf("/auth/whoami", { method: "POST" });
    assert.equal(problem.body.hint, "Use one of GET, HEAD, OPTIONS.");
    assert.equal(
      (await bothOf("/probe/broken", { method: "POST" })).problem.body.code,
      "internal_error",
    );
  });

  test("of a body that cannot be read", async () => {
    const post = (type: string, body: string) => ({ method: "POST", raw: { type, body } });
    const codes: [RequestOptions, ErrorCode][] = [
      [post("application/json", "{"), "malformed_content"],
      [post("application/json", '{"email":1,"email":2}'), "field_given_twice"],
      [post("application/json", "[".repeat(50) + "]".repeat(50)), "content_too_complex"],
      [post("text/plain", "x"), "unsupported_media_type"],
      [post("application/json", `"${"x".repeat(70_000)}"`), "body_too_large"],
    ];
    for (const [asked, code] of codes)
      assert.equal((await bothOf("/auth/tokens", asked)).problem.body.code, code);
    const gzip = { ...post("application/json", "{}"), headers: { "content-encoding": "gzip" } };
    assert.equal((await bothOf("/auth/tokens", gzip)).problem.body.code, "compressed_body");
  });

  test("of an Idempotency-Key that was used for something else", async () => {
    const headers = { "idempotency-key": "one" };
    const json = { url: "https://shop.example/events", environment: "sandbox" };
    const make = (description: string) => ({
      method: "POST",
      token,
      headers,
      json: { ...json, description },
    });
    assert.equal((await service.request("/webhooks", make("a"))).status, 201);
    const { problem } = await bothOf("/webhooks", make("b"));
    assert.match(problem.body.hint, /^Use a new Idempotency-Key/);
    const bad = { ...make("c"), headers: { "idempotency-key": "a b" } };
    const invalid = await bothOf("/webhooks", bad);
    assert.equal(invalid.problem.body.field, "Idempotency-Key");
  });
});

describe("the default body is what it was", () => {
  for (const accept of ["*/*", "application/json", "application/json, application/problem+json"])
    test(`for Accept: ${accept}`, async () => {
      const answer = await service.request("/auth/whoami", { headers: { accept } });
      assert.equal(answer.text, '{"message":"Unauthorized"}');
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    });

  test("and success is JSON for those that prefer problems", async () => {
    const answer = await service.request("/auth/whoami", { token, headers: PROBLEM });
    assert.deepEqual([answer.status, answer.body.message], [200, "OK"]);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal(answer.headers.get("x-svc-error"), null);
    assert.equal(answer.headers.get("link"), null);
  });
});

describe("a stranger learns nothing", () => {
  const without = ({ request_id: _, url: __, ...rest }: Record<string, unknown>) => rest;

  test("of accounts, from a payment request", async () => {
    const person = await service.world.person();
    const tried = ["1234567890", "12", person.accountNumber, shop.accountNumber];
    const problems = [];
    for (const accountNumber of tried) {
      const environment = accountNumber === shop.accountNumber ? "live" : "sandbox";
      const fields = minimal(accountNumber, { environment });
      const { body } = await ask(service, fields, "json", { headers: PROBLEM });
      if (body.code === "account_takes_no_payments") problems.push(without(body));
    }
    assert(problems.length >= 3);
    for (const problem of problems) assert.deepEqual(problem, problems[0]);
  });

  test("of accounts, from a sign-in", async () => {
    const sign = async (email: string) => {
      const json = { email, password: "wrong-password", scopes: "svc-user-all" };
      const asked = { method: "POST", json, headers: PROBLEM };
      return without((await service.request("/auth/tokens", asked)).body);
    };
    assert.deepEqual(await sign(shop.email), await sign("nobody@example.com"));
  });

  test("of records that are somebody else's", async () => {
    const other = await service.world.merchant();
    const { kid } = await mintKey(service.ctx, other, ["svc-user-all"]);
    const read = async (id: string) =>
      without((await service.request(`/auth/keys/${id}`, { token, headers: PROBLEM })).body);
    assert.deepEqual(await read(kid), await read("0123456789abcdef01"));
  });
});

test("a path of 1.x has both links", async () => {
  const { headers } = await service.request("/auth/refresh", { method: "POST", json: {} });
  assert.equal(
    headers.get("link"),
    '</auth/tokens/refresh>; rel="successor-version", </docs/errors/field_required>; rel="help"',
  );
});

test("bytes that are no HTTP are answered with a code", async () => {
  const told = async (bytes: string) => {
    const { answers } = await converse(service.url, bytes);
    return [answers[0]?.status, answers[0]?.headers.get("x-svc-error")];
  };
  assert.deepEqual(await told("hello\r\n\r\n"), [400, "malformed_request"]);
  const long = `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`;
  assert.deepEqual(await told(long), [431, "headers_too_large"]);
});

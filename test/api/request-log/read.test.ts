/**
 * The guarantee: one request of the log shows what was sent and answered and, when it was refused,
 * what was wrong and what to do; only to its own account and environment (Decision 0087).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { CATALOGUE, ERROR_CODES } from "../../../src/kit/error-catalogue/catalogue.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { explainRefusal } from "../../../src/modules/request-log/explain-refusal.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { minimal, PATH } from "../../../testkit/payment-requests.ts";
import { fixture, fixtureNames, pictureForm } from "../../../testkit/pictures.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";

const service = await startService();
const { ctx, world } = service;
after(() => service.stop());

const shop = await world.mainMerchant();
const { token } = await mintToken(ctx, shop, SCOPES);
const sandbox = await mintKey(ctx, shop, SCOPES, { prefix: "test" });
const live = await mintKey(ctx, shop, SCOPES, { prefix: "live" });
const narrow = await mintKey(ctx, shop, ["svc-withdrawals-retrieve"]);

const idOf = ({ headers }: TestAnswer) => headers.get("x-request-id") ?? "";

async function read(id: string, who: RequestOptions = { token }): Promise<TestAnswer> {
  await ctx.requestLog.flush();
  return service.request(`/requests/${id}`, who);
}

async function logged(path: string, options: RequestOptions) {
  const answer = await service.request(path, options);
  const { status, body } = await read(idOf(answer));
  assert.equal(status, 200);
  return { answer, line: body.data };
}

describe("a request of the log", () => {
  test("has the body and the headers that matter, of request and answer", async () => {
    const json = { ...minimal(shop.accountNumber), order_id: "read-1" };
    const { answer, line } = await logged(PATH, {
      method: "POST",
      json,
      headers: { "user-agent": "shop/1.0", "idempotency-key": "k-1", cookie: "a=b" },
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(line.request.body), json);
    assert.deepEqual(Object.keys(line.request.headers).toSorted(), [
      "accept",
      "content-type",
      "idempotency-key",
      "user-agent",
    ]);
    assert.equal(line.request.headers["user-agent"], "shop/1.0");
    assert.equal(line.request.query, null);
    const said = JSON.parse(line.response.body);
    assert.equal(said.transaction_id, answer.body.transaction_id);
    assert.match(said.url, /\/checkout\/\[masked\]$/, "the page's token is shown");
    assert.equal(line.response.headers["content-type"], "application/json; charset=utf-8");
    assert.equal(line.explanation, null);
  });

  test("explains a refusal with its field, its rule and its page", async () => {
    const json = { ...minimal(shop.accountNumber), order_id: "read-2", currency: "EUR" };
    const { answer, line } = await logged(PATH, { method: "POST", json });
    assert.equal(line.code, answer.headers.get("x-svc-error"));
    const { explanation } = line;
    assert.equal(explanation.what_was_wrong, CATALOGUE.field_not_allowed.statement);
    assert.equal(explanation.what_was_expected, answer.body.message);
    assert.match(explanation.how_to_mend_it, /currency/);
    assert.equal(explanation.field, "currency");
    const page = new URL(explanation.documentation);
    assert.equal(page.pathname, "/docs/errors/field_not_allowed");
    assert.equal((await service.request(page.pathname)).status, 200);
  });

  const REFUSALS: [string, string, RequestOptions][] = [
    ["not_found", "/transactions/SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0", { token }],
    ["insufficient_scope", "/user/", { key: narrow.key }],
    ["malformed_content", "/webhooks", { method: "POST", token, raw: rawJson("{") }],
    ["unsupported_media_type", "/webhooks", { method: "POST", token, raw: rawText("x") }],
    ["body_too_large", "/webhooks", { method: "POST", token, json: { x: "x".repeat(70_000) } }],
    ["no_picture", "/user/picture", { method: "DELETE", token }],
  ];
  for (const [code, path, options] of REFUSALS)
    test(`explains ${code}`, async () => {
      const { answer, line } = await logged(path, options);
      assert.equal(answer.headers.get("x-svc-error"), line.code);
      assert.equal(line.status, answer.status);
      const { documentation, ...words } = line.explanation;
      for (const name of ["what_was_wrong", "what_was_expected", "how_to_mend_it"])
        assert.match(words[name], /^[A-Z].*\.$/);
      assert.equal((await service.request(new URL(documentation).pathname)).status, 200);
    });

  test("of a picture has its type and size, and a list over 4 kB is cut", async () => {
    const [picture = ""] = fixtureNames();
    const { line } = await logged("/user/picture", {
      method: "POST",
      token,
      ...pictureForm(fixture(picture)),
    });
    assert.match(line.request.body, /^\[multipart\/form-data; boundary=\S+, \d+ bytes\]$/);
    const data = "é".repeat(4_000);
    const json = { ...minimal(shop.accountNumber), order_id: "read-3", data };
    const { line: long } = await logged(PATH, { method: "POST", json });
    assert(Buffer.byteLength(long.request.body) <= 4_096);
    assert.match(long.request.body, /… \[cut: \d+ bytes\]$/);
  });

  test("of CSV has its type alone", async () => {
    const { line } = await logged("/transactions/?format=csv", { token });
    assert.match(line.response.body, /^\[text\/csv/);
    assert.equal(line.request.query, "format=csv");
  });

  test("is not found by another account, a key of the other environment, or without an id", async () => {
    const other = await mintToken(ctx, await world.mainMerchant(), SCOPES);
    const id = idOf(await service.request("/events", { key: sandbox.key }));
    assert.equal((await read(id)).status, 200);
    assert.equal((await read(id, { key: sandbox.key })).status, 200);
    for (const who of [{ token: other.token }, { key: live.key }])
      assert.deepEqual((await read(id, who)).body, { message: "Not Found" });
    for (const unknown of ["nothing", "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f"])
      assert.equal((await read(unknown)).status, 404);
    const named = await service.request(`/requests/${id}?environment=live`, { token });
    assert.equal(named.status, 404);
  });
});

test("every code of the catalogue is explained", () => {
  for (const code of ERROR_CODES) {
    const found = explainRefusal({ code, refusal: {} }, { publicUrl: "https://api.example.com" });
    assert.equal(found?.documentation, `https://api.example.com/docs/errors/${code}`);
    assert.notEqual(found?.what_was_expected, "");
  }
});

function rawJson(body: string) {
  return { type: "application/json", body };
}

function rawText(body: string) {
  return { type: "text/plain", body };
}

/** An error of the SDK says which error it is, what to do about it, and where to look for it. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { inspect } from "node:util";
import { createWindward, type Windward } from "../../sdk/src/windward.ts";
import { WindwardError } from "../../sdk/src/windward-error.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { newUrl } from "../../testkit/webhook-endpoints.ts";
import type { Person } from "../../testkit/world.ts";

let service: TestService;
let shop: Person;
let windward: Windward;
before(async () => {
  service = await startService();
});
after(() => service.stop());
beforeEach(async () => {
  shop = await service.world.merchant();
  const scopes = ["svc-user-all", "svc-transactions-all"] as const;
  const { key: apiKey } = await mintKey(service.ctx, shop, scopes);
  windward = createWindward({ baseUrl: service.url, apiKey });
});

const body = () => ({ url: newUrl(), environment: "sandbox" as const });
const caught = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail("it was answered"),
    (error: unknown) => {
      assert(error instanceof WindwardError, inspect(error));
      return error;
    },
  );

describe("a call", () => {
  test("that is refused says which field, and where to look for it", async () => {
    const error = await caught(windward.POST("/webhooks", { body: { ...body(), url: "no" } }));
    assert.equal(error.status, 400);
    const sentence = "The url must begin with https:// or http://.";
    assert.deepEqual([error.detail, error.code, error.field], [sentence, "field_invalid", "url"]);
    assert.match(error.hint ?? "", /^Send url as /);
    assert.match(error.requestId ?? "", /^[0-9a-f-]{36}$/);
    const names = `(field_invalid, field url, request ${error.requestId})`;
    assert.equal(error.message, `${sentence} ${error.hint} ${names}`);
    assert(String(error.stack).includes(names), "what is printed has them too");
    const params = { path: { transaction_id: "TT-1" } };
    const unknown = await caught(windward.GET("/transactions/{transaction_id}", { params }));
    assert.deepEqual(
      [unknown.status, unknown.detail, unknown.code, unknown.field],
      [404, "Not Found", "not_found", undefined],
    );
  });

  test("that lacks a scope is told which one it needs and which it has", async () => {
    const { key } = await mintKey(service.ctx, shop, ["svc-user-retrieve"]);
    const poor = createWindward({ baseUrl: service.url, apiKey: key });
    const error = await caught(poor.GET("/withdrawals/"));
    assert.deepEqual([error.status, error.code], [403, "insufficient_scope"]);
    assert.match(error.message, /with svc-withdrawals-.*; this one has svc-user-retrieve\./);
  });

  test("has its hint behind the end of a sentence", async () => {
    const nobody = createWindward({ baseUrl: service.url });
    const error = await caught(nobody.GET("/withdrawals/"));
    assert.equal(error.detail, "Unauthorized");
    assert(error.message.startsWith(`Unauthorized. ${error.hint} (`), error.message);
  });

  test("with a header of its own for what it accepts still gets the code", async () => {
    const headers = { accept: "text/csv" };
    const params = { query: { start_date: "soon" } };
    const error = await caught(windward.GET("/transactions/", { params, headers } as never));
    assert.deepEqual([error.code, error.field], ["field_invalid", "start_date"]);
    assert.equal(error.hint, undefined);
    const csv = await windward.client.GET("/transactions/", {
      headers,
      parseAs: "text",
    } as never);
    assert.match(csv.response.headers.get("content-type") ?? "", /^text\/csv/);
  });

  test("names a field of several words as it is sent", () => {
    const fieldOf = (message: string) => new WindwardError({ status: 400, message }).field;
    assert.equal(fieldOf("The bank account type field is required."), "bank_account_type");
    assert.equal(fieldOf("The order id format is invalid."), "order_id");
    assert.equal(fieldOf("The bank account must have 8 digits at Bank."), "bank_account");
    assert.equal(fieldOf("The card is being charged."), undefined);
  });
});

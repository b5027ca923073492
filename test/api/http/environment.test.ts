/**
 * `environment` means the same in the query and in the body, on every protected route that has it
 * (Decision 0074). Which routes those are is read from the routes; that a record of the other
 * environment is 404 is proven by `test/reach.test.ts`.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { type AppContext, appRoutes } from "../../../src/app.ts";
import type { Route } from "../../../src/infra/http/route.ts";
import type { Environment } from "../../../src/kit/vocabulary.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { ask, type RawAnswer } from "../../../testkit/raw-http.ts";
import { openHolder } from "../../../testkit/records.ts";
import { requestFor, routeName } from "../../../testkit/route-requests.ts";
import { rowCounts } from "../../../testkit/row-counts.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";
import { APPROVED, newPayment, pay } from "../../../testkit/transactions.ts";

const DIFFER = "The environment must be the same in the query and in the body.";
const ONE_OF = "The environment must be one of: live, sandbox.";

const service = await startService();
const { ctx } = service;
after(() => service.stop());
const owner = await openHolder(service);
const { token, keys } = owner;
for (const environment of ["live", "sandbox"])
  await service.request(`/user/payment-key?environment=${environment}`, { token });

/** These must be among them, whatever else is. */
const AT_LEAST = [
  "POST /withdrawals/",
  "DELETE /withdrawals/{transaction_id}",
  "POST /transactions/{transaction_id}/refund",
  "POST /trusted-cards/",
  "POST /trusted-cards/{uuid}/verify",
  "POST /trusted-cards/{uuid}/charge",
  "DELETE /trusted-cards/{uuid}",
  "POST /webhooks",
  "PATCH /webhooks/{id}",
  "DELETE /webhooks/{id}",
  "POST /webhooks/{id}/rotate",
  "POST /webhooks/{id}/test",
  "POST /webhooks/{id}/deliveries/{delivery}/resend",
  "POST /webhooks/{id}/replay",
  "POST /user/payment-key/rotate",
  "POST /transactions/refund_request",
];
const READ_AT_LEAST = [
  "GET /user/",
  "GET /transactions/",
  "GET /transactions/{transaction_id}",
  "GET /withdrawals/",
  "GET /withdrawals/{transaction_id}",
  "GET /trusted-cards/",
  "GET /trusted-cards/{uuid}",
  "GET /webhooks",
  "GET /webhooks/{id}",
  "GET /webhooks/{id}/deliveries",
  "GET /events",
  "GET /user/payment-key",
];

const routes = appRoutes(ctx).filter(
  ({ access, query, body }) =>
    access !== "public" && (query?.environment ?? body?.environment) !== undefined,
);
const writing = routes.filter(({ method }) => method !== "GET");

interface Named {
  readonly inQuery?: string;
  readonly inBody?: string;
}

function call(route: Route<AppContext>, { inQuery, inBody }: Named, who: RequestOptions) {
  const { path, method, json = {} } = requestFor(route);
  const { environment: _, ...rest } = json;
  // The paths of 1.x have their identifiers there.
  const ids = Object.entries(route.query ?? {}).filter(([, { required }]) => required);
  const query = new URLSearchParams(Object.fromEntries(ids.map(([name]) => [name, "0"])));
  if (inQuery !== undefined) query.set("environment", inQuery);
  // A route without fields of its own reads the environment from its body all the same.
  const body = { json: inBody === undefined ? rest : { ...rest, environment: inBody } };
  return service.request(`${path}?${query}`, { method, ...(method === "GET" ? {} : body), ...who });
}

test("the routes that move, change or read data of an environment are all among them", () => {
  const names = new Set(routes.map(routeName));
  assert.deepEqual(
    [...AT_LEAST, ...READ_AT_LEAST].filter((name) => !names.has(name)),
    [],
  );
});

for (const route of writing)
  describe(routeName(route), () => {
    const takesKeys = route.access !== "public" && route.access.credentials === "either";

    test("refuses two that differ, and does nothing", async () => {
      const before = await rowCounts(ctx.db);
      for (const named of [
        { inQuery: "live", inBody: "sandbox" },
        { inQuery: "sandbox", inBody: "live" },
      ])
        expectRefused(await call(route, named, { token }), DIFFER);
      assert.deepEqual(await rowCounts(ctx.db), before);
    });

    test("refuses a word it does not know in either place, also beside a good one", async () => {
      for (const named of [
        { inQuery: "prod" },
        { inBody: "prod" },
        { inQuery: "prod", inBody: "live" },
        { inQuery: "live", inBody: "prod" },
      ])
        expectRefused(await call(route, named, { token }), ONE_OF);
    });

    if (takesKeys)
      test("refuses a key that names the other environment in either place", async () => {
        for (const [own, other] of [
          ["live", "sandbox"],
          ["sandbox", "live"],
        ] as [Environment, Environment][])
          for (const named of [{ inQuery: other }, { inBody: other }])
            expectRefused(
              await call(route, named, { key: keys[own] }),
              `The environment must be ${own} with this API key.`,
            );
      });
  });

for (const route of routes.filter(({ method }) => method === "GET"))
  test(`${routeName(route)} reads it from the query`, async () => {
    expectRefused(await call(route, { inQuery: "prod" }, { token }), ONE_OF);
    if (route.access === "public" || route.access.credentials === "bearer") return;
    const answer = await call(route, { inQuery: "live" }, { key: keys.sandbox });
    expectRefused(answer, "The environment must be sandbox with this API key.");
  });

describe("one place is as good as the other", () => {
  const withdrawal = { withdrawal_type: "normal", currency: "TTD", amount: "10.00" };
  const withdraw = (query: string, json: object, headers = {}) =>
    service.request(`/withdrawals/${query}`, { method: "POST", token, json, headers });

  test("a withdrawal is made where the query, the body, or both say", async () => {
    for (const environment of ["live", "sandbox"] as const)
      for (const answer of [
        await withdraw(`?environment=${environment}`, withdrawal),
        await withdraw("", { ...withdrawal, environment }),
        await withdraw(`?environment=${environment}`, { ...withdrawal, environment }),
        await withdraw(`?environment=${environment}`, { ...withdrawal, environment: "" }),
      ]) {
        assert.equal(answer.status, 201, answer.text);
        const id: string = answer.body.data.transaction_id;
        assert.equal(id.startsWith("SB-"), environment === "sandbox", id);
      }
    await expectBooksToBalance(ctx.db);
  });

  test("an Idempotency-Key takes them for the same request, and another for another", async () => {
    const headers = { "idempotency-key": "place-1" };
    const first = await withdraw("?environment=sandbox", withdrawal, headers);
    assert.equal(first.status, 201, first.text);
    for (const again of [
      await withdraw("", { ...withdrawal, environment: "sandbox" }, headers),
      await withdraw("?environment=sandbox", { ...withdrawal, environment: "sandbox" }, headers),
    ]) {
      assert.equal(again.headers.get("idempotent-replayed"), "true");
      assert.equal(again.text, first.text);
    }
    assert.equal((await withdraw("?environment=live", withdrawal, headers)).status, 422);
    await expectBooksToBalance(ctx.db);
  });

  test("a refund is asked for with it in either, and cancelled withdrawals alike", async () => {
    const { transaction_id: id } = await pay(
      service,
      newPayment(owner, { environment: "sandbox" }),
      APPROVED,
    );
    const refund = (query: string, json: object) =>
      service.request(`/transactions/${id}/refund${query}`, { method: "POST", token, json });
    assert.equal((await refund("?environment=live", { amount: "1.00" })).status, 404);
    assert.equal((await refund("?environment=sandbox", { amount: "1.00" })).status, 201);
    assert.equal((await refund("", { amount: "1.00", environment: "sandbox" })).status, 201);
    const made = await withdraw("?environment=sandbox", withdrawal);
    const path = `/withdrawals/${made.body.data.transaction_id}`;
    const json = { environment: "live" };
    assert.equal((await service.request(path, { method: "DELETE", token, json })).status, 404);
    const form = { environment: "sandbox" };
    assert.equal((await service.request(path, { method: "DELETE", token, form })).status, 200);
    await expectBooksToBalance(ctx.db);
  });

  test("a payment key is rotated where the query says, though the field is required", async () => {
    const rotate = (query: string) =>
      service.request(`/user/payment-key/rotate${query}`, { method: "POST", token });
    expectRefused(await rotate(""), "The environment field is required.");
    const { body } = await rotate("?environment=sandbox");
    assert.equal(body.data.environment, "sandbox");
  });

  test("fields are still judged in their order", async () => {
    const wrongBefore = { ...withdrawal, currency: "EUR", environment: "live" };
    const answer = await withdraw("?environment=sandbox", wrongBefore);
    assert.match(answer.body.message, /^The currency /);
  });

  test("one that is given twice in the query is refused, and any other parameter is not", async () => {
    const twice = await withdraw("?environment=live&environment=live", withdrawal);
    expectRefused(twice, "The environment field is given more than once.");
    const odd = await withdraw("?a=1&a=2&%zz&environment=sandbox", withdrawal);
    assert.equal(odd.status, 201, odd.text);
  });
});

/** As clients do that put the fields of every method into the body; `fetch` refuses to. */
function getWithBody(target: string, fields: object): Promise<RawAnswer> {
  const lines = [`Authorization: Bearer ${token}`, "Content-Type: application/json"];
  return ask(service.url, { target, lines, body: JSON.stringify(fields) });
}

test("a GET takes it in its body, too, instead of answering of live", async () => {
  for (const path of ["/user/payment-key", "/transactions/", "/events", "/webhooks"]) {
    const inQuery = await service.request(`${path}?environment=sandbox`, { token });
    const inBody = await getWithBody(path, { environment: "sandbox" });
    assert.equal(inBody.status, 200);
    assert.deepEqual(JSON.parse(inBody.body).data, inQuery.body.data, path);
    const both = await getWithBody(`${path}?environment=live`, { environment: "sandbox" });
    assert.deepEqual([both.status, JSON.parse(both.body)], [400, { message: DIFFER }]);
  }
});

test("the public payment request looks at its body only", async () => {
  const { body } = await service.request("/plugins/payments/request?environment=live", {
    method: "POST",
    form: {
      account_number: owner.accountNumber,
      country_code: "TT",
      currency: "TTD",
      environment: "sandbox",
      fee_structure: "customer_pay",
      method: "credit_card_co",
      order_id: "place-2",
      origin: "shop",
      response_url: "https://shop.example.com/back",
      total: "10.00",
      email: "customer@example.com",
    },
  });
  assert.match(body.transaction_id, /^SB-/);
});

function expectRefused({ status, body }: TestAnswer, message: string): void {
  assert.deepEqual([status, body], [400, { message }]);
}

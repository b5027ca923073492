/**
 * The guarantee: a listener's polls that find nothing are not in the request log, all else of the
 * feeds is; and a request of a bearer token is of the environment that the id in its path names
 * (Decision 0144).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintKey } from "../../../testkit/credentials.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../../testkit/transactions.ts";

const service = await startService();
const { ctx } = service;
after(() => service.stop());

const shop = await openShop(service);
const { token } = shop;
const { key } = await mintKey(ctx, shop, SCOPES, { prefix: "test" });

const idOf = ({ headers }: TestAnswer) => headers.get("x-request-id") ?? "";

async function lineOf(answer: TestAnswer): Promise<TestAnswer> {
  await ctx.requestLog.flush();
  return service.request(`/requests/${idOf(answer)}`, { token });
}

describe("of the feeds", () => {
  for (const feed of ["/events", "/events/resent"]) {
    test(`GET ${feed} with a cursor that found nothing is left out`, async () => {
      const answer = await service.request(`${feed}?after=0&page_size=50`, { key });
      assert.deepEqual(answer.body.data, []);
      assert.equal((await lineOf(answer)).status, 404);
    });

    test(`GET ${feed} without one is logged, and so is a refused one`, async () => {
      assert.equal((await lineOf(await service.request(feed, { key }))).status, 200);
      const refused = await service.request(`${feed}?after=x`, { key });
      assert.equal(refused.status, 400);
      assert.equal((await lineOf(refused)).body.data.status, 400);
    });
  }

  test("a poll that found an event is logged", async () => {
    await pay(service, newPayment(shop, { environment: "sandbox" }), APPROVED);
    await service.numberEvents();
    const answer = await service.request("/events?after=0", { key });
    assert.notEqual(answer.body.data.length, 0);
    assert.equal((await lineOf(answer)).status, 200);
    const next = await service.request(`/events?after=${answer.body.meta.last_sequence}`, { key });
    assert.equal((await lineOf(next)).status, 404);
  });
});

describe("the environment of a bearer token's request", () => {
  for (const environment of ["sandbox", "live"] as const)
    test(`is ${environment} by the id in its path`, async () => {
      const { transaction_id: id } = await pay(service, newPayment(shop, { environment }));
      const refund = await service.request(`/transactions/${id}/refund`, {
        method: "POST",
        token,
        json: { reason: "changed their mind" },
      });
      assert.equal((await lineOf(refund)).body.data.environment, environment);
      const read = await service.request(`/transactions/${id}?x=1`, { token });
      assert.equal((await lineOf(read)).body.data.environment, environment);
    });

  test("is none where nothing names it", async () => {
    const answer = await service.request("/auth/whoami", { token });
    assert.equal((await lineOf(answer)).body.data.environment, null);
  });
});

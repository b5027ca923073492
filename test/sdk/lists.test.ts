/**
 * Looping over a list of the SDK meets every record once, though the list grows and shrinks while
 * it is walked (Decision 0053).
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createWindward, type Windward } from "../../sdk/src/windward.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { fillHistory, newPayment, openShop, pay, type Shop } from "../../testkit/transactions.ts";
import { makeEndpoint } from "../../testkit/webhook-endpoints.ts";

let service: TestService;
let shop: Shop;
let windward: Windward;
before(async () => {
  service = await startService();
});
after(() => service.stop());
beforeEach(async () => {
  shop = await openShop(service);
  const { email, password, allScopes: scopes } = shop;
  windward = createWindward({ baseUrl: service.url, email, password, scopes });
});

async function all<T>(walk: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of walk) found.push(one);
  return found;
}

describe("transactions", () => {
  const history = { rows: 250, until: "2026-11-01T00:00:00Z", everySeconds: 60 };

  test("all come, newest first, while new ones are made", async () => {
    await fillHistory(service, shop, history);
    const met: string[] = [];
    for await (const { transaction_id, order_id } of windward.transactions()) {
      met.push(transaction_id);
      if (met.length % 60 === 1) await pay(service, newPayment(shop));
      assert.match(order_id, /^old-/, "what came later is not of this walk");
    }
    assert.equal(met.length, 250);
    assert.equal(new Set(met).size, 250);
    assert.equal((await all(windward.transactions())).length, 255);
  });

  test("those that fit come, on every page", async () => {
    await fillHistory(service, shop, history);
    const dollars = await all(windward.transactions({ currency: "USD" }, { pageSize: 7 }));
    assert.equal(dollars.length, 50);
    assert(dollars.every(({ currency }) => currency === "USD"));
  });

  test("that are looked at for a while are fetched page by page, and no further", async () => {
    await fillHistory(service, shop, history);
    const { email, password, allScopes: scopes } = shop;
    const asked: string[] = [];
    const fetch = (request: Request) => {
      asked.push(new URL(request.url).pathname);
      return globalThis.fetch(request);
    };
    const watched = createWindward({ baseUrl: service.url, email, password, scopes, fetch });
    for await (const _one of watched.transactions({}, { pageSize: 10 })) {
      if (asked.length === 4) break;
    }
    assert.deepEqual(asked.slice(1), Array(3).fill("/transactions/"));
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(all(watched.transactions({}, { signal })), /enough/);
  });
});

describe("a list of numbered pages", () => {
  async function endpoints(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i += 1) ids.push((await makeEndpoint(service, shop)).id);
    return ids;
  }
  const walk = () => windward.webhooks({ environment: "live" }, { pageSize: 2 });
  const remove = (id: string) => windward.DELETE("/webhooks/{id}", { params: { path: { id } } });

  test("is walked to its end", async () => {
    const ids = await endpoints(7);
    const met = (await all(walk())).map(({ id }) => id);
    assert.deepEqual(met, ids.toReversed());
    assert.deepEqual(await all(windward.webhooks({ environment: "sandbox" })), []);
  });

  test("meets each once when every one that was met is deleted at once", async () => {
    const ids = await endpoints(9);
    const met: string[] = [];
    for await (const { id } of walk()) {
      met.push(id);
      await remove(id);
    }
    assert.deepEqual(met, ids.toReversed());
    assert.deepEqual(await all(walk()), []);
  });

  test("meets each once when new ones push the others back", async () => {
    const ids = await endpoints(6);
    const met: string[] = [];
    for await (const { id } of walk()) {
      met.push(id);
      if (met.length <= 4) await endpoints(1);
    }
    assert.deepEqual(met, ids.toReversed());
  });

  test("misses none when some go and others come", async () => {
    const ids = await endpoints(9);
    const met: string[] = [];
    for await (const { id } of walk()) {
      met.push(id);
      if (met.length === 4) for (const gone of ids.slice(6)) await remove(gone);
      if (met.length === 5) await endpoints(2);
    }
    assert.deepEqual(met.toSorted(), ids.toSorted());
  });
});

test("every list of the interface that has pages can be looped over", async () => {
  const lists = [
    windward.transactions(),
    windward.withdrawals(),
    windward.trustedCards(),
    windward.paymentLinks(),
    windward.events(),
    windward.apiKeys(),
    windward.webhooks(),
  ];
  for (const list of lists) assert.deepEqual(await all<unknown>(list), []);
  const { id } = await makeEndpoint(service, shop);
  assert.deepEqual(await all(windward.deliveries(id)), []);
});

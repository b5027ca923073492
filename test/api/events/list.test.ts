/**
 * The feed: everything that happened to an account, oldest first, the same bytes whenever it is
 * read, for its owner alone and within the credential's environment (Decision 0032).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Scope } from "../../../src/kit/scopes.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { type RequestOptions, startService, type TestService } from "../../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../../testkit/transactions.ts";

let service: TestService;
let shop: Shop;
let other: Shop;
before(async () => {
  service = await startService();
  shop = await openShop(service);
  other = await openShop(service);
  for (let i = 1; i <= 6; i++) await pay(service, newPayment(shop), i <= 3 ? APPROVED : undefined);
  for (let i = 1; i <= 2; i++) await pay(service, newPayment(shop, { environment: "sandbox" }));
  await pay(service, newPayment(other));
  await service.numberEvents();
});
after(() => service.stop());

const get = (query: string, who: RequestOptions = { token: shop.token }) =>
  service.request(`/events${query}`, who);
const pathOf = (link: string) => link.slice(new URL(link).origin.length);
const sequences = (body: { data: { sequence: number }[] }) => body.data.map((one) => one.sequence);

describe("the feed", () => {
  test("tells what happened, oldest first, numbered from 1", async () => {
    const { status, body } = await get("");
    assert.equal(status, 200);
    assert.deepEqual(sequences(body), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const names = body.data.map(({ event }: { event: string }) => event);
    const [made, paid] = ["payment.created", "payment.success"];
    assert.deepEqual(names, [made, paid, made, paid, made, paid, made, made, made]);
    assert.deepEqual(body.meta, { after: 0, page_size: 20, last_sequence: 9 });
    assert.equal(body.links.next, null);
  });

  test("is walked by its links, each event once", async () => {
    const seen: number[] = [];
    let address: string | null = "/events?page_size=4";
    while (address !== null) {
      const { body } = await service.request(address, { token: shop.token });
      seen.push(...sequences(body));
      assert.equal(pathOf(body.links.first), "/events?page_size=4&after=0");
      address = body.links.next === null ? null : pathOf(body.links.next);
    }
    assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  const PAGES: readonly [string, number[], string | null][] = [
    ["?after=0&page_size=2", [1, 2], "after=2"],
    ["?after=7", [8, 9], null],
    ["?after=8&page_size=1", [9], null],
    ["?after=7&page_size=1", [8], "after=8"],
    ["?after=9", [], null],
    ["?after=999999999999999", [], null],
    ["?after=", [1, 2, 3, 4, 5, 6, 7, 8, 9], null],
    ["?environment=sandbox", [1, 2], null],
    ["?environment=sandbox&page_size=1", [1], "after=1"],
  ];
  for (const [query, expected, next] of PAGES)
    test(`${query} shows ${expected.join(", ") || "nothing"}`, async () => {
      const { body } = await get(query);
      assert.deepEqual(sequences(body), expected);
      if (next === null) assert.equal(body.links.next, null);
      else assert.match(body.links.next, new RegExp(`[?&]${next}(&|$)`));
    });

  const REFUSED: readonly [string, string][] = [
    ["?after=-1", "The after must be a whole number from 0 to 999999999999999."],
    ["?after=x", "The after must be a whole number from 0 to 999999999999999."],
    ["?after=1.5", "The after must be a whole number from 0 to 999999999999999."],
    ["?after=1000000000000000", "The after must be a whole number from 0 to 999999999999999."],
    ["?page_size=0", "The page size must be a whole number from 1 to 100."],
    ["?page_size=101", "The page size must be a whole number from 1 to 100."],
    ["?environment=test", "The environment must be one of: live, sandbox."],
  ];
  for (const [query, message] of REFUSED)
    test(`${query} is refused`, async () => {
      const { status, body } = await get(query);
      assert.deepEqual([status, body.message], [400, message]);
    });

  test("shows nothing that has no number yet, and all of it once it has", async () => {
    const late = await openShop(service);
    await pay(service, newPayment(late));
    const before = await get("", { token: late.token });
    assert.deepEqual([before.body.data, before.body.meta.last_sequence], [[], 0]);
    await service.numberEvents();
    assert.deepEqual(sequences((await get("", { token: late.token })).body), [1]);
  });

  test("has the same bytes whenever it is read, and those that are kept for sending", async () => {
    const first = await get("?page_size=5");
    await service.clock.advance({ hours: 1 });
    const again = await get("?page_size=5");
    assert.equal(again.text, first.text);
    const kept = await service.ctx.db.rows<{ body: string }>(sql`
      select body from events
      where account_number = ${shop.accountNumber} and environment = 'live' and sequence <= 5
      order by sequence`);
    const bodies = kept.map(({ body }) => body).join();
    assert(first.text.includes(`"data":[${bodies}],"meta":`));
  });
});

describe("the feed is told", () => {
  const keyOf = async (holder: Shop, prefix: "live" | "test") =>
    mintKey(service.ctx, holder, ["svc-user-retrieve"], { prefix });

  test("to a test key about the sandbox only", async () => {
    const { key } = await keyOf(shop, "test");
    for (const query of ["", "?environment=sandbox"])
      assert.deepEqual(sequences((await get(query, { key })).body), [1, 2]);
    const { status, body } = await get("?environment=live", { key });
    assert.equal(status, 400);
    assert.equal(body.message, "The environment must be sandbox with this API key.");
  });

  test("to a live key about live only", async () => {
    const { key } = await keyOf(shop, "live");
    assert.equal((await get("", { key })).body.meta.last_sequence, 9);
    assert.equal((await get("?environment=sandbox", { key })).status, 400);
  });

  test("to nobody else, whatever they ask after", async () => {
    for (const after of [0, 1, 5]) {
      const { body, text } = await get(`?after=${after}`, { token: other.token });
      assert.equal(body.meta.last_sequence, 1);
      assert.equal(body.data.length, after === 0 ? 1 : 0);
      assert(!text.includes(shop.accountNumber));
    }
  });

  const SCOPES: readonly [Scope, number][] = [
    ["svc-user-retrieve", 200],
    ["svc-user-all", 200],
    ["svc-user-update", 403],
    ["svc-transactions-all", 403],
  ];
  for (const [scope, expected] of SCOPES)
    test(`${expected === 200 ? "to" : "not to"} ${scope}`, async () => {
      const credential = await mintToken(service.ctx, shop, [scope]);
      assert.equal((await get("", { token: credential.token })).status, expected);
    });
});

/**
 * Card testing (Decision 0068): one address cannot close a merchant's page to the customers of a
 * bank, and what many addresses get is bounded. The figures are those of the default settings.
 */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { SETTINGS } from "../../../src/infra/settings.ts";
import { countTry, settleTry } from "../../../src/modules/checkout/session/card-testing.ts";
import {
  CARDS,
  expectAllToAddUp,
  openOrder,
  submit,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { openShop, type Shop } from "../../../testkit/transactions.ts";

const PER_ADDRESS = 20;
const PER_MERCHANT = 300;
const PER_PREFIX_MAX = 84;
const ADDRESSES = 50;
const VISA = "4111111111113333";

const at = (place: number) => `198.51.100.${place}`;
const addresses = Array.from({ length: ADDRESSES }, (_, place) => at(place + 1));
/** Another bank for each number. */
const cardOf = (bank: number) => `4${String(10_000 + bank)}0000000000`;

let service: TestService;
before(async () => {
  // Other tests run without limits.
  const limits = SETTINGS.filter(({ name }) => name.startsWith("DECLINES_PER_"));
  const settings = limits.map((one) => [one.name, one.default ?? assert.fail(one.name)]);
  service = await startService({ settings: Object.fromEntries(settings) });
});
after(() => service.stop());
// Each begins with windows that are empty again.
beforeEach(() => service.clock.advance({ minutes: 61 }));
afterEach(() => expectAllToAddUp(service));

/** Over the whole way of a submitted card; tells what became of each. */
async function submitAll(shop: Shop, count: number, address: string, number = CARDS.declined) {
  const kinds: string[] = [];
  for (let tried = 0; tried < count; tried++) {
    const order = await openOrder(service, { shop });
    kinds.push((await submit(service, order, number, { address })).kind);
  }
  return kinds;
}

interface Attack {
  readonly shop: Shop;
  readonly address: string;
  readonly number: string;
}

/** As many declined cards as an address gets, all at once; tells how many it got. */
async function attack({ shop, address, number }: Attack, count = PER_ADDRESS): Promise<number> {
  const session = { environment: "sandbox" as const, accountNumber: shop.accountNumber };
  const tried = { session: { ...session, stored: undefined }, address, number };
  const all = Array.from({ length: count }, async () => {
    const counted = await countTry(service.ctx, tried);
    if (counted.kind === "limited") return 0;
    await settleTry(service.ctx, tried, counted, true);
    return 1;
  });
  return (await Promise.all(all)).reduce<number>((sum, one) => sum + one, 0);
}

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

describe("one address", () => {
  test("is limited itself, and another one still pays with a card of that bank", async () => {
    const shop = await openShop(service);
    const kinds = await submitAll(shop, PER_ADDRESS + 1, at(1));
    assert.deepEqual(kinds, [...Array(PER_ADDRESS).fill("taken"), "limited"]);
    const order = await openOrder(service, { shop });
    assert.equal((await submit(service, order, CARDS.approved, { address: at(2) })).kind, "taken");
    assert.equal(await told(service, order), "success, [1-R00]: Transaction is approved.");
  });

  test("is a whole /64 where it is of IPv6", async () => {
    const shop = await openShop(service);
    const number = cardOf(1);
    const of = (host: number) => `2001:db8:0:7::${host.toString(16)}`;
    const got = await Promise.all(
      Array.from({ length: ADDRESSES }, (_, host) =>
        attack({ shop, address: of(host + 1), number }, 2),
      ),
    );
    assert.equal(sum(got), PER_ADDRESS);
    assert.equal(await attack({ shop, address: "2001:db8:0:8::1", number }, 1), 1);
  });

  test("cannot close a page from all of its /48, where it is of IPv6", async () => {
    const shop = await openShop(service);
    const number = cardOf(3);
    for (let subnet = 1; subnet <= 10; subnet++)
      assert.equal(await attack({ shop, address: `2001:db8:1:${subnet}::1`, number }, 4), 4);
    assert.equal(await attack({ shop, address: at(9), number }, 1), 1);
  });

  test("cannot close a page with the help of honest declines", async () => {
    const shop = await openShop(service);
    const number = cardOf(2);
    assert.equal(await attack({ shop, address: at(1), number }), PER_ADDRESS);
    for (const address of addresses.slice(1, 16))
      assert.equal(await attack({ shop, address, number }, 1), 1, address);
  });
});

describe("50 addresses", () => {
  test("get 84 cards of one bank at a merchant, by five of them", async () => {
    const shop = await openShop(service);
    const got: number[] = [];
    for (const address of addresses.slice(0, 5))
      got.push(await attack({ shop, address, number: VISA }));
    assert.deepEqual(got, [20, 20, 20, 20, 4]);
    const others = addresses.slice(5).map((address) => attack({ shop, address, number: VISA }, 1));
    assert.equal(sum(await Promise.all(others)), 0);
    assert.equal(sum(got), PER_PREFIX_MAX);
    const audited = await service.ctx.db.rows(sql`
      select actor from audit_entries where account_number = ${shop.accountNumber}
        and action = 'card_limit_reached' and detail -> 'limits' ? 'bin'`);
    assert.deepEqual(audited, [{ actor: at(5) }]);
  });

  test("get fewer of one bank when they take turns", async () => {
    const shop = await openShop(service);
    const all = addresses.map((address) => attack({ shop, address, number: VISA }, 3));
    assert.equal(sum(await Promise.all(all)), 20);
  });

  test("get 300 of all banks at a merchant, and 1,000 at all merchants", async () => {
    const shops = await Promise.all([1, 2, 3, 4, 5].map(() => openShop(service)));
    const got = new Map<Shop, number>();
    for (const [index, address] of addresses.entries()) {
      const shop = shops[Math.floor(index / 15)] ?? assert.fail();
      const taken = await attack({ shop, address, number: cardOf(index) });
      got.set(shop, (got.get(shop) ?? 0) + taken);
    }
    const [first, , , , last] = shops;
    assert(first !== undefined && last !== undefined);
    assert.equal(got.get(first), PER_MERCHANT);
    assert.equal(sum([...got.values()]), ADDRESSES * PER_ADDRESS);
    const more = addresses.map((address) => attack({ shop: last, address, number: VISA }, 1));
    assert.equal(sum(await Promise.all(more)), 0, "all their addresses are spent");
    const newcomer = { shop: first, address: "203.0.113.200", number: VISA };
    assert.equal(await attack(newcomer, 1), 0, "the merchant's page is closed");
    assert.equal(await attack({ ...newcomer, shop: last }, 1), 1);
  });
});

describe("an approved card", () => {
  test("is counted nowhere, however many there are", async () => {
    const shop = await openShop(service);
    const kinds = await submitAll(shop, 2 * PER_ADDRESS, at(60), CARDS.approved);
    assert.deepEqual(new Set(kinds), new Set(["taken"]));
    const counted = await service.ctx.db.rows(sql`
      select window_key from rate_limit_windows
      where window_key like '%' || ${shop.accountNumber} || '%' and hit_count <> '{}'`);
    assert.deepEqual(counted, []);
  });
});

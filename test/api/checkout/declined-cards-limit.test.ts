/**
 * Cards that are tried out one after the other are stopped by address, by first digits and by
 * merchant (Decision 0068), and who pays is not held up.
 */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  ADDRESS,
  CARDS,
  expectAllToAddUp,
  journal,
  openOrder,
  submit,
} from "../../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

describe("cards that are tried out", () => {
  let service: TestService;

  before(async () => {
    service = await startService({
      settings: {
        DECLINES_PER_ADDRESS_MAX: "3",
        DECLINES_PER_BIN_MAX: "5",
        DECLINES_PER_MERCHANT_MAX: "7",
      },
    });
  });
  after(() => service.stop());
  afterEach(() => expectAllToAddUp(service));

  /** One card each at orders of one merchant, from different addresses; tells who was stopped. */
  async function tryOut(shopOf: Parameters<typeof openOrder>[1], cards: [string, string][]) {
    const kinds: string[] = [];
    for (const [number, address] of cards) {
      const order = await openOrder(service, shopOf);
      kinds.push((await submit(service, order, number, { address })).kind);
    }
    return kinds;
  }

  test("are stopped by address, by first digits and by merchant, for an hour", async () => {
    const { shop } = await openOrder(service);
    const visa = CARDS.declined;
    const mastercard = "5111111111113333";
    const at = (place: number) => `198.51.100.${place}`;
    assert.deepEqual(
      await tryOut(
        { shop },
        [1, 1, 1, 1].map((place) => [visa, at(place)]),
      ),
      ["taken", "taken", "taken", "limited"],
    );
    assert.deepEqual(
      await tryOut(
        { shop },
        [2, 3, 4].map((place) => [visa, at(place)]),
      ),
      ["taken", "taken", "limited"],
    );
    assert.deepEqual(
      await tryOut(
        { shop },
        [5, 6, 7].map((place) => [mastercard, at(place)]),
      ),
      ["taken", "taken", "limited"],
    );
    const audited = await service.ctx.db.rows(sql`
      select actor, detail from audit_entries
      where action = 'card_limit_reached' and account_number = ${shop.accountNumber}
      order by entry_id`);
    assert.deepEqual(audited, [
      { actor: at(1), detail: { limits: ["address"], environment: "sandbox" } },
      { actor: at(3), detail: { limits: ["bin"], environment: "sandbox" } },
      { actor: at(6), detail: { limits: ["merchant"], environment: "sandbox" } },
    ]);
    const elsewhere = await openOrder(service);
    assert.deepEqual(await tryOut({ shop: elsewhere.shop }, [[visa, at(8)]]), ["taken"]);
    await service.clock.advance({ minutes: 61 });
    assert.deepEqual(await tryOut({ shop }, [[visa, at(1)]]), ["taken"]);
  });

  test("at the same moment reach their bank no more often, and those that pay are not held up", async () => {
    const { shop } = await openOrder(service);
    const payAtOnce = async (count: number, number: string, address: string) => {
      const orders = await Promise.all(
        Array.from({ length: count }, () => openOrder(service, { shop })),
      );
      const submitted = await Promise.all(
        orders.map((order) => submit(service, order, number, { address })),
      );
      const sales = await Promise.all(orders.map((order) => journal(service, order)));
      const taken = submitted.filter(({ kind }) => kind === "taken").length;
      return { taken, sales: sales.flat().length };
    };
    const paying = await payAtOnce(6, CARDS.mastercard, "198.51.100.20");
    assert.deepEqual(paying, { taken: 6, sales: 6 });
    const declined = await payAtOnce(12, CARDS.declined, "198.51.100.20");
    assert.deepEqual(declined, { taken: 3, sales: 3 });
  });

  test("leave no first digits in the database, and no count when they are approved", async () => {
    const { shop } = await openOrder(service);
    const many = Array.from({ length: 8 }, (): [string, string] => [CARDS.approved, ADDRESS]);
    assert.deepEqual(new Set(await tryOut({ shop }, many)), new Set(["taken"]));
    const keys = await service.ctx.db.rows<{ window_key: string }>(sql`
      select window_key from rate_limit_windows where window_key like 'declined %'`);
    assert(keys.length > 0);
    assert.doesNotMatch(JSON.stringify(keys), /411111|511111/);
  });
});

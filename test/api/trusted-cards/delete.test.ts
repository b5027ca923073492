/**
 * A deleted card is gone: its key is destroyed, the amount goes back, and no charge follows the
 * answer, even when verifying, charging and deleting happen at once (Decision 0043).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Gateway } from "../../../src/modules/gateway/port.ts";
import { CARDS, journal, payment, sweep } from "../../../testkit/checkout-sessions.ts";
import { startService } from "../../../testkit/service.ts";
import {
  askToCharge,
  cardEvents,
  charge,
  closeService,
  openShop,
  orderOf,
  payWithCode,
  refundsOf,
  remove,
  saveCard,
  tidyUp,
  verifiedCard,
  verify,
} from "../../../testkit/trusted-cards.ts";
import { until } from "../../../testkit/until.ts";

const service = await startService();
const { ctx } = service;
after(() => closeService(service));
const shop = await openShop(service);

const keptOf = (uuid: string) =>
  ctx.db.one<{ state: string }>(sql`
    select state, wrapped_with, key_box, card_box, fingerprint from trusted_cards
    where card_uuid = ${uuid}`);
const GONE = {
  state: "deleted",
  wrapped_with: null,
  key_box: null,
  card_box: null,
  fingerprint: null,
};

/** While `work` runs, a sale waits until it is let go. */
async function whileSelling(work: (letGo: () => void) => Promise<void>): Promise<void> {
  const real = ctx.gateways.sandbox;
  assert(real !== undefined);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const slow: Gateway = {
    ...real,
    async sale(sale) {
      await held;
      return real.sale(sale);
    },
  };
  Object.assign(ctx.gateways, { sandbox: slow });
  try {
    await work(letGo);
  } finally {
    letGo();
    Object.assign(ctx.gateways, { sandbox: real });
  }
}

describe("deleting", () => {
  test("an unverified card destroys its key and returns the amount, once", async () => {
    const card = await saveCard(service, { shop });
    const answer = await remove(service, card);
    assert.deepEqual([answer.status, answer.body], [200, { message: "OK" }]);
    assert.deepEqual(await keptOf(card.uuid), GONE);
    assert.equal((await remove(service, card)).status, 404);
    await tidyUp(service);
    await tidyUp(service);
    assert.deepEqual(await refundsOf(service, card), ["refunded 0.73"]);
    const events = ["trusted_card.created", "trusted_card.deleted"];
    assert.deepEqual(await cardEvents(service, card.uuid), events);
  });

  test("tells the card as it was: verified or not", async () => {
    for (const make of [saveCard, verifiedCard]) {
      const { uuid, ...card } = await make(service, { shop });
      assert.equal((await remove(service, { ...card, uuid })).status, 200);
      await service.numberEvents();
      const { body } = await ctx.db.one<{ body: string }>(sql`
        select body from events
        where position(${uuid} in body) > 0 and event = 'trusted_card.deleted'`);
      const { meta } = JSON.parse(body);
      assert.equal(meta.transaction_id, card.id);
      assert.match(body, new RegExp(`"verified":${make === verifiedCard}`));
    }
  });

  test("a verified card leaves it unknown to every route", async () => {
    const card = await verifiedCard(service, { shop });
    assert.equal((await remove(service, card)).status, 200);
    assert.deepEqual(await keptOf(card.uuid), GONE);
    const statuses = [
      (await service.request(`/trusted-cards/${card.uuid}`, { token: shop.token })).status,
      (await verify(service, card, card.amount)).status,
      (await charge(service, card)).status,
      (await remove(service, card)).status,
    ];
    assert.deepEqual(statuses, [404, 404, 404, 404]);
  });

  test("is refused while a charge is undecided, and done once it is decided", async () => {
    const card = await verifiedCard(service, { shop });
    const order = await askToCharge(service, card);
    await whileSelling(async (letGo) => {
      const paying = payWithCode(service, order);
      await untilAttempted(order.id);
      const { status, body, headers } = await remove(service, card);
      const message = "The card is being charged. Try again when that is decided.";
      assert.deepEqual([status, body], [409, { message }]);
      assert.equal(headers.get("retry-after"), "10");
      letGo();
      await paying;
    });
    assert.equal((await payment(service, order)).status, "success");
    assert.equal((await remove(service, card)).status, 200);
  });

  test("is refused while nobody knows what became of a charge", async () => {
    const card = await verifiedCard(service, { shop, number: CARDS.approved });
    const order = await askToCharge(service, card);
    const real = ctx.gateways.sandbox;
    assert(real !== undefined);
    const lost = () => Promise.reject(new Error("lost"));
    Object.assign(ctx.gateways, { sandbox: { ...real, sale: lost, saleOutcome: lost } });
    await payWithCode(service, order);
    assert.equal((await remove(service, card)).status, 409);
    Object.assign(ctx.gateways, { sandbox: real });
    await service.clock.advance({ minutes: 5 });
    await sweep(service);
    assert.equal((await payment(service, order)).status, "failed");
    assert.equal((await remove(service, card)).status, 200);
  });
});

const untilAttempted = (id: string) =>
  until(async () => {
    const rows = await ctx.db.rows(sql`
      select from checkout_attempts where transaction_id = ${id}`);
    return rows.length > 0;
  }, "the attempt is written");

describe("at once", () => {
  test("a deletion and charges: no sale is made after the deletion was answered", async () => {
    const real = ctx.gateways.sandbox;
    assert(real !== undefined);
    for (let round = 0; round < 8; round += 1) {
      const card = await verifiedCard(service, { shop });
      const orders = await Promise.all([1, 2, 3, 4].map(() => askToCharge(service, card)));
      let isDeleted = false;
      let salesAfter = 0;
      const watching: Gateway = {
        ...real,
        sale(sale) {
          if (isDeleted) salesAfter += 1;
          return real.sale(sale);
        },
      };
      Object.assign(ctx.gateways, { sandbox: watching });
      const deleting = (async () => {
        // A little later each time, so that it meets the charges at every step.
        for (let wait = 0; wait < round; wait += 1) await service.request("/livez");
        await until(async () => (await remove(service, card)).status === 200, "it is deleted");
        isDeleted = true;
      })();
      await Promise.all([deleting, ...orders.map((order) => payWithCode(service, order))]);
      Object.assign(ctx.gateways, { sandbox: real });
      assert.equal(salesAfter, 0);
      for (const order of orders) {
        const { status, message } = await payment(service, order);
        const sales = await journal(service, order);
        if (status === "success") assert.equal(sales.length, 1);
        else assert.deepEqual([message, sales], ["[2-R14]: The saved card was deleted.", []]);
      }
    }
  });

  test("a verification, a deletion and a charge have one order, whichever it is", async () => {
    for (let round = 0; round < 8; round += 1) {
      const card = await saveCard(service, { shop });
      const [verified, deleted, charged] = await Promise.all([
        verify(service, card, card.amount),
        remove(service, card),
        charge(service, card),
      ]);
      assert.equal(deleted.status, 200);
      assert([200, 404].includes(verified.status), String(verified.status));
      assert([200, 404, 409].includes(charged.status), String(charged.status));
      if (verified.status === 404) assert.notEqual(charged.status, 200);
      if (charged.status === 200) {
        const order = orderOf(charged, shop);
        await payWithCode(service, order);
        assert.equal((await payment(service, order)).status, "failed");
        assert.deepEqual(await journal(service, order), []);
      }
      const events = await cardEvents(service, card.uuid);
      assert.equal(events.at(-1), "trusted_card.deleted");
      await tidyUp(service);
      assert.deepEqual(await refundsOf(service, card), ["refunded 0.73"]);
    }
  });
});

test("the cards of an account that was closed are deleted by the sweep", async () => {
  const closing = await openShop(service);
  const card = await verifiedCard(service, { shop: closing });
  await ctx.db.run(sql`
    update accounts set status = 'closed', closed_at = app_now()
    where account_number = ${closing.accountNumber}`);
  await tidyUp(service);
  assert.deepEqual(await keptOf(card.uuid), GONE);
});

test("one card that cannot be deleted does not keep the others, and is told", async () => {
  const [stuck, other] = [await saveCard(service, { shop }), await saveCard(service, { shop })];
  await ctx.db.run(sql`
    create function refuse_one() returns trigger language plpgsql
    as 'begin raise exception ''not this one''; end'`);
  const trigger = `create trigger not_this_one before update on trusted_cards
    for each row when (old.card_uuid = '${stuck.uuid}') execute function refuse_one()`;
  await ctx.db.run({ name: "", text: trigger, values: [] });
  await service.clock.advance({ hours: 24, minutes: 1 });
  const before = service.logged.length;
  await tidyUp(service);
  assert.deepEqual(await keptOf(other.uuid), GONE);
  assert.equal((await keptOf(stuck.uuid)).state, "unverified");
  const lines = service.logged.slice(before).filter((line) => line.includes(stuck.uuid));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /a card could not be deleted/);
  await ctx.db.run(sql`drop trigger not_this_one on trusted_cards`);
  await tidyUp(service);
  assert.deepEqual(await keptOf(stuck.uuid), GONE);
});

/**
 * A customer saves a card on the hosted page: approved, it is there once, sealed, and the merchant
 * is told by the redirect; declined or abandoned, nothing of it is (Interface §2.5, §4.4).
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { paymentKeysOf } from "../../../src/modules/checkout/result/payment-keys.ts";
import {
  answerBank,
  CARDS,
  look,
  type Order,
  submit,
  sweep,
} from "../../../testkit/checkout-sessions.ts";
import { startService } from "../../../testkit/service.ts";
import {
  askToSave,
  cardEvents,
  closeService,
  openShop,
  RESPONSE_URL,
  resultOf,
  saveCard,
  savedOf,
} from "../../../testkit/trusted-cards.ts";

const service = await startService();
const { ctx } = service;
after(() => closeService(service));
const shop = await openShop(service);

const cardsOf = async ({ id }: Order) =>
  (await ctx.db.rows(sql`select from trusted_cards where transaction_id = ${id}`)).length;
/** What is kept of a card that is being tried. */
const triedOf = ({ id }: Order) =>
  ctx.db.one<Record<string, unknown>>(sql`
    select card_uuid, given_last_four, holder, wrapped_with, key_box, card_box, fingerprint
    from card_checks where transaction_id = ${id}`);
const NOTHING = {
  card_uuid: null,
  given_last_four: null,
  holder: null,
  wrapped_with: null,
  key_box: null,
  card_box: null,
  fingerprint: null,
};

describe("an approved card", () => {
  test("is there once, unverified, in the record that the interface lists", async () => {
    const card = await saveCard(service, { shop });
    const answer = await service.request(`/trusted-cards/${card.uuid}`, { token: shop.token });
    assert.equal(answer.status, 200);
    const { created_at, verify_expires_at, ...record } = answer.body.data;
    assert.deepEqual(record, {
      uuid: card.uuid,
      environment: "sandbox",
      card_type: "visa",
      pan: "************1111",
      exp_month: 12,
      exp_year: 2039,
      name: "Anika Mohammed",
      verified: false,
    });
    assert.equal(Date.parse(verify_expires_at) - Date.parse(created_at), 24 * 3600 * 1000);
    assert.equal(await cardsOf(card), 1);
    assert.deepEqual(await triedOf(card), { ...NOTHING, card_uuid: card.uuid });
    assert.deepEqual(await cardEvents(service, card.uuid), ["trusted_card.created"]);
    // Of the small amount nothing else is told.
    assert.deepEqual(await cardEvents(service, card.id), ["trusted_card.created"]);
  });

  test("is told in the redirect by its uuid, signed, and in the sandbox with the total", async () => {
    const order = await askToSave(service, shop, { data: "customer 7" });
    await submit(service, order, CARDS.mastercard);
    const { uuid, amount, result } = await savedOf(service, order);
    const { signature, ...told } = Object.fromEntries(result.searchParams);
    assert.deepEqual(told, {
      basket: "7",
      status: "success",
      transaction_id: order.id,
      message: "[1-R00]: Transaction is approved.",
      uuid,
      total: amount,
      data: "customer 7",
    });
    const { basket: _, ...ours } = told;
    const sorted = Object.entries(ours).sort(([one], [other]) => (one < other ? -1 : 1));
    const owner = { accountNumber: shop.accountNumber, environment: "sandbox" } as const;
    const { signingSecret } = await paymentKeysOf(ctx.db, ctx.config, owner);
    const text = new URLSearchParams(sorted).toString();
    assert.equal(signature, createHmac("sha256", signingSecret).update(text).digest("hex"));
  });

  test("costs between 0.50 and 0.99 USD, by chance", async () => {
    const amounts = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      const { id } = await askToSave(service, shop);
      const { amount_minor } = await ctx.db.one<{ amount_minor: bigint }>(sql`
        select amount_minor from card_checks where transaction_id = ${id}`);
      assert(amount_minor >= 50n && amount_minor <= 99n);
      amounts.add(String(amount_minor));
    }
    assert(amounts.size > 5, `${[...amounts]}`);
  });

  test("is no transaction, no balance and no payment event of the merchant's", async () => {
    const fresh = await openShop(service);
    const { id } = await saveCard(service, { shop: fresh });
    const ask = (path: string) => service.request(path, { token: fresh.token });
    assert.equal((await ask(`/transactions/${id}`)).status, 404);
    assert.equal((await ask("/transactions/?environment=sandbox")).body.meta.total, 0);
    const { balances } = (await ask("/user/?environment=sandbox")).body.data;
    assert.equal(balances.foreign.balance, "0.00");
    const refund = await service.request(`/transactions/${id}/refund`, {
      method: "POST",
      token: fresh.token,
    });
    assert.equal(refund.status, 404);
  });

  test("may be saved twice, and both have the same fingerprint", async () => {
    const own = await openShop(service);
    const [one, two] = [
      await saveCard(service, { shop: own }),
      await saveCard(service, { shop: own }),
    ];
    assert.notEqual(one.uuid, two.uuid);
    const other = await saveCard(service);
    const rows = await ctx.db.rows<{ card_uuid: string; print: string }>(sql`
      select card_uuid, encode(fingerprint, 'hex') as print from trusted_cards
      where card_uuid = any (${[one.uuid, two.uuid, other.uuid]})`);
    const printOf = (uuid: string) => rows.find(({ card_uuid }) => card_uuid === uuid)?.print;
    assert.equal(printOf(one.uuid), printOf(two.uuid));
    assert.notEqual(printOf(one.uuid), printOf(other.uuid));
  });

  test("after the bank asked and after an answer that was lost is the same card", async () => {
    const asked = await askToSave(service, shop);
    await submit(service, asked, CARDS.asked);
    assert.equal((await look(service, asked)).step.kind, "challenge");
    await answerBank(service, asked, "passed");
    const lost = await askToSave(service, shop);
    await submit(service, lost, CARDS.unknownThenApproved);
    assert.equal(await cardsOf(lost), 0);
    await service.clock.advance({ seconds: 30 });
    await sweep(service);
    for (const [order, pan] of [
      [asked, "************2010"],
      [lost, "************2040"],
    ] as const) {
      const { uuid } = await savedOf(service, order);
      const { body } = await service.request(`/trusted-cards/${uuid}`, { token: shop.token });
      assert.equal(body.data.pan, pan);
    }
  });
});

describe("no card is kept", () => {
  test("when it was declined, and the next one is", async () => {
    const order = await askToSave(service, shop);
    await submit(service, order, CARDS.declined);
    assert.equal(await cardsOf(order), 0);
    await submit(service, order, CARDS.mastercard);
    const { uuid } = await savedOf(service, order);
    const { body } = await service.request(`/trusted-cards/${uuid}`, { token: shop.token });
    assert.deepEqual([body.data.card_type, body.data.pan], ["mastercard", "************1111"]);
  });

  const ENDS: Record<string, (order: Order) => Promise<unknown>> = {
    "when five were declined": async (order) => {
      for (let count = 0; count < 5; count += 1) await submit(service, order, CARDS.declined);
    },
    "when the time was over after a decline": async (order) => {
      await submit(service, order, CARDS.declined);
      await service.clock.advance({ seconds: 181 });
      await sweep(service);
    },
    "when nobody entered one": async () => {
      await service.clock.advance({ seconds: 181 });
      await sweep(service);
    },
    "when the bank was refused and the time was over": async (order) => {
      await submit(service, order, CARDS.asked);
      await answerBank(service, order, "refused");
      await service.clock.advance({ seconds: 181 });
      await sweep(service);
    },
  };
  for (const [when, end] of Object.entries(ENDS))
    test(`${when}: failed, without a uuid`, async () => {
      const order = await askToSave(service, shop);
      await end(order);
      const { searchParams } = await resultOf(service, order);
      assert.equal(searchParams.get("status"), "failed");
      assert.equal(searchParams.get("uuid"), null);
      assert.equal(searchParams.get("hash"), null);
      assert.equal(await cardsOf(order), 0);
      assert.deepEqual(await triedOf(order), NOTHING);
    });

  test("when the approval comes too late, which is undone", async () => {
    const order = await askToSave(service, shop);
    await submit(service, order, CARDS.late);
    await service.clock.advance({ minutes: 4 });
    await sweep(service);
    assert.equal((await resultOf(service, order)).searchParams.get("status"), "error");
    await service.clock.advance({ minutes: 30 });
    await sweep(service);
    assert.equal(await cardsOf(order), 0);
    assert.deepEqual(await triedOf(order), NOTHING);
    const [sale] = await ctx.db.rows<{ is_void: boolean }>(sql`
      select voided_at is not null as is_void from simulator_sales
      where transaction_id = ${order.id}`);
    assert.equal(sale?.is_void, true);
  });
});

test("an Idempotency-Key opens one page, however often it is sent", async () => {
  const ask = () =>
    service.request("/trusted-cards/", {
      method: "POST",
      token: shop.token,
      headers: { "idempotency-key": "save-1" },
      json: { environment: "sandbox", response_url: RESPONSE_URL },
    });
  const [one, two] = [await ask(), await ask()];
  assert.deepEqual(one.body, two.body);
  assert.equal(two.headers.get("idempotent-replayed"), "true");
});

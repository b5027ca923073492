/**
 * The slots of a payment link (Decision 0099): taken with a card, given back when it fails, kept
 * when it is paid; never more than there are, whatever comes at once and in whatever order.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/infra/db/query.ts";
import { LANGUAGES } from "../../../src/kit/vocabulary.ts";
import { giveUp } from "../../../src/modules/checkout/session/end-sessions.ts";
import { checkoutWords } from "../../../src/words/checkout/checkout-words.ts";
import {
  answerBank,
  CARDS,
  expectAllToAddUp,
  look,
  type Order,
  payment,
  submit,
  sweep,
  told,
} from "../../../testkit/checkout-sessions.ts";
import {
  expectSlotsToAddUp,
  makeLink,
  openLinkOrder,
  readLink,
  WITH_EMAIL,
} from "../../../testkit/payment-links.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import { startService } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";

const FULL = "failed, [3-R95]: Sold out. Nothing was charged.";

const service = await startService();
const { db } = service.ctx;
const other = await startService({ database: service.database });
after(async () => {
  await expectAllToAddUp(service);
  await expectSlotsToAddUp(service);
  await other.stop();
  await service.stop();
});
const shop = await openShop(service);
const { token } = shop;

const slotsOf = async (id: string) =>
  (
    await db.one<{ n: number }>(sql`
    select slots_taken as n from payment_links where link_id = ${id}`)
  ).n;
const payBy = (order: Order, card: string) =>
  submit(service, order, card, { ...WITH_EMAIL, address: newAddress() });
let addresses = 0;
/** Each customer has one of their own: limits on card testing are not what is tried here. */
const newAddress = () => `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`;

describe("a slot", () => {
  const GIVEN_BACK: readonly [
    what: string,
    card: string,
    then: (order: Order) => Promise<unknown>,
  ][] = [
    ["declined", CARDS.declined, async () => {}],
    ["not taken", CARDS.down, later],
    [
      "given up at the bank",
      CARDS.asked,
      async (order) => giveUp(service.ctx, await look(service, order)),
    ],
    ["refused at the bank", CARDS.asked, (order) => answerBank(service, order, "refused")],
    ["unknown, then declined", CARDS.unknownThenDeclined, later],
    ["left at the bank", CARDS.asked, later],
    ["approved too late", CARDS.late, later],
    ["never answered", CARDS.silent, later],
  ];
  async function later() {
    for (let round = 0; round < 6; round++) {
      await service.clock.advance({ minutes: 1 });
      await sweep(service);
    }
  }

  for (const [what, card, then] of GIVEN_BACK)
    test(`is free again when the card is ${what}`, async () => {
      const link = await makeLink(service, { token }, { max_payments: 1 });
      const order = await openLinkOrder(service, link, shop);
      assert.equal(await slotsOf(link.id), 0);
      await payBy(order, card);
      await then(order);
      assert.equal(await slotsOf(link.id), 0, await told(service, order));
      await payBy(await openLinkOrder(service, link, shop), CARDS.approved);
      const { paid_count, paid_total, state } = await readLink(service, { token }, link.id);
      assert.deepEqual([paid_count, paid_total, state], [1, "120.00", "full"]);
    });

  test("is held while the outcome is open: the next customer is told kindly", async () => {
    const link = await makeLink(service, { token }, { max_payments: 1 });
    const [first, second] = [
      await openLinkOrder(service, link, shop),
      await openLinkOrder(service, link, shop),
    ];
    await payBy(first, CARDS.asked);
    await payBy(second, CARDS.approved);
    assert.equal(await told(service, second), FULL);
    await answerBank(service, first, "passed");
    assert.equal((await payment(service, first)).status, "success");
  });

  test("is not to be had at a link that was switched off, on an open page neither", async () => {
    const link = await makeLink(service, { token });
    const order = await openLinkOrder(service, link, shop);
    const off = { method: "PATCH", token, json: { active: false } };
    assert.equal((await service.request(`/payment-links/${link.id}`, off)).status, 200);
    await payBy(order, CARDS.approved);
    assert.match(await told(service, order), /^failed, \[3-R94\]/);
  });

  for (const language of LANGUAGES)
    test(`that is not to be had is not blamed on the bank, in ${language}`, async () => {
      const { reason } = checkoutWords(language).declined;
      const link = await makeLink(service, { token }, { max_payments: 1, language });
      const open = () => openLinkOrder(service, link, shop);
      const [first, second, third] = [await open(), await open(), await open()];
      const expectReason = async (order: Order, code: string, english: string) => {
        await payBy(order, CARDS.approved);
        const { text } = await service.request(`/checkout/${order.token}`);
        const words = reason(code, english);
        assert.notEqual(words, reason("05", "Transaction is declined."));
        assert(text.includes(words), text);
      };
      await payBy(first, CARDS.asked);
      await expectReason(second, "95", "Sold out. Nothing was charged.");
      const off = { method: "PATCH", token, json: { active: false } };
      await service.request(`/payment-links/${link.id}`, off);
      await expectReason(third, "94", "The payment link was switched off. Nothing was charged.");
      await answerBank(service, first, "passed");
    });

  test("that is taken cannot be taken away by a smaller number", async () => {
    const link = await makeLink(service, { token }, { max_payments: 3 });
    for (const _ of [1, 2]) await payBy(await openLinkOrder(service, link, shop), CARDS.approved);
    const change = (max_payments: number | null) =>
      service.request(`/payment-links/${link.id}`, {
        method: "PATCH",
        token,
        json: { max_payments },
      });
    const { status, body } = await change(1);
    assert.deepEqual(
      [status, body.message],
      [400, "The max payments must be at least 2: so many payments were made or are being made."],
    );
    assert.equal((await change(2)).body.data.state, "full");
    assert.equal((await change(null)).body.data.state, "open");
  });

  test("is counted by the database, whatever the code does", async () => {
    const link = await makeLink(service, { token }, { max_payments: 1 });
    const beyond = sql`update payment_links set slots_taken = 2 where link_id = ${link.id}`;
    await assert.rejects(() => db.run(beyond), /no_more_slots_are_taken_than_there_are/);
  });
});

test("60 people on 10 slots, over two processes: 10 pay and 50 are told", async () => {
  const link = await makeLink(service, { token }, { max_payments: 10 });
  const orders: Order[] = [];
  for (let count = 0; count < 60; count++) orders.push(await openLinkOrder(service, link, shop));
  await Promise.all(
    orders.map((order, at) =>
      submit(at % 2 === 0 ? service : other, order, CARDS.approved, {
        ...WITH_EMAIL,
        address: newAddress(),
      }),
    ),
  );
  const ends = await Promise.all(orders.map((order) => told(service, order)));
  assert.equal(ends.filter((end) => end.startsWith("success")).length, 10);
  assert.equal(ends.filter((end) => end === FULL).length, 50);
});

test("any order of cards, answers and changes keeps to the slots", async () => {
  const step = fc.constantFrom("pay", "decline", "ask", "pass", "refuse", "give up", "off", "on");
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(step, { minLength: 3, maxLength: 12 }),
      async (max, some) => {
        // Whatever went before, each run ends with cards at a link that is off, and at a full one.
        const steps = [...some, "off", "pay", "on", ...Array<string>(max + 1).fill("pay")];
        const link = await makeLink(service, { token }, { max_payments: max });
        const model = { held: 0, paid: 0, isOn: true };
        // Opened while the link is: so its card also meets one that is full or switched off.
        const opened: Order[] = [];
        for (const _ of steps.filter((one) => one in CARD_OF))
          opened.push(await openLinkOrder(service, link, shop));
        const asked: Order[] = [];
        for (const one of steps) await take(one, { link, model, opened, asked, max });
        assert.equal(await slotsOf(link.id), model.held + model.paid);
        const { paid_count } = await readLink(service, { token }, link.id);
        assert.equal(paid_count, model.paid);
      },
    ),
    { numRuns: fuzzRuns({ usual: 10, proof: 80 }) },
  );
});

const CARD_OF: Readonly<Record<string, string>> = {
  pay: CARDS.approved,
  decline: CARDS.declined,
  ask: CARDS.asked,
};

interface Tried {
  readonly link: { readonly id: string };
  readonly model: { held: number; paid: number; isOn: boolean };
  readonly opened: Order[];
  readonly asked: Order[];
  readonly max: number;
}

async function take(step: string, { link, model, opened, asked, max }: Tried): Promise<void> {
  if (step === "off" || step === "on") {
    const json = { active: step === "on" };
    await service.request(`/payment-links/${link.id}`, { method: "PATCH", token, json });
    model.isOn = step === "on";
    return;
  }
  if (step === "pass" || step === "refuse" || step === "give up") {
    const order = asked.shift();
    if (order === undefined) return;
    model.held -= 1;
    if (step === "give up") return giveUp(service.ctx, await look(service, order));
    if (step === "pass") model.paid += 1;
    return answerBank(service, order, step === "pass" ? "passed" : "refused");
  }
  const order = opened.shift();
  assert(order !== undefined);
  await payBy(order, CARD_OF[step] ?? "");
  if (!model.isOn) return assert.match(await told(service, order), /^failed, \[3-R94\]/);
  if (model.held + model.paid === max)
    return assert.match(await told(service, order), /^failed, \[3-R95\]/);
  if (step === "pay") model.paid += 1;
  if (step === "ask") {
    model.held += 1;
    asked.push(order);
  }
}

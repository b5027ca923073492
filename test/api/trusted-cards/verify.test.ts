/**
 * A card is verified by the amount on its holder's statement: three tries within a day, counted
 * exactly under concurrency, and the amount goes back in every case (Decision 0043).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { startService } from "../../../testkit/service.ts";
import {
  cardEvents,
  charge,
  closeService,
  openShop,
  refundsOf,
  remove,
  returnOf,
  type SavedCard,
  saveCard,
  signInAgain,
  tidyUp,
  verifiedCard,
  verify,
  wrongOf,
} from "../../../testkit/trusted-cards.ts";

const service = await startService();
const { ctx } = service;
after(() => closeService(service));
const shop = await openShop(service);

const stateOf = ({ uuid }: SavedCard) =>
  ctx.db.one<{ state: string; try_count: number; because: string | null }>(sql`
    select state, try_count, deleted_because as because from trusted_cards
    where card_uuid = ${uuid}`);
const actionsOn = async ({ uuid }: SavedCard) => {
  const rows = await ctx.db.rows<{ action: string }>(sql`
    select action from audit_entries where detail ->> 'uuid' = ${uuid} order by entry_id`);
  return rows.map(({ action }) => action);
};
const read = (card: SavedCard) =>
  service.request(`/trusted-cards/${card.uuid}`, { token: card.shop.token });

describe("the right amount", () => {
  test("verifies the card, tells so, and goes back", async () => {
    const card = await saveCard(service, { shop });
    const answer = await verify(service, card, card.amount);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.data.verified, true);
    assert.deepEqual((await read(card)).body.data, answer.body.data);
    assert.equal(await returnOf(service, card), "due");
    await tidyUp(service);
    assert.equal(await returnOf(service, card), "returned");
    assert.deepEqual(await refundsOf(service, card), ["refunded 0.73"]);
    const events = ["trusted_card.created", "trusted_card.verified"];
    assert.deepEqual(await cardEvents(service, card.uuid), events);
  });

  test("is taken as a number, as text and as a form, with one decimal or two", async () => {
    for (const sent of [{ json: { amount: 0.7 } }, { form: { amount: "0.70" } }]) {
      const card = await saveCard(service, { shop, cents: 70 });
      const path = `/trusted-cards/${card.uuid}/verify`;
      const answer = await service.request(path, { method: "POST", token: shop.token, ...sent });
      assert.equal(answer.status, 200, answer.text);
    }
  });

  test("is refused once the card is verified, and nothing goes back twice", async () => {
    const card = await verifiedCard(service, { shop });
    for (const amount of [card.amount, wrongOf(card)]) {
      const { status, body } = await verify(service, card, amount);
      assert.deepEqual([status, body], [409, { message: "The card is already verified." }]);
    }
    await tidyUp(service);
    assert.equal((await remove(service, card)).status, 200);
    await tidyUp(service);
    assert.deepEqual(await refundsOf(service, card), ["refunded 0.73"]);
  });
});

describe("a wrong amount", () => {
  test("is counted, and the third deletes the card and returns the amount", async () => {
    const card = await saveCard(service, { shop });
    for (const tries of [1, 2, 3]) {
      const { status, body } = await verify(service, card, wrongOf(card, tries));
      assert.deepEqual([status, body], [400, { message: "The amount is incorrect." }]);
      assert.equal((await stateOf(card)).try_count, tries);
    }
    const gone = { state: "deleted", try_count: 3, because: "three wrong tries" };
    assert.deepEqual(await stateOf(card), gone);
    assert.equal((await verify(service, card, card.amount)).status, 404);
    assert.equal((await read(card)).status, 404);
    const failed = "trusted_card_verification_failed";
    const actions = ["trusted_card_created", failed, failed, failed, "trusted_card_deleted"];
    assert.deepEqual(await actionsOn(card), actions);
    await tidyUp(service);
    assert.deepEqual(await refundsOf(service, card), ["refunded 0.73"]);
    const events = ["trusted_card.created", "trusted_card.deleted"];
    assert.deepEqual(await cardEvents(service, card.uuid), events);
  });

  test("that is no amount is a field's mistake and no try", async () => {
    const card = await saveCard(service, { shop });
    const cases: [Record<string, unknown>, string][] = [
      [{}, "The amount field is required."],
      [{ amount: "" }, "The amount field is required."],
      [{ amount: "0.555" }, "The amount must be a number with at most 2 decimal places."],
      [{ amount: "abc" }, "The amount must be a number with at most 2 decimal places."],
      [{ amount: "-0.73" }, "The amount must not be negative."],
    ];
    for (const [json, message] of cases) {
      const path = `/trusted-cards/${card.uuid}/verify`;
      const { status, body } = await service.request(path, {
        method: "POST",
        token: shop.token,
        json,
      });
      assert.deepEqual([status, body], [400, { message }]);
    }
    assert.equal((await stateOf(card)).try_count, 0);
  });

  test("sent again under its Idempotency-Key is one try", async () => {
    const card = await saveCard(service, { shop });
    const again = () =>
      service.request(`/trusted-cards/${card.uuid}/verify`, {
        method: "POST",
        token: shop.token,
        headers: { "idempotency-key": `guess-${card.uuid}` },
        json: { amount: wrongOf(card) },
      });
    const statuses = [(await again()).status, (await again()).status, (await again()).status];
    assert.deepEqual(statuses, [400, 400, 400]);
    assert.equal((await stateOf(card)).try_count, 1);
  });

  test("from 32 at once counts three tries, and the right one later no more", async () => {
    const card = await saveCard(service, { shop });
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) => verify(service, card, wrongOf(card, index + 1))),
    );
    const counts = Object.groupBy(answers, ({ status }) => String(status));
    assert.deepEqual([counts["400"]?.length, counts["404"]?.length], [3, 29]);
    const gone = { state: "deleted", try_count: 3, because: "three wrong tries" };
    assert.deepEqual(await stateOf(card), gone);
    assert.equal((await verify(service, card, card.amount)).status, 404);
    await tidyUp(service);
    assert.deepEqual(await refundsOf(service, card), ["refunded 0.73"]);
  });

  test("from 32 at once with the right one among them counts what came before it", async () => {
    for (let round = 0; round < 4; round += 1) {
      const card = await saveCard(service, { shop });
      const amounts = Array.from({ length: 32 }, (_, index) => wrongOf(card, index + 1));
      // Sooner each time, so that it comes before the third wrong one and after it.
      const place = 12 - round * 4;
      amounts[place] = card.amount;
      const answers = await Promise.all(amounts.map((amount) => verify(service, card, amount)));
      const wrong = answers.filter(({ status }) => status === 400).length;
      const right = answers[place]?.status;
      assert(right === 200 || right === 404, String(right));
      const { state, try_count } = await stateOf(card);
      assert.equal(try_count, wrong);
      assert.equal(state, right === 200 ? "verified" : "deleted");
      if (right === 200) assert(wrong < 3, `${wrong} wrong tries`);
      else assert.equal(wrong, 3);
      // Later requests met a verified card, or none.
      const later = answers.filter(({ status }) => status === (right === 200 ? 409 : 404));
      assert.equal(later.length, 31 - wrong + (right === 404 ? 1 : 0));
    }
  });
});

describe("after 24 hours", () => {
  test("a card that nobody verified is gone at once, and the sweep returns the amount", async () => {
    const card = await saveCard(service, { shop });
    const kept = await verifiedCard(service, { shop });
    await service.clock.advance({ hours: 23, minutes: 59 });
    const later = { ...card, shop: await signInAgain(service, shop) };
    assert.equal((await read(later)).status, 200);
    await service.clock.advance({ minutes: 2 });
    assert.equal((await read(later)).status, 404);
    assert.equal((await verify(service, later, card.amount)).status, 404);
    assert.equal((await charge(service, later)).status, 404);
    assert.equal((await remove(service, later)).status, 404);
    const list = "/trusted-cards/?environment=sandbox&page_size=100";
    const { body } = await service.request(list, { token: later.shop.token });
    assert(!body.data.some(({ uuid }: { uuid: string }) => uuid === card.uuid));
    await tidyUp(service);
    const gone = { state: "deleted", try_count: 0, because: "not verified in time" };
    assert.deepEqual(await stateOf(card), gone);
    assert.equal((await stateOf(kept)).state, "verified");
    assert.deepEqual(await refundsOf(service, card), ["refunded 0.73"]);
    const events = ["trusted_card.created", "trusted_card.deleted"];
    assert.deepEqual(await cardEvents(service, card.uuid), events);
  });
});

/**
 * The small amount of a live card is not guessed: verifying has a limit of its own, and wrong
 * amounts are counted by the card's number, however often it is saved (Decision 0043). Nor is the
 * security code of a saved card (Decision 0042).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { CARDS, journal, submit } from "../../../testkit/checkout-sessions.ts";
import { startService } from "../../../testkit/service.ts";
import {
  askToCharge,
  askToSave,
  closeService,
  openShop,
  resultOf,
  type SavedCard,
  type Shop,
  saveCard,
  signInAgain,
  verifiedCard,
  verify,
  wrongOf,
} from "../../../testkit/trusted-cards.ts";

const service = await startService();
after(() => closeService(service));

const REFUSED = "[2-R15]: This card was verified wrongly too often. Try it again tomorrow.";
const saveLive = (shop: Shop, number = CARDS.approved) =>
  saveCard(service, { shop, environment: "live", number });

/** What each guess was answered with. */
async function guess(card: SavedCard, count: number): Promise<number[]> {
  const statuses = [];
  for (let by = 1; by <= count; by += 1)
    statuses.push((await verify(service, card, wrongOf(card, by))).status);
  return statuses;
}

/** Six wrong ones, at two records of one card. */
async function guessInVain(shop: Shop): Promise<void> {
  for (const card of [await saveLive(shop), await saveLive(shop)])
    assert.deepEqual(await guess(card, 3), [400, 400, 400]);
}

/** Where the customer is led who tries to save it. */
async function refusalOf(shop: Shop, number = CARDS.approved) {
  const order = await askToSave(service, shop, { environment: "live" });
  await submit(service, order, number);
  const sales = await journal(service, order);
  const { searchParams } = await resultOf(service, order);
  const { text } = await service.request(`/checkout/${order.token}`);
  return { sales, message: searchParams.get("message"), text };
}

test("verifying is answered five times a minute, whatever credential asks", async () => {
  const strict = await startService({
    database: service.database,
    settings: { LIMIT_VERIFY: "5" },
  });
  try {
    const shop = await openShop(service);
    const card = await saveCard(service, { shop });
    const again = { ...card, shop: await signInAgain(service, shop) };
    const first = await verify(strict, card, "0.555");
    assert.equal(first.headers.get("x-ratelimit-limit"), "5");
    for (let count = 0; count < 4; count += 1)
      assert.equal((await verify(strict, again, "0.555")).status, 400);
    for (const one of [card, again]) {
      const { status, body } = await verify(strict, one, card.amount);
      assert.deepEqual([status, body], [429, { message: "Too Many Attempts." }]);
    }
  } finally {
    await strict.stop();
  }
});

describe("the amount of a live card that is saved again and again", () => {
  test("is guessed at six times a day, and then the number is not taken any more", async () => {
    const shop = await openShop(service);
    await guessInVain(shop);
    const { sales, message, text } = await refusalOf(shop);
    assert.deepEqual([sales, message], [[], REFUSED]);
    assert.match(text, /This card was verified wrongly too often\. Try it again tomorrow\./);
    // Another card is as good as before, and so is this one at another merchant.
    await saveLive(shop, CARDS.mastercard);
    await saveLive(await openShop(service));
    const { count } = await service.ctx.db.one<{ count: number }>(sql`
      select count(*)::int as count from audit_entries
      where action = 'card_guess_limit_reached' and account_number = ${shop.accountNumber}`);
    assert.equal(count, 1);
    await service.clock.advance({ hours: 24, minutes: 2 });
    await saveLive(await signInAgain(service, shop));
  });

  test("is guessed at six times though all records were there before the first guess", async () => {
    const shop = await openShop(service);
    const cards = [];
    for (let count = 0; count < 8; count += 1) cards.push(await saveLive(shop));
    const answers = await Promise.all(
      cards.flatMap((card) => [1, 2, 3].map((by) => verify(service, card, wrongOf(card, by)))),
    );
    const wrong = answers.filter(({ status }) => status === 400);
    assert.equal(wrong.length, 6);
    const others = answers.filter(({ status }) => status !== 400).map(({ status }) => status);
    assert(
      others.every((status) => status === 429 || status === 404),
      others.join(),
    );
    // Nor is the right one told from a wrong one now.
    const left = cards.at(-1);
    assert(left !== undefined);
    const { status } = await verify(service, left, left.amount);
    assert.notEqual(status, 200);
    assert.deepEqual(await guess(left, 1), [status]);
  });

  test("is not counted when it is right", async () => {
    const shop = await openShop(service);
    for (let count = 0; count < 8; count += 1) {
      const card = await saveLive(shop);
      assert.equal((await verify(service, card, card.amount)).status, 200);
    }
  });
});

test("in the sandbox, which tells the amount, a test card may be guessed at all day", async () => {
  const shop = await openShop(service);
  for (let count = 0; count < 3; count += 1)
    assert.deepEqual(await guess(await saveCard(service, { shop }), 3), [400, 400, 400]);
  await saveCard(service, { shop });
});

test("security codes of one card are tried five times an hour, from whatever address", async () => {
  const strict = await startService({
    database: service.database,
    settings: { DECLINES_PER_CARD_MAX: "5" },
  });
  try {
    const shop = await openShop(service);
    const card = await verifiedCard(service, { shop });
    const other = await verifiedCard(service, { shop });
    const real = strict.ctx.gateways.sandbox;
    assert(real !== undefined);
    const declined = { outcome: "declined", code: "N7", message: "The code is wrong." } as const;
    Object.assign(strict.ctx.gateways, { sandbox: { ...real, sale: async () => declined } });
    let tries = 0;
    const tryOnce = async (one: typeof card) => {
      const order = await askToCharge(service, one);
      tries += 1;
      const form = { number: "", expiry: "", holder: "", cvv: String(100 + tries) };
      const address = `198.51.100.${tries}`;
      return (await submit(strict, order, "", { form, address })).kind;
    };
    for (let count = 0; count < 5; count += 1) assert.equal(await tryOnce(card), "taken");
    assert.equal(await tryOnce(card), "limited");
    assert.equal(await tryOnce(other), "taken");
    await service.clock.advance({ minutes: 61 });
    assert.equal(await tryOnce(card), "taken");
  } finally {
    await strict.stop();
  }
});

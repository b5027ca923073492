/**
 * The guarantee: what is known of a customer can be given and erased. Once erased, none of it is
 * anywhere in the database; the books, statements, history and refunds go on as if nothing had
 * happened; and nobody else's data is touched (Decision 0122).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CARDS, expectAllToAddUp, openByRequest, submit } from "../../testkit/checkout-sessions.ts";
import { expectRefusals, operatorEntries, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { placesOf } from "../../testkit/personal-data.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { settleAll } from "../api/transactions/refund-support.ts";
import { askRefund, erase, exported, leaveTraces, requestOf, wordsOf } from "./erasure-support.ts";

let service: TestService;
let shop: Shop;
let other: Shop;
before(async () => {
  service = await startService();
  [shop, other] = [await openShop(service), await openShop(service)];
});
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

const ANIKA = wordsOf("quixanika");
const own = (id: string, by = shop) => service.request(`/transactions/${id}`, { token: by.token });

describe("a customer who left words everywhere", () => {
  let left: Awaited<ReturnType<typeof leaveTraces>>;
  before(async () => {
    left = await leaveTraces(service, shop, ANIKA);
  });

  test("left each of them somewhere", async () => {
    const places = await placesOf(service.ctx.db, Object.values(ANIKA));
    const found = new Set(places.map((place) => place.replace(/^.*: /, "")));
    assert.deepEqual([...found].toSorted(), Object.values(ANIKA).toSorted());
  });

  test("is given all of it, and no card number", async () => {
    const data = await exported(service, ANIKA.email.toUpperCase());
    const text = JSON.stringify(data);
    // The rest is what others wrote down: where to go back to, an answer, a search.
    const { back: _, answer: __, saved: ___, ...words } = ANIKA;
    for (const word of Object.values(words)) assert(text.includes(word), word);
    assert.doesNotMatch(text, /4111 ?1111/);
    assert.equal(data.payments.length, 5);
    assert.deepEqual(
      data.saved_cards.map(({ uuid, pan }: { uuid: string; pan: string }) => [uuid, pan]),
      [[left.card.uuid, "************1111"]],
    );
    assert(data.mails.length > 0 && data.requests.length > 0);
  });

  test("is not found by another account, nor erased there", async () => {
    const account = ["--account", other.accountNumber];
    assert.deepEqual((await exported(service, ANIKA.email, ...account)).payments, []);
    const { payments, cards } = await erase(service, ANIKA.email, ...account);
    assert.deepEqual([payments, cards], [0, 0]);
    assert.equal((await own(left.paid.id)).body.data.customer.email, ANIKA.email);
  });

  test("is nowhere once erased, and the record says what the books need", async () => {
    const before = (await own(left.paid.id)).body.data;
    await service.ctx.requestLog.flush();
    const erased = await erase(service, ANIKA.email, "--account", shop.accountNumber);
    assert.deepEqual([erased.payments, erased.cards], [5, 1]);
    assert(erased.mails > 0 && erased.requests > 0);
    await service.numberEvents();
    assert.deepEqual(await placesOf(service.ctx.db, Object.values(ANIKA)), []);
    const blank = { customer: {}, data: "", description: null, items: null, link_reference: null };
    assert.deepEqual((await own(left.paid.id)).body.data, { ...before, ...blank });
    assert.equal(before.card, "visa **** 1111");
  });

  test("left events that say the rest, in their order, and are numbered as before", async () => {
    const path = "/events?environment=sandbox&page_size=100";
    const { body } = await service.request(path, { token: shop.token });
    const numbers = body.data.map(({ sequence }: { sequence: number }) => sequence);
    assert.deepEqual(
      numbers,
      numbers.map((_: number, at: number) => at + 1),
    );
    const paid = body.data.find(
      ({ event, meta }: { event: string; meta: { transaction_id: string } }) =>
        event === "payment.success" && meta.transaction_id === left.paid.id,
    );
    assert.deepEqual(Object.keys(paid.data).slice(0, 3), [
      "transaction_id",
      "order_id",
      "environment",
    ]);
    assert.deepEqual([paid.data.customer, paid.data.total], [{}, "100.00"]);
  });

  test("can be erased again, with nothing left to do", async () => {
    const again = await erase(service, ANIKA.email);
    assert.deepEqual([again.payments, again.cards, again.mails], [0, 0, 0]);
    assert.deepEqual((await exported(service, ANIKA.email)).payments, []);
  });

  test("can still be refunded, and is in the history, the CSV and the receipt", async () => {
    await askRefund(service, shop, left.paid, "again");
    await settleAll(service);
    const { data } = (await own(left.paid.id)).body;
    assert.deepEqual([data.status_desc, data.refunded_total], ["Refunded", "20.00"]);
    for (const path of ["/transactions/", "/transactions/?format=csv"]) {
      const answer = await service.request(
        `${path}${path.includes("?") ? "&" : "?"}environment=sandbox`,
        {
          token: shop.token,
        },
      );
      assert.equal(answer.status, 200);
      assert.match(answer.text, new RegExp(left.paid.id));
    }
    const receipt = await service.request(`/transactions/${left.paid.id}/receipt`, {
      method: "POST",
      token: shop.token,
      json: {},
    });
    assert.deepEqual(
      [receipt.status, receipt.body.message],
      [400, "The email field is required: the payment has none."],
    );
  });

  test("is a digest in the audit trail, which names who and why", async () => {
    const entries = (await operatorEntries(service)).filter(({ action }) =>
      action.startsWith("customer_data_"),
    );
    assert(entries.length >= 4);
    const digests = new Set(entries.map(({ detail }) => detail.customer));
    assert.equal(digests.size, 1);
    assert.doesNotMatch(JSON.stringify(entries), /quixanika/);
    assert(entries.every(({ detail }) => detail.why === "ticket 4711"));
  });
});

describe("nobody else's data", () => {
  test("is touched: another customer, and the same one at another account", async () => {
    const [one, two] = [wordsOf("quixone"), wordsOf("quixtwo")];
    for (const words of [one, two]) {
      const order = await openByRequest(service, shop, requestOf(shop, words));
      await submit(service, order, CARDS.approved);
    }
    const elsewhere = await openByRequest(service, other, requestOf(other, one));
    await submit(service, elsewhere, CARDS.approved);
    await service.numberEvents();
    // Lines of the log are written behind the answers: what comes later would look like a change.
    await service.ctx.requestLog.flush();
    const before = await placesOf(service.ctx.db, Object.values(two));
    await erase(service, one.email, "--account", shop.accountNumber);
    assert.deepEqual(await placesOf(service.ctx.db, Object.values(two)), before);
    const kept = (await own(elsewhere.id, other)).body.data;
    assert.deepEqual([kept.customer.email, kept.data], [one.email, one.data]);
    assert.deepEqual((await erase(service, one.email)).payments, 1);
  });
});

describe("what is not finished", () => {
  const refused = (email: string, sentence: string) =>
    expectRefusals(service, [
      [["erase-customer-data", email, ...SIGNED], `${sentence} Nothing was erased.`],
    ]);

  test("refuses the whole, and names the payment: unpaid, refund, chargeback", async () => {
    const words = wordsOf("quixopen");
    const done = await openByRequest(service, shop, requestOf(shop, words));
    await submit(service, done, CARDS.approved);
    const open = await openByRequest(service, shop, requestOf(shop, words));
    await refused(
      words.email,
      `${open.id} is not finished: the customer may still pay, or a card is being decided.`,
    );
    await submit(service, open, CARDS.approved);
    await askRefund(service, shop, open, "open");
    await refused(words.email, `${open.id} is not finished: a refund is under way.`);
    await settleAll(service);
    await operatorJson(service, ["open-chargeback", done.id, ...SIGNED]);
    await refused(words.email, `${done.id} is not finished: a chargeback is open.`);
  });

  test("an account that does not exist is told so", async () => {
    await expectRefusals(service, [
      [
        ["erase-customer-data", "a@b.example", "--account", "9999999999", ...SIGNED],
        "There is no account 9999999999.",
      ],
    ]);
  });
});

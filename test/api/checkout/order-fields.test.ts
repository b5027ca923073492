/**
 * The guarantee: language, description and items of a payment request are read alike from JSON and
 * forms, add up to the cent or are refused in words, are part of what is recognised when a request
 * is sent again, and come back in the page, the record and its events (Decision 0094).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import {
  ask,
  ENCODINGS,
  expectRefused,
  type Fields,
  minimal,
} from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";
import { signed, signingShop } from "./signing-support.ts";

const service = await startService();
const { ctx } = service;
after(async () => {
  await expectBooksToBalance(ctx.db);
  await service.stop();
});
const shop = await service.world.merchant();
const { token } = await mintToken(ctx, shop, ["svc-transactions-all"]);
const request = (fields: Fields) => minimal(shop.accountNumber, fields);

const ITEMS = [
  { name: "Paperback", quantity: 2, unit_price: "55.00" },
  { name: "Bookmark", quantity: 1, unit_price: 0 },
  { name: "Voucher", quantity: 1, unit_price: "-10" },
];
const one = (fields: object) => [
  { name: "Paperback", quantity: 1, unit_price: "100.00", ...fields },
];
const LIST = "The items must be a list of 1 to 50 lines.";
const KEYS = "Line 1 of the items must have a name, a quantity and a unit_price, and nothing else.";
const QUANTITY = "The quantity in line 1 of the items must be a whole number from 1 to 9999.";
const PRICE =
  "The unit price in line 1 of the items must be a number with at most 2 decimal places.";
const RANGE = "The unit price in line 1 of the items must be from -9999999999.99 to 9999999999.99.";
const sum = (is: string) =>
  `The items must add up to the total: they are ${is} and the total is 100.00.`;

/** What is sent, what is said. */
const REFUSED: readonly [fields: Fields, message: string][] = [
  [{ language: "de" }, "The language must be one of: en, es, fr, nl."],
  [{ language: "EN" }, "The language must be one of: en, es, fr, nl."],
  [{ description: "x".repeat(256) }, "The description must not be longer than 255 characters."],
  [{ description: "🌴".repeat(256) }, "The description must not be longer than 255 characters."],
  [{ description: "a\nb" }, "The description format is invalid."],
  [{ description: "a\u202eb" }, "The description format is invalid."],
  [{ description: " " }, "The description format is invalid."],
  [{ description: "4242424242424242" }, "The description must not contain a card number."],
  [{ items: [] }, LIST],
  [{ items: Array.from({ length: 51 }, () => one({})[0]) }, LIST],
  [{ items: "{}" }, LIST],
  [{ items: "7" }, LIST],
  [{ items: '"[]"' }, LIST],
  [{ items: "two books" }, "The items must be a list in JSON."],
  [{ items: '[{"name":"a","quantity":1,"unit_price":NaN}]' }, "The items must be a list in JSON."],
  [
    { items: '[{"name":"a","quantity":1,"unit_price":1e999}]' },
    "The items must be a list in JSON.",
  ],
  [{ items: '[{"name":"a","name":"b"}]' }, "The items must be a list in JSON."],
  [{ items: '[{"name":"a\\u0000","quantity":1}]' }, "The items must be a list in JSON."],
  [{ items: ["Paperback"] }, KEYS],
  [{ items: [null] }, KEYS],
  [{ items: [["Paperback", 1, "100.00"]] }, KEYS],
  [{ items: [{}] }, KEYS],
  [{ items: one({ tax: "1.00" }) }, KEYS],
  [{ items: one({ name: "" }) }, KEYS],
  [{ items: one({ unit_price: null }) }, KEYS],
  [{ items: [{ name: "a", quantity: 1, price: "100.00" }] }, KEYS],
  [{ items: [...one({}), {}] }, KEYS.replace("Line 1", "Line 2")],
  [{ items: one({ name: 7 }) }, "The name in line 1 of the items must be a string."],
  [
    { items: one({ name: "x".repeat(101) }) },
    "The name in line 1 of the items must not be longer than 100 characters.",
  ],
  [{ items: one({ name: "a\tb" }) }, "The name in line 1 of the items format is invalid."],
  [
    { items: one({ name: "4242 4242 4242 4242" }) },
    "The name in line 1 of the items must not contain a card number.",
  ],
  [{ items: one({ quantity: 0 }) }, QUANTITY],
  [{ items: one({ quantity: 10_000 }) }, QUANTITY],
  [{ items: one({ quantity: 1.5 }) }, QUANTITY],
  [{ items: one({ quantity: "1e2" }) }, QUANTITY],
  [{ items: one({ quantity: true }) }, QUANTITY],
  [{ items: one({ unit_price: "100.001" }) }, PRICE],
  [{ items: one({ unit_price: 0.1 + 0.2 }) }, PRICE],
  [{ items: one({ unit_price: "1e2" }) }, PRICE],
  [{ items: one({ unit_price: "NaN" }) }, PRICE],
  [{ items: one({ unit_price: [100] }) }, PRICE],
  [{ items: one({ unit_price: "1,000.00" }) }, PRICE],
  [{ items: one({ unit_price: "10000000000.00" }) }, RANGE],
  [{ items: one({ unit_price: -1e20 }) }, RANGE],
  [{ items: one({ unit_price: "9".repeat(400) }) }, RANGE],
  [{ items: one({ unit_price: "99.99" }) }, sum("99.99")],
  [{ items: one({ quantity: 2 }) }, sum("200.00")],
  [{ items: one({ unit_price: "-100.00" }) }, sum("-100.00")],
  [{ items: one({ quantity: 9_999, unit_price: "9999999999.99" }) }, sum("99989999999900.01")],
];

describe("what is refused of an order", () => {
  for (const [fields, message] of REFUSED)
    test(`${JSON.stringify(fields).slice(0, 70)}: ${message}`, async () => {
      for (const encoding of ENCODINGS)
        await expectRefused(service, request(fields), encoding, { message });
    });

  test("names the field to programs", async () => {
    const answer = await ask(service, request({ items: one({ quantity: 2 }) }));
    assert.equal(answer.headers.get("x-svc-error"), "fields_conflict");
  });
});

async function recordOf(id: string) {
  return (await service.request(`/transactions/${id}`, { token })).body.data;
}

const WHOLE = { language: "es", description: "Two books <for> Maya & co", items: ITEMS };
const SHOWN = {
  language: "es",
  description: "Two books <for> Maya & co",
  items: [
    { name: "Paperback", quantity: 2, unit_price: "55.00" },
    { name: "Bookmark", quantity: 1, unit_price: "0.00" },
    { name: "Voucher", quantity: 1, unit_price: "-10.00" },
  ],
};
const orderOf = ({ language, description, items }: typeof SHOWN) => ({
  language,
  description,
  items,
});

describe("an order that adds up", () => {
  for (const encoding of ["json", "form"] as const)
    test(`is in the record and its event, sent as ${encoding}`, async () => {
      const { status, body } = await ask(service, request(WHOLE), encoding);
      assert.equal(status, 200, body.message);
      assert.deepEqual(orderOf(await recordOf(body.transaction_id)), SHOWN);
      await service.numberEvents();
      const { data } = await ctx.db.one<{ data: typeof SHOWN }>(sql`
        select body::jsonb -> 'data' as data from events where resource = ${body.transaction_id}`);
      assert.deepEqual(orderOf(data), SHOWN);
    });

  test("is null in the record where nothing was said", async () => {
    const { body } = await ask(service, request({ description: "", items: "" }));
    const record = orderOf(await recordOf(body.transaction_id));
    assert.deepEqual(record, { language: null, description: null, items: null });
  });

  test("is the same request in any spelling, and another one with any other value", async () => {
    const first = request(WHOLE);
    const { body } = await ask(service, first);
    const spelt = ITEMS.map(({ name, quantity, unit_price }) => ({
      unit_price: Number(unit_price),
      quantity: String(quantity),
      name,
    }));
    for (const items of [ITEMS, spelt, JSON.stringify(spelt, null, 2)])
      for (const encoding of ["json", "form"] as const)
        assert.deepEqual((await ask(service, { ...first, items }, encoding)).body, body);
    const renamed = [{ ...ITEMS[0], name: "Hardback" }, ...ITEMS.slice(1)];
    for (const other of [
      { items: renamed },
      { items: undefined },
      { language: "fr" },
      { description: "x" },
    ]) {
      const answer = await ask(service, { ...first, ...other });
      assert.notEqual(answer.body.transaction_id, body.transaction_id);
    }
  });

  test("belongs to the fingerprint of an Idempotency-Key", async () => {
    const first = request(WHOLE);
    const headers = { "idempotency-key": "items-1" };
    const { body } = await ask(service, first, "json", { headers });
    const again = await ask(service, first, "form", { headers });
    assert.deepEqual([again.status, again.body], [200, body]);
    const other = await ask(service, { ...first, language: "fr" }, "json", { headers });
    assert.equal(other.status, 422);
  });

  test("is signed as the text that is sent, and a changed one is refused", async () => {
    const strict = await signingShop(service);
    const fields = minimal(strict.accountNumber, { ...WHOLE, items: JSON.stringify(ITEMS) });
    const whole = signed(fields, strict.secret);
    assert.equal((await ask(service, whole)).status, 200);
    const changed = { ...whole, items: JSON.stringify(SHOWN.items) };
    const message = "The signature does not match the request.";
    await expectRefused(service, changed, "form", { message });
    await expectRefused(service, { ...whole, items: ITEMS }, "json", {
      message: "The items field must be sent as JSON text in a signed request.",
    });
  });

  test("is held by the database, too, and never changes", async () => {
    const { body } = await ask(service, request(WHOLE));
    const change = (to: ReturnType<typeof sql>) =>
      ctx.db.run(sql`update transactions set ${to} where transaction_id = ${body.transaction_id}`);
    for (const to of [sql`language = 'fr'`, sql`description = 'x'`, sql`items = null`])
      await assert.rejects(change(to), { constraint: "what_was_agreed_is_never_changed" });
    const recorded = (items: string) =>
      ctx.db.transaction(async (tx) => {
        await tx.run(sql`set local session_replication_role = replica`);
        await tx.run(sql`update transactions set items = ${items}::jsonb
          where transaction_id = ${body.transaction_id}`);
      });
    const line = '{"name": "a", "quantity": 3, "unit_price_minor": 3333}';
    await assert.rejects(recorded(`[${line}]`), { constraint: "items_add_up_to_the_total" });
    await assert.rejects(recorded('[{"name": "a"}]'), { constraint: "items_add_up_to_the_total" });
    await assert.rejects(recorded("{}"), { constraint: "items_are_a_list_of_1_to_50" });
  });
});

describe("the page of an order", () => {
  const pageOf = async (fields: Fields) => {
    const { body } = await ask(service, request(fields));
    return (await service.request(new URL(body.url).pathname)).text;
  };

  test("shows the description and each item, escaped", async () => {
    const items = [
      { name: '<script>alert("1")</script>', quantity: 2, unit_price: "55.00" },
      ...ITEMS.slice(1),
    ];
    const page = await pageOf({ description: "<img src=x onerror=alert(1)> & more", items });
    assert(page.includes("&lt;img src=x onerror=alert(1)&gt; &amp; more"), page);
    assert(page.includes("2 × <bdi>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</bdi>"), page);
    assert(page.includes("TTD\u00a0110.00") && page.includes("\u2212TTD\u00a010.00"), page);
    assert(!page.includes("<script>alert") && !page.includes("<img src=x"), page);
  });

  test("folds more than four items, and any in a frame", async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        name: `Book ${at + 1}`,
        quantity: 1,
        unit_price: (100 / count).toFixed(2),
      }));
    assert(!(await pageOf({ items: lines(4) })).includes("<summary>4 items</summary>"));
    assert((await pageOf({ items: lines(5) })).includes("<summary>5 items</summary>"));
    const framed = await pageOf({ items: lines(1), method: "3co_simple" });
    assert(framed.includes("<summary>1 item</summary>"));
  });
});

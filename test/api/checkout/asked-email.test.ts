/**
 * A payment request without an e-mail: the page asks the customer for it, and it is in the record
 * from the first card on (Decision 0064). And a phone that is no complete number is ignored.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { formToken } from "../../../src/modules/checkout/page/form-token.ts";
import { expectAllToAddUp, withWaiting } from "../../../testkit/checkout-sessions.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { ask, type Fields, minimal } from "../../../testkit/payment-requests.ts";
import { startService, type TestAnswer, type TestService } from "../../../testkit/service.ts";

const service = await startService();
const { ctx } = service;
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});
const shop = await service.world.merchant();
const { token } = await mintToken(ctx, shop, ["svc-transactions-all", "svc-user-all"]);
const own = new URL(ctx.config.http.paymentsPublicUrl).origin;

const CARD = { number: "4111111111111111", expiry: "09/35", cvv: "987", holder: "Maya Joseph" };
const DECLINED = "4111111111113333";
const METHODS = ["credit_card", "credit_card_co", "3co_simple"];
const EMAIL = "maya@example.com";

interface Order {
  readonly path: string;
  readonly id: string;
}

async function order(fields: Fields = {}): Promise<Order> {
  const asked = await ask(service, minimal(shop.accountNumber, { email: undefined, ...fields }));
  assert.equal(asked.status, 200, asked.text);
  return { path: new URL(asked.body.url).pathname, id: asked.body.transaction_id };
}

/** As the page posts it. */
function submit(
  { path }: Order,
  form: Record<string, string>,
  at: TestService = service,
): Promise<TestAnswer> {
  return at.request(path, {
    method: "POST",
    headers: { origin: own, "sec-fetch-site": "same-origin" },
    form: {
      attempts: "0",
      form_token: formToken(ctx.config, path.split("/")[2] ?? ""),
      ...CARD,
      ...form,
    },
  });
}

async function recordOf({ id }: Order) {
  return (await service.request(`/transactions/${id}?environment=sandbox`, { token })).body.data;
}

async function eventsOf({ id }: Order): Promise<[string, unknown][]> {
  await service.numberEvents();
  const rows = await ctx.db.rows<{ event: string; email: string | null }>(sql`
    select event, body::jsonb -> 'data' -> 'customer' ->> 'email' as email from events
    where resource = ${id} order by sequence`);
  return rows.map(({ event, email }) => [event, email]);
}

const attemptsOf = async ({ id }: Order) =>
  (await ctx.db.rows(sql`select from checkout_attempts where transaction_id = ${id}`)).length;

const EMAIL_FIELD = new RegExp(
  '<label for="email">E-mail</label>\\s*<input id="email" name="email" type="email"[^>]* ' +
    'autocomplete="email"[^>]* required',
);

describe("a request without an e-mail", () => {
  for (const method of METHODS)
    test(`${method}, with 8687654321 as phone, goes from request to paid`, async () => {
      const one = await order({ method, phone: "8687654321", country: "TT" });
      const page = await service.request(one.path);
      assert.match(page.text, EMAIL_FIELD);
      assert.doesNotMatch(page.text, /8687654321/);
      assert.match(page.text, /<option value="TT" selected>Trinidad &amp; Tobago \(\+1\)/);
      const paid = await submit(one, { email: " Maya@Example.com " });
      assert.equal(paid.status, 303, paid.text);
      assert.match(paid.headers.get("location") ?? "", /status=success/);
      const record = await recordOf(one);
      assert.equal(record.status, "success");
      assert.deepEqual(record.customer, { email: EMAIL, country: "TT" });
      assert.deepEqual(await eventsOf(one), [
        ["payment.created", null],
        ["payment.success", EMAIL],
      ]);
    });

  test("is in the history and its CSV with the e-mail that was typed", async () => {
    const one = await order();
    const before = await recordOf(one);
    assert.deepEqual(before.customer, {});
    await submit(one, { email: "history@example.com" });
    const headers = { accept: "text/csv" };
    const query = "/transactions/?environment=sandbox";
    const [json, csv] = [
      await service.request(query, { token }),
      await service.request(query, { token, headers }),
    ];
    const listed = json.body.data.find((row: { transaction_id: string }) => {
      return row.transaction_id === one.id;
    });
    assert.equal(listed.customer.email, "history@example.com");
    assert.match(csv.text, new RegExp(`^${one.id},.*,history@example\\.com,`, "m"));
  });

  test("one that brings an e-mail does not ask, and keeps its own", async () => {
    for (const method of METHODS) {
      const one = await order({ method, email: "given@example.com" });
      const { text } = await service.request(one.path);
      assert.doesNotMatch(text, /name="email"/);
      const paid = await submit(one, { email: "other@example.com" });
      assert.equal(paid.status, 303);
      assert.equal((await recordOf(one)).customer.email, "given@example.com");
    }
  });
});

describe("on the page the e-mail", () => {
  const WRONG = "Check your e-mail address, e.g. name@example.com.";
  for (const [typed, message] of [
    ["", "Enter your e-mail address."],
    ["maya@example", WRONG],
    [`${"m".repeat(39)}@example.com`, "Use at most 50 characters."],
    [shop.email.toUpperCase(), "This is the seller&#39;s e-mail address. Please enter yours."],
  ] as const)
    test(`${JSON.stringify(typed)} is refused at its field, and kept there`, async () => {
      const one = await order({ method: "3co_simple" });
      const answer = await submit(one, { email: typed });
      assert.equal(answer.status, 422);
      assert(answer.text.includes(`<p class="problem" id="email-wrong">${message}</p>`));
      assert(answer.text.includes(`<a href="#email">${message}</a>`));
      assert(answer.text.includes(`type="email" value="${typed}"`));
      assert.doesNotMatch(answer.text, /4111111111111111"|"987"/);
      assert.equal(await attemptsOf(one), 0);
      assert.deepEqual((await recordOf(one)).customer, {});
    });

  test("with a card number in it is refused, shown nowhere and kept nowhere", async () => {
    const one = await order();
    const answer = await submit(one, { email: "4012888888881881@example.com" });
    assert.equal(answer.status, 422);
    assert.match(answer.text, /Do not write a card number here\./);
    assert.doesNotMatch(answer.text, /4012888888881881/);
    assert.deepEqual((await recordOf(one)).customer, {});
  });

  test("stands when only another field is wrong, and the states are asked for", async () => {
    const one = await order();
    for (const form of [{ expiry: "01/20" }, { do: "states" }]) {
      const answer = await submit(one, { email: EMAIL, ...form });
      assert(answer.text.includes(`type="email" value="${EMAIL}"`));
    }
  });

  test("is told once: after a declined card the page does not ask again", async () => {
    const one = await order();
    const declined = await submit(one, { email: EMAIL, number: DECLINED });
    assert.equal(declined.status, 422);
    assert.doesNotMatch(declined.text, /name="email"/);
    assert.doesNotMatch((await service.request(one.path)).text, /name="email"|maya@example/);
    assert.equal((await recordOf(one)).customer.email, EMAIL);
    const paid = await submit(one, { attempts: "1", email: "late@example.com" });
    assert.equal(paid.status, 303);
    assert.deepEqual(await eventsOf(one), [
      ["payment.created", null],
      ["payment.success", EMAIL],
    ]);
  });

  test("of the form whose card is tried counts, of many at once", async () => {
    const one = await order();
    const typed = Array.from({ length: 8 }, (_, turn) => `maya${turn}@example.com`);
    await Promise.all(typed.map((email) => submit(one, { email })));
    const { status, customer } = await recordOf(one);
    assert.equal(status, "success");
    assert(typed.includes(customer.email));
    assert.equal(await attemptsOf(one), 1);
  });

  test("of each payment goes to its own, when many begin together, some with one", async () => {
    const orders = await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        order(turn % 3 === 0 ? { email: `given${turn}@example.com` } : {}),
      ),
    );
    await Promise.all(
      orders.map((one, turn) => submit(one, { email: `typed${turn}@example.com` })),
    );
    for (const [turn, one] of orders.entries()) {
      const { status, customer } = await recordOf(one);
      assert.equal(status, "success");
      assert.equal(customer.email, `${turn % 3 === 0 ? "given" : "typed"}${turn}@example.com`);
    }
  });
});

test("an attempt that waited for its session keeps the e-mail as well", async () => {
  const batches = withWaiting(ctx, ctx.batches);
  const alone = await startService({ context: { batches }, database: service.database });
  const one = await order();
  const paid = await submit(one, { email: EMAIL }, alone);
  assert.equal(paid.status, 303, paid.text);
  await alone.stop();
  const { status, customer } = await recordOf(one);
  assert.deepEqual([status, customer.email], ["success", EMAIL]);
});

describe("the database", () => {
  const addTo = ({ id }: Order, customer: object) =>
    ctx.db.run(sql`
      update transactions set customer = ${JSON.stringify(customer)}::jsonb
      where transaction_id = ${id}`);

  test("takes an e-mail once, while there is no result, and nothing else", async () => {
    const one = await order({ fname: "Maya" });
    const never = /what was agreed is never changed/;
    await assert.rejects(addTo(one, { fname: "Eve" }), never);
    await assert.rejects(addTo(one, { fname: "Maya", lname: "X", email: EMAIL }), never);
    await addTo(one, { fname: "Maya", email: EMAIL });
    await assert.rejects(addTo(one, { fname: "Maya", email: "eve@example.com" }), never);
    await assert.rejects(addTo(one, { fname: "Maya" }), never);
    const ended = await order();
    await service.request(`${ended.path}/back`, {
      method: "POST",
      headers: { origin: own, "sec-fetch-site": "same-origin" },
      form: { form_token: formToken(ctx.config, ended.path.split("/")[2] ?? "") },
    });
    assert.equal((await recordOf(ended)).status, "failed");
    await assert.rejects(addTo(ended, { email: EMAIL }), never);
  });
});

describe("a phone", () => {
  const IGNORED: readonly unknown[] = [
    "8687654321",
    "+592",
    "+1868",
    "+18680000000",
    "+0868",
    "call me",
    "4012 8888 8888 1881",
    "x".repeat(50),
    "🌴".repeat(50),
    8687654321,
    18686221234,
    true,
    ["+18686221234"],
  ];
  for (const phone of IGNORED)
    test(`${JSON.stringify(phone).slice(0, 40)} is taken and ignored`, async () => {
      const lines = service.logged.length;
      const one = await order({ phone, country: "JM", email: EMAIL });
      const page = await service.request(one.path);
      assert.match(page.text, /<option value="JM" selected>Jamaica\s*</);
      assert.match(page.text, /<option value="JM" selected>Jamaica \(\+1\)/);
      assert.match(page.text, /<input id="phone" name="phone" type="tel" value=""/);
      assert.deepEqual((await recordOf(one)).customer, { email: EMAIL, country: "JM" });
      if (typeof phone !== "string") return;
      const kept = await ctx.db.rows(sql`
        select from transactions join checkout_sessions using (transaction_id)
        where transaction_id = ${one.id}
          and (transactions::text || checkout_sessions::text) like ${`%${phone}%`}`);
      assert.equal(kept.length, 0);
      assert(!page.text.includes(`"${phone}"`));
      assert(!service.logged.slice(lines).join("").includes(phone));
    });

  test("that is complete and valid fills its field, and its country is selected", async () => {
    const one = await order({ phone: "+18686221234", country: "JM", email: EMAIL });
    const { text } = await service.request(one.path);
    assert.match(text, /<option value="TT" selected>Trinidad/);
    assert.match(text, /<input id="phone" name="phone" type="tel" value="\(868\) 622-1234"/);
    assert.equal((await recordOf(one)).customer.phone, "+18686221234");
  });

  test("that is ignored does not make another request of it", async () => {
    const fields = minimal(shop.accountNumber, { phone: "call me" });
    const [one, other] = [
      await ask(service, fields),
      await ask(service, { ...fields, phone: "+592" }, "form"),
    ];
    assert.deepEqual(other.body, one.body);
  });
});

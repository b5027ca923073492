/**
 * The card form as the page's script sends it (Decision 0096): the same checks and refusals as for
 * a browser without scripts, answered with what to do next; and however often a form is sent, over
 * two services and with answers lost, it is one attempt and one charge.
 */

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { statusOf } from "../../../src/modules/checkout/page/checkout-status.ts";
import { formToken } from "../../../src/modules/checkout/page/form-token.ts";
import { lookAtSession } from "../../../src/modules/checkout/session/find-sessions.ts";
import { checkoutWords } from "../../../src/words/checkout/checkout-words.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { ask, minimal } from "../../../testkit/payment-requests.ts";
import type { TestService } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const { service, atOnce } = await startTwoServices();
const { ctx } = service;
afterEach(() => expectBooksToBalance(ctx.db));
const merchant = await service.world.merchant();

async function order(fields: Record<string, string> = {}): Promise<{ path: string; id: string }> {
  const shop = { response_url: "https://shop.example/back?a=1", email: "maya@example.com" };
  const { body } = await ask(service, minimal(merchant.accountNumber, { ...shop, ...fields }));
  return { path: new URL(body.url).pathname, id: body.transaction_id };
}

const CARD = { number: "4111111111111111", expiry: "09/35", cvv: "987", holder: "Maya Joseph" };
const DECLINED = { ...CARD, number: "4111111111113333" };
const own = new URL(ctx.config.http.paymentsPublicUrl).origin;

interface Sent {
  readonly form?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly by?: TestService;
}

async function send(path: string, { form = {}, headers = {}, by = service }: Sent = {}) {
  const token = path.split("/")[2] ?? "";
  const answer = await by.request(path, {
    method: "POST",
    headers: {
      origin: own,
      "sec-fetch-site": "same-origin",
      accept: "application/json",
      ...headers,
    },
    form: { attempts: "0", form_token: formToken(ctx.config, token), ...form },
  });
  // What is typed never comes back.
  assert.doesNotMatch(answer.text, /4111111111111111|4111111111113333|09\/35|\b987\b|Maya/);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
  return answer;
}

const sales = async (id: string) => {
  const rows = await ctx.db.rows<{ outcome: string }>(sql`
    select outcome from simulator_sales where transaction_id = ${id}`);
  return rows.map(({ outcome }) => outcome);
};

describe("a form sent in the background", () => {
  test("pays, and is told where to go and what to say until that page is there", async () => {
    const { path, id } = await order();
    const { status, body } = await send(path, { form: CARD });
    assert.equal(status, 200);
    assert.equal(body.step, "ended");
    assert.equal(body.heading, "Paid");
    assert.equal(new URL(body.next).searchParams.get("status"), "success");
    assert.deepEqual(await sales(id), ["approved"]);
  });

  test("learns at each field what is wrong, in the page's words, and tries nothing", async () => {
    const { path, id } = await order();
    const form = { ...CARD, number: "4111111111111112", expiry: "01/20", cvv: "1234" };
    const { status, body } = await send(path, { form });
    assert.equal(status, 422);
    assert.equal(body.message, "Unprocessable Content");
    assert.equal(body.notice.heading, "Please check 3 fields");
    assert.deepEqual(body.problems, [
      { field: "number", message: "Check your card number. It is not valid." },
      { field: "expiry", message: "This card has expired. Please use another card." },
      {
        field: "cvv",
        message: "The security code has 3 digits. It is on the back of the card.",
      },
    ]);
    const { text } = await service.request(path);
    for (const { message } of [...body.problems].slice(0, 2)) assert(text.includes(message));
    assert.deepEqual(await sales(id), []);
  });

  test("that is declined says so, with the number of the next attempt", async () => {
    const { path, id } = await order();
    const { status, body } = await send(path, { form: DECLINED });
    assert.equal(status, 422);
    assert.deepEqual([body.step, body.attempts], ["card", 1]);
    assert.deepEqual(body.notice, {
      heading: "Your card was declined",
      texts: [
        "Visa ending in 3333: The card's bank did not approve the payment.",
        "No money was taken. Check the details or try another card. You have 4 tries left.",
      ],
    });
    const paid = await send(path, { form: { ...CARD, attempts: "1" } });
    assert.equal(paid.body.heading, "Paid");
    assert.deepEqual((await sales(id)).sort(), ["approved", "declined"]);
  });

  test("that the network did not answer blames neither the card nor what was typed", async () => {
    const { path } = await order();
    const { body } = await send(path, { form: { ...CARD, number: "4111111111119999" } });
    assert.deepEqual(body.notice.texts, [
      "Visa ending in 9999: The card network did not answer in time.",
      "No money was taken. Please try again in a moment. You have 4 tries left.",
    ]);
  });

  test("whose answer was lost learns it when it is sent again, whatever stands in it then", async () => {
    const { path, id } = await order();
    const first = await send(path, { form: DECLINED });
    for (const form of [DECLINED, CARD, { ...CARD, number: "1" }]) {
      const again = await send(path, { form });
      assert.equal(again.status, 422);
      assert.deepEqual(again.body, first.body);
    }
    assert.deepEqual(await sales(id), ["declined"]);
    const paid = await order();
    const one = await send(paid.path, { form: CARD });
    const other = await send(paid.path, { form: CARD });
    assert.deepEqual(other.body, one.body);
    assert.deepEqual(await sales(paid.id), ["approved"]);
  });

  test("many times at once over two services is one charge, and every answer is true", async () => {
    for (const [card, outcome] of [
      [CARD, "approved"],
      [DECLINED, "declined"],
    ] as const) {
      const { path, id } = await order();
      const answers = await atOnce(12, (by) => send(path, { form: card, by }));
      assert.deepEqual(await sales(id), [outcome]);
      for (const { body } of answers) {
        const isTold = outcome === "approved" ? body.heading === "Paid" : body.attempts === 1;
        assert(isTold || body.step === "working", JSON.stringify(body));
      }
    }
  });

  test("leads to the bank where it asks, and waits where nobody knows", async () => {
    const asked = await order();
    const challenge = await send(asked.path, { form: { ...CARD, number: "4111111111112010" } });
    assert.deepEqual(challenge.body, { step: "challenge", attempts: 1 });
    const unknown = await order();
    const { body } = await send(unknown.path, { form: { ...CARD, number: "4111111111112040" } });
    assert.deepEqual([body.step, body.attempts], ["working", 1]);
    assert.match(body.text, /checking with your bank/);
  });

  test("waits in words, too, where it is over and its result is not written yet", async () => {
    const { path } = await order();
    const token = path.split("/")[2] ?? "";
    const session = await lookAtSession(ctx, token);
    assert(session !== undefined);
    const step = { kind: "ended", outcome: "notPaid", message: "", card: undefined } as const;
    const ended = { ...session, step };
    const status = await statusOf(ctx, ended, { token, header: () => undefined });
    const { text } = checkoutWords("en").working;
    assert.deepEqual(status, { step: "working", attempts: 0, text });
  });

  test("is told truly after 10 and after 30 seconds that the bank takes its time", async () => {
    const { path } = await order();
    await send(path, { form: { ...CARD, number: "4111111111112060" } });
    const told = async () => (await service.request(`${path}/status`)).body.text;
    assert.match(await told(), /takes a few seconds/);
    await service.clock.advance({ seconds: 11 });
    assert.match(await told(), /longer than usual/);
    const { text } = await service.request(path);
    assert.match(text, /longer than usual/);
    await service.clock.advance({ seconds: 20 });
    assert.match(await told(), /still has not answered/);
  });
});

describe("refused as any other form:", () => {
  for (const [what, headers, form] of [
    ["a foreign Origin", { origin: "https://evil.example" }, {}],
    ["no Origin", { origin: "" }, {}],
    ["cross-site", { "sec-fetch-site": "cross-site" }, {}],
    ["no form token", {}, { form_token: "" }],
    ["the form token of another payment", {}, { form_token: formToken(ctx.config, "x") }],
  ] as const) {
    test(`${what} is 403 and tries no card`, async () => {
      const { path, id } = await order();
      const { status, body } = await send(path, { form: { ...CARD, ...form }, headers });
      assert.deepEqual([status, body], [403, { message: "Forbidden" }]);
      assert.deepEqual(await sales(id), []);
    });
  }

  test("nothing at this address, a day after its end, and what is no form", async () => {
    const nowhere = await send(`/checkout/${"x".repeat(43)}`, { form: CARD });
    assert.deepEqual([nowhere.status, nowhere.body], [404, { message: "Not Found" }]);
    const { path } = await order();
    await send(path, { form: CARD });
    await service.clock.advance({ hours: 25 });
    assert.equal((await send(path, { form: CARD })).status, 404);
    const headers = { accept: "application/json" };
    const raw = { type: "text/plain", body: "x" };
    const other = await service.request(path, { method: "POST", headers, raw });
    assert.equal(other.status, 415);
    assert.equal(typeof other.body.message, "string");
  });

  test("a browser that sends the form itself still gets pages", async () => {
    const { path } = await order();
    const token = path.split("/")[2] ?? "";
    const answer = await service.request(path, {
      method: "POST",
      headers: {
        origin: own,
        accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      },
      form: { attempts: "0", form_token: formToken(ctx.config, token), ...DECLINED },
    });
    assert.equal(answer.status, 422);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
  });
});

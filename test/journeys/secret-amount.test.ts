/**
 * In live, the small amount stands on the card's statement and nowhere else: no page, redirect,
 * endpoint, event, webhook or log line tells it, at any moment of a card's life (Interface §2.5).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { appRoutes } from "../../src/app.ts";
import { sql } from "../../src/infra/db/query.ts";
import { answerBank, CARDS, look, type Order, submit } from "../../testkit/checkout-sessions.ts";
import { openedAnswers } from "../../testkit/sealed-answers.ts";
import { startService } from "../../testkit/service.ts";
import {
  askToSave,
  closeService,
  openShop,
  payWithCode,
  savedOf,
  setAmount,
  signInAgain,
  tidyUp,
  verify,
} from "../../testkit/trusted-cards.ts";

const service = await startService({ settings: { LOG_LEVEL: "trace" } });
const { ctx } = service;
after(() => closeService(service));

const CENTS = 83;
const MONEY = new RegExp(`\\b0[.,]${CENTS}\\b`);
/** Or its cents alone, also as a field of JSON; not within a time, an id or an address. */
const AMOUNT = new RegExp(
  `\\b0[.,]${CENTS}\\b|":"?${CENTS}\\b(?![:-])|(?<![\\w.:%-])${CENTS}(?![\\w:-])`,
);

/** What may be the same by chance in a log line. */
const OF_CHANCE = /"(?:ms|bytes|pid|time|port)":[\d.]+/g;

test("the search finds the amount in every shape, and not what only looks like it", () => {
  const found = [
    '{"amount_minor":83}',
    '{"amount":"0.83"}',
    "USD 0,83",
    '{"cents":"83"}',
    "is 83.",
  ];
  for (const text of found) assert.match(text, AMOUNT);
  const others = ["12:83:01", '{"id":"83-TT"}', "x83", "0.831", "183", "%83", "2026-11-83"];
  for (const text of others) assert.doesNotMatch(text, AMOUNT);
});

/** A request of the log may have taken as many milliseconds as the amount has cents. */
const DURATION = /"duration_ms":\d+/g;

/** The same for everybody, and full of numbers. */
const OF_NOBODY = /^\/(?:metrics|docs)/;

interface Own {
  readonly uuid: string;
  readonly hook: string;
}

/** Every address that a GET can be sent to, with ids that are the merchant's own. */
function addresses({ id, token }: Order, { uuid, hook }: Own): string[] {
  const ids: Record<string, string> = { transaction_id: id, token, uuid };
  return appRoutes(ctx)
    .filter(({ method, path }) => method === "GET" && !OF_NOBODY.test(path))
    .flatMap(({ path }) => {
      const idOf = (name: string) => (path.startsWith("/webhooks/") ? hook : (ids[name] ?? id));
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name));
      const live = `${filled}?environment=live`;
      return [filled, live, `${live}&page_size=100`, `${live}&format=csv`];
    });
}

async function expectSecret(order: Order, own: Own, when: string): Promise<void> {
  await service.numberEvents();
  const { token } = await signInAgain(service, order.shop);
  let good = 0;
  for (const path of addresses(order, own)) {
    const answer = await service.request(path, { token });
    const public_ = path.startsWith("/checkout/") ? await service.request(path) : undefined;
    for (const { text, headers } of [answer, ...(public_ === undefined ? [] : [public_])]) {
      assert(!AMOUNT.test(text.replace(DURATION, "")), `${when}: ${path}`);
      assert.doesNotMatch(JSON.stringify([...headers]), MONEY, `${when}: ${path}`);
    }
    if (answer.status === 200) good += 1;
  }
  assert(good > 15, `${good} answers were good`);
  const found = await service.request(
    "/transactions/?environment=live&total_min=0.01&total_max=0.99",
    { token },
  );
  assert.equal(found.body.meta.total, 0);
  const { body } = await service.request("/user/?environment=live", { token });
  const { balance, available, held } = body.data.balances.foreign;
  assert.deepEqual([balance, available, held], ["0.00", "0.00", "0.00"]);
}

test("nothing tells the amount of a live card from its first page to its return", async () => {
  const shop = await openShop(service);
  const made = await service.request("/webhooks", {
    method: "POST",
    token: shop.token,
    json: { url: "https://hooks.example.com/in", environment: "live" },
  });
  assert.equal(made.status, 201, made.text);
  const hook: string = made.body.data.id;
  const order = await askToSave(service, shop, { environment: "live" });
  await setAmount(service, order, CENTS);
  await expectSecret(order, { uuid: "none", hook }, "before a card");

  const page = await service.request(`/checkout/${order.token}`);
  assert.match(page.text, /between USD\u00a00\.50 and USD\u00a00\.99/);
  await submit(service, order, CARDS.asked);
  await expectSecret(order, { uuid: "none", hook }, "while the bank asks");
  const { step } = await look(service, order);
  assert(step.kind === "challenge");
  const bank = await service.request(`/sandbox/acs/${step.token}`);
  assert.match(bank.text, /See your statement/);
  const challenge = await service.request(`/checkout/${order.token}/challenge`);
  assert.doesNotMatch(bank.text + challenge.text, AMOUNT);
  await answerBank(service, order, "passed");

  const card = await savedOf(service, order);
  assert.equal(card.amount, `0.${CENTS}`);
  assert.equal(card.result.searchParams.get("total"), null);
  assert.equal(card.result.searchParams.get("hash"), null);
  assert.equal(card.result.searchParams.get("uuid"), card.uuid);
  assert.doesNotMatch(card.result.href, AMOUNT);
  await expectSecret(order, { uuid: card.uuid, hook }, "saved");

  assert.equal((await verify(service, card, "0.51")).status, 400);
  await expectSecret(order, { uuid: card.uuid, hook }, "after a wrong try");
  const verified = await verify(service, card, card.amount);
  assert.equal(verified.status, 200);
  assert.doesNotMatch(verified.text, AMOUNT);
  await tidyUp(service);
  await expectSecret(order, { uuid: card.uuid, hook }, "returned");

  const bodies = await ctx.db.rows<{ body: string }>(sql`select body from events`);
  assert.equal(bodies.length, 2);
  for (const { body } of bodies) assert.doesNotMatch(body, AMOUNT);
  const rows = await openedAnswers(service);
  const lines = service.logged.map((line) => line.replace(OF_CHANCE, ""));
  for (const line of [...lines, ...rows]) assert.doesNotMatch(line, AMOUNT);
});

test("in the sandbox the same is told on the page and in the redirect", async () => {
  const shop = await openShop(service);
  const order = await askToSave(service, shop);
  await setAmount(service, order, CENTS);
  assert.match((await service.request(`/checkout/${order.token}`)).text, AMOUNT);
  await submit(service, order, CARDS.approved);
  const card = await savedOf(service, order);
  assert.equal(card.result.searchParams.get("total"), card.amount);
  assert.equal(card.result.searchParams.get("hash"), null);
});

test("the charge of a live card tells what it costs, like any payment", async () => {
  const shop = await openShop(service);
  const saving = await askToSave(service, shop, { environment: "live" });
  await submit(service, saving, CARDS.approved);
  const card = await savedOf(service, saving);
  await verify(service, card, card.amount);
  const answer = await service.request(`/trusted-cards/${card.uuid}/charge`, {
    method: "POST",
    token: shop.token,
    json: {
      currency: "TTD",
      fee_structure: "split",
      order_id: "live-1",
      response_url: "https://shop.example.com/paid",
      total: "100",
    },
  });
  assert.equal(answer.status, 200, answer.text);
  const token = new URL(answer.body.url).pathname.split("/").at(-1) ?? "";
  const order = { id: answer.body.transaction_id, token, shop };
  assert.match((await service.request(`/checkout/${token}`)).text, /TTD\u00a0102\.60/);
  await payWithCode(service, order);
});

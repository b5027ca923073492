/**
 * A shop's own page, on another origin, asks for a payment by script in a real browser: it reads
 * the answers of /plugins/, refusals too, and of no other path (Decision 0064).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { atShop, CARD, openShop, pay } from "../../testkit/shop.ts";

const shop = await openShop();
after(() => shop.close());
const base = shop.service.ctx.config.http.publicUrl;

let page: Page;
before(async () => {
  page = await shop.browser.page();
  await page.goto(`${shop.url}/`);
});

interface Read {
  readonly status: number;
  readonly body: Record<string, string>;
  readonly headers: Record<string, string | null>;
}

/** As a script of the shop's page calls it; a string: what the browser said instead. */
function fetchFromShop(path: string, init: Record<string, unknown> = {}): Promise<Read | string> {
  return page.evaluate(
    async ([url, options]) => {
      try {
        const answer = await fetch(url, options);
        const shown = ["x-request-id", "deprecation", "link", "idempotent-replayed"];
        return {
          status: answer.status,
          body: (await answer.json()) as Record<string, string>,
          headers: Object.fromEntries(shown.map((name) => [name, answer.headers.get(name)])),
        };
      } catch (error) {
        return String(error);
      }
    },
    [base + path, init] as const,
  );
}

function askFor(fields: Record<string, unknown>, headers: Record<string, string> = {}) {
  return fetchFromShop("/plugins/payments/request", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({
      account_number: shop.merchant.accountNumber,
      country_code: "TT",
      currency: "TTD",
      environment: "sandbox",
      fee_structure: "customer_pay",
      method: "credit_card",
      origin: "shop",
      response_url: `${shop.url}/back`,
      total: "100.00",
      ...fields,
    }),
  });
}

test("it creates a payment, which its customer pays", async () => {
  const sent = { order_id: "by-script", phone: "8687654321" };
  const headers = { "idempotency-key": "by-script", "x-requested-with": "XMLHttpRequest" };
  const made = await askFor(sent, headers);
  assert(typeof made !== "string", String(made));
  assert.equal(made.status, 200);
  assert.match(made.headers["x-request-id"] ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(made.headers.deprecation, "true");
  assert.match(made.headers.link ?? "", /rel="deprecation"/);
  const again = await askFor(sent, headers);
  assert(typeof again !== "string", String(again));
  assert.equal(again.headers["idempotent-replayed"], "true");
  assert.deepEqual(again.body, made.body);
  const customer = await shop.browser.page();
  await customer.goto(made.body.url ?? "");
  await pay(customer, { number: CARD.approved, email: "maya@example.com" });
  assert.equal((await atShop(customer, shop)).get("status"), "success");
  assert.equal(await shop.statusOf(made.body.transaction_id ?? ""), "success");
  await customer.context().close();
});

test("it reads why a request was refused", async () => {
  const refused = await askFor({ order_id: "by-script-2", total: "1" });
  assert(typeof refused !== "string", String(refused));
  assert.equal(refused.status, 400);
  assert.match(refused.body.message ?? "", /^The total must be from/);
});

test("it reads the helpers, and that a path is not there", async () => {
  const states = await fetchFromShop("/plugins/get/states?country_code=US");
  assert(typeof states !== "string", String(states));
  assert.equal(states.body["US-CA"], "California");
  const nothing = await fetchFromShop("/plugins/nothing", { method: "POST" });
  assert(typeof nothing !== "string", String(nothing));
  assert.equal(nothing.status, 404);
});

for (const [path, init] of [
  ["/auth/whoami", { headers: { authorization: "Bearer x" } }],
  ["/auth/whoami", {}],
  ["/openapi.json", {}],
  ["/auth/tokens", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
  ["/plugins/get/states?country_code=US", { credentials: "include" }],
] as const)
  test(`it cannot read ${path} ${JSON.stringify(init).slice(0, 40)}`, async () => {
    assert.match(String(await fetchFromShop(path, init)), /TypeError: Failed to fetch/);
  });

/**
 * The page at the end of the guide (Decision 0106): it greets somebody who was paid only when the
 * result verifies, says why another one does not, and tells strangers nothing about keys.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { SANDBOX_ACCOUNT } from "../../src/modules/checkout/result/payment-keys.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { startService } from "../../testkit/service.ts";
import { payAt } from "./pay-at.ts";

const service = await startService();
const { seedDemoWorld } = await import("../../src/demo-world.ts");
await seedDemoWorld(service.ctx);
after(() => service.stop());
const production = { ...service.ctx.config, demoWorld: false };

let orders = 0;

/** The address at which a browser arrives that has paid. */
async function paidAddress(account = SANDBOX_ACCOUNT, more = {}): Promise<URL> {
  orders += 1;
  const { body } = await service.request("/plugins/payments/request", {
    method: "POST",
    form: {
      account_number: account,
      country_code: "TT",
      currency: "TTD",
      environment: "sandbox",
      fee_structure: "customer_pay",
      method: "credit_card_co",
      order_id: `welcome-${orders}`,
      origin: "test",
      response_url: `${service.url}/docs/welcome`,
      total: "100.00",
      email: "customer@example.com",
      ...more,
    },
  });
  return new URL(await payAt(body.url.replace(/^https?:\/\/[^/]+/, service.url)));
}

async function pageAt(url: URL): Promise<{ heading: string; text: string; headers: Headers }> {
  const { status, text, headers } = await service.request(url.pathname + url.search);
  assert.equal(status, 200);
  const [, heading = ""] = /<h1>(.*?)<\/h1>/s.exec(text) ?? [];
  return { heading: heading.replace(/<[^>]+>/g, ""), text, headers };
}

describe("a browser that brings a result", () => {
  test("is greeted with what was paid, and every parameter is explained", async () => {
    const url = await paidAddress();
    const { heading, text, headers } = await pageAt(url);
    assert.equal(heading, "You were just paid TTD 105.20, and the result verifies");
    assert(text.includes('<span class="whole">TTD 105.20</span>'), "the amount may break");
    assert(text.includes('href="/console/links/new"'), "there is nothing for owners");
    for (const [name, value] of url.searchParams) {
      assert(text.includes(`<code>${name}</code>`), name);
      if (value !== "") assert(text.includes(value), name);
    }
    assert(!text.includes("Not ours"));
    assert.equal(headers.get("cache-control"), "no-store");
    await expectBooksToBalance(service.ctx.db);
  });

  test("that was changed is told what was changed, and to deliver nothing", async () => {
    const url = await paidAddress();
    url.searchParams.set("total", "1.00");
    const { heading, text } = await pageAt(url);
    assert.equal(heading, "The result does not verify");
    assert(text.includes("Do not deliver"));
    assert.match(text, /total was/);
  });

  test("without a signature is refused, also with the right hash", async () => {
    const url = await paidAddress();
    url.searchParams.delete("signature");
    assert.equal((await pageAt(url)).heading, "The result does not verify");
  });

  test("of a refused request reads why", async () => {
    const url = new URL(`${service.url}/docs/welcome?status=error&transaction_id=`);
    url.searchParams.set("message", "The total field is required.");
    const { heading, text } = await pageAt(url);
    assert.equal(heading, "The payment was not started");
    assert(text.includes("The total field is required."));
  });

  test("never gets its words back as markup", async () => {
    const evil = '"><script>alert(1)</script>';
    for (const [name, value] of [
      ["message", evil],
      ["status", evil],
      ["transaction_id", evil],
      [evil, "x"],
    ] as const) {
      const url = new URL(`${service.url}/docs/welcome?status=error&transaction_id=`);
      url.searchParams.set(name, value);
      const { text } = await pageAt(url);
      assert(!text.includes("<script>alert"), name);
    }
  });

  test("without parameters reads what would come", async () => {
    const { heading, text } = await pageAt(new URL(`${service.url}/docs/welcome`));
    assert.equal(heading, "Nobody has paid yet");
    assert(text.includes("response_url"));
  });
});

describe("strangers", () => {
  test("learn nothing about live results, right or wrong", async () => {
    const url = await paidAddress();
    const live = url.searchParams.get("transaction_id")?.slice("SB-".length) ?? "";
    const pages: string[] = [];
    for (const signature of [url.searchParams.get("signature") ?? "", "0".repeat(64)]) {
      url.searchParams.set("transaction_id", live);
      url.searchParams.set("signature", signature);
      const { heading, text } = await pageAt(url);
      assert.equal(heading, "This is a live result");
      pages.push(text.replaceAll(signature, ""));
    }
    assert.equal(pages[0], pages[1]);
  });

  test("outside of development are told no reason, only that it does not fit", async () => {
    const { checkResult } = await import("../../src/site/welcome/check-result.ts");
    const url = await paidAddress();
    url.searchParams.set("total", "1.00");
    const check = await checkResult({ ...service.ctx, config: production }, url.searchParams);
    assert.deepEqual(check, { kind: "wrong", reason: "The signature does not fit." });
  });

  test("who name a payment that is not here are told so", async () => {
    const url = await paidAddress();
    const id = url.searchParams.get("transaction_id") ?? "";
    url.searchParams.set(
      "transaction_id",
      id.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
    );
    assert.equal((await pageAt(url)).heading, "This service does not know that payment");
  });
});

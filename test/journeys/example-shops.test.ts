/**
 * Each shop of examples/ sells: a customer buys in a browser and pays on the real page, the shop
 * believes the result, ships once though a webhook says the same again, and learns by a webhook
 * that the money went back.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { axeViolations, complaintsAbout, startBrowser } from "../../testkit/browser.ts";
import { startDemoService } from "../../testkit/demo-service.ts";
import { EXAMPLE_SHOPS } from "../../testkit/example-shops.ts";
import { freePort } from "../../testkit/free-port.ts";
import { endAll } from "../../testkit/processes.ts";
import { CARD, pay } from "../../testkit/shop.ts";
import { until } from "../../testkit/until.ts";
import { expectOddAnswered, expectSteadyOrders } from "./shop-webhooks.ts";

const service = await startDemoService();
const { token } = service;
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service.stop();
  await endAll();
});

for (const example of EXAMPLE_SHOPS)
  test(`the ${example.name} shop sells, ships once and follows a refund`, async () => {
    const port = String(await freePort());
    const endpoint = await service.ask("/webhooks", {
      method: "POST",
      token,
      json: { environment: "sandbox", url: `http://127.0.0.1:${port}/webhook` },
    });
    assert.equal(endpoint.status, 201, endpoint.text);
    const shop = await example.start({
      PORT: port,
      WINDWARD_URL: service.url,
      WINDWARD_WEBHOOK_SECRET: endpoint.body.data.secret,
    });
    try {
      const page = await browser.page();
      const complaints = complaintsAbout(page);
      await page.goto(shop.url);
      assert.deepEqual(await axeViolations(page), []);
      const buy = page.getByRole("button", { name: "Buy" }).last();
      assert(((await buy.boundingBox())?.height ?? 0) >= 44, "a thumb hits the button");
      await buy.click();
      await page.waitForURL("**/checkout/**");
      assert(await page.getByText("A history of Tobago").first().isVisible());
      await page.locator("#email").fill("anika@example.com");
      await pay(page, { number: CARD.approved });
      await page.waitForURL(`${shop.url}/paid?**`);
      const result = new URL(page.url()).searchParams;
      assert.equal(result.get("status"), "success");
      assert.match(await page.locator("h1").innerText(), /paid/);
      assert(await page.getByText("A history of Tobago, TTD 100.00.").isVisible());
      assert.deepEqual(await axeViolations(page), []);
      assert.deepEqual(complaints, []);

      const order = String(result.get("order_id"));
      const report = async () => {
        const answer = await fetch(`${shop.url}/orders?order_id=${order}`);
        const { state, shipped } = (await answer.json()) as Record<string, unknown>;
        return { state, shipped };
      };
      const delivered = async (event: string) => {
        const path = `/webhooks/${endpoint.body.data.id}/deliveries`;
        const { body } = await service.ask(path, { token });
        return body.data.some(
          (each: Record<string, unknown>) => each.event === event && each.state === "delivered",
        );
      };
      await until(() => delivered("payment.success"), "the shop has the webhook");
      assert.deepEqual(await report(), { state: "paid", shipped: 1 });
      await page.reload();
      assert.deepEqual(await report(), { state: "paid", shipped: 1 });

      const id = result.get("transaction_id");
      const refund = await service.ask(`/transactions/${id}/refund`, { method: "POST", token });
      assert.equal(refund.status, 201, refund.text);
      await until(() => delivered("payment.refunded"), "the shop knows of the refund");
      assert.deepEqual(await report(), { state: "refunded", shipped: 1 });

      await expectOddAnswered(shop);
      await expectSteadyOrders({
        url: shop.url,
        secret: endpoint.body.data.secret,
        async transactionIdOf(order) {
          const path = `/transactions/?environment=sandbox&order_id=${order}`;
          return (await service.ask(path, { token })).body.data[0].transaction_id;
        },
      });
    } finally {
      await shop.stop();
    }
  });

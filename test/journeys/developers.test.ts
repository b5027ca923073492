/**
 * A developer with a browser makes a key, uses it, sees its requests and revokes it; finds out why
 * a webhook failed, mends the receiver and replays. On a phone, on a desktop, and without
 * JavaScript; nothing is too wide, and axe finds nothing.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { JOURNEY_WAYS, type Journey, startJourneys } from "../../testkit/journey-ways.ts";
import { startReceiver } from "../../testkit/receivers.ts";
import { newEvent, recordAll } from "../../testkit/webhooks.ts";

const journeys = await startJourneys();
const { service } = journeys;
after(async () => {
  await service.ctx.messenger.stop();
  await journeys.close();
});

async function makeKey(journey: Journey): Promise<string> {
  const { page } = journey;
  await journey.open("/console/developers");
  await journey.expectHeading("Keys");
  await journey.expectFine("keys-none");
  await journey.follow("Make a key");
  await journey.expectHeading("Make a key");
  await journey.press("Make the key");
  await page.getByRole("alert").waitFor();
  await journey.expectFine("key-form-refused");
  await page.getByLabel("Name").fill("Web shop");
  await page.getByLabel(/^svc-transactions-retrieve/).check();
  await page.getByLabel(/^svc-user-retrieve/).check();
  await journey.press("Make the key");
  await journey.expectHeading("Your new key");
  await journey.expectFine("key-made");
  assert.doesNotMatch(page.url(), /svc_test/);
  return page.locator(".copyable code").innerText();
}

for (const way of JOURNEY_WAYS)
  describe(way.name, () => {
    test("a key is made, used, looked after and revoked", async () => {
      const journey = await journeys.begin(way);
      const { page } = journey;
      await journey.signIn(await service.world.merchant());
      const key = await makeKey(journey);
      assert.equal((await service.request("/events", { key })).status, 200);
      assert.equal((await service.request("/events?page_size=zero", { key })).status, 400);
      await service.ctx.requestLog.flush();
      await journey.follow("I have copied it");
      await journey.expectHeading("Web shop");
      await journey.expectFine("key");
      await journey.follow("Its requests");
      await journey.expectHeading("Requests");
      await journey.expectFine("requests");
      // By its badge alone: a row's time may hold the same digits.
      const badge = page.getByText("400", { exact: true });
      await page.getByRole("row").filter({ has: badge }).getByRole("link").click();
      await journey.expectHeading("GET /events");
      await page.getByText("What happened", { exact: true }).waitFor();
      await journey.expectFine("request");
      await journey.open("/console/developers/keys");
      await journey.expectFine("keys");
      await journey.follow("Web shop");
      await journey.confirm("Revoke");
      await journey.expectText("The key has been revoked.");
      assert.equal((await service.request("/events", { key })).status, 401);
      await journey.end();
    });

    test("a webhook's failure is found, and after mending it is replayed", async () => {
      const receiver = await startReceiver((_request, response) => {
        response.writeHead(500, { "content-type": "text/html" }).end("<h1>Out of disk</h1>");
      });
      const shop = await service.world.merchant();
      const journey = await journeys.begin(way);
      const { page } = journey;
      await journey.signIn(shop);
      await journey.open("/console/developers/webhooks");
      await journey.expectFine("webhooks-none");
      await journey.follow("Add an endpoint");
      await page.getByLabel("Address").fill(receiver.url);
      await page.getByLabel("Description").fill("Web shop");
      await journey.expectFine("endpoint-form");
      await journey.press("Add the endpoint");
      await journey.expectHeading("The endpoint's secret");
      await journey.expectFine("endpoint-secret");
      await journey.follow("I have copied it");
      const endpointId = page.url().split("/").at(-1) ?? "";
      const { accountNumber } = shop;
      await recordAll(service.ctx, [newEvent({ accountNumber, environment: "sandbox" }, {})]);
      await service.numberEvents();
      await service.ctx.messenger.deliver(endpointId);
      await page.reload();
      await journey.expectText("Your server failed (500).");
      await journey.expectFine("endpoint-failing");
      await journey.follow("payment.success");
      await journey.expectText("<h1>Out of disk</h1>");
      await journey.expectFine("delivery");
      await journey.open("/console/developers/events");
      await journey.expectFine("events");
      await journey.follow("payment.success");
      await journey.expectFine("event");
      receiver.behave("well");
      await journey.open(`/console/developers/webhooks/${endpointId}`);
      await journey.press("Replay");
      await journey.expectText("The events are being sent again.");
      await service.ctx.messenger.deliver(endpointId);
      await page.reload();
      await page.getByRole("table").getByText("Delivered").waitFor();
      assert.equal(receiver.received.length, 2);
      await journey.end();
      await receiver.close();
    });
  });

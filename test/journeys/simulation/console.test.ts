/**
 * A developer makes things happen in the console, on a phone and a large screen, with and without
 * scripts: a payment, a withdrawal and the receiver of an endpoint. No page shuts anybody out.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openOrder } from "../../../testkit/checkout-sessions.ts";
import {
  JOURNEY_WAYS,
  type Journey,
  SCRIPTED_WAYS,
  startJourneys,
} from "../../../testkit/journey-ways.ts";
import { until } from "../../../testkit/until.ts";
import { makeEndpoint } from "../../../testkit/webhook-endpoints.ts";
import { openOwner, withdraw } from "../../../testkit/withdrawals.ts";

const journeys = await startJourneys();
const { service } = journeys;
after(() => journeys.close());

async function choose(journey: Journey, label: string, choice: string): Promise<void> {
  const { page } = journey;
  const fold = page.locator("#simulate summary");
  // Keyboard only: the summary takes the focus, and Enter unfolds it.
  await fold.focus();
  await page.keyboard.press("Enter");
  await page.getByLabel(label).selectOption({ label: choice });
}

for (const way of JOURNEY_WAYS)
  test(`simulate ${way.name}`, async () => {
    const owner = await openOwner(service);
    const journey = await journeys.begin(way);
    await journey.signIn(owner);

    const order = await openOrder(service, { shop: owner });
    await journey.open(`/console/payments/${order.id}`);
    await choose(journey, "What happens", "The card is declined");
    await journey.page.getByLabel("Code of the decline").fill("51");
    await journey.expectFine("simulate-payment");
    await journey.press("Simulate");
    await journey.expectText("There is not enough money on the card");
    await journey.expectFine("simulated-payment");

    const id = await withdraw(service, owner, { amount: "10.00" });
    await journey.open(`/console/withdrawals/${id}`);
    await choose(journey, "What happens", "It is held");
    await journey.page.getByLabel("Reason").fill("4111111111111111");
    await journey.press("Simulate");
    await journey.expectText("must not contain a card number");
    await journey.expectFine("simulate-withdrawal-refused");
    await journey.page.getByLabel("Reason").fill("Somebody looks at it.");
    await journey.press("Simulate");
    await journey.expectText("Somebody looks at it.");
    await journey.expectFine("simulated-withdrawal");

    const endpoint = await makeEndpoint(service, owner, { environment: "sandbox" });
    await journey.open(`/console/developers/webhooks/${endpoint.id}`);
    await choose(journey, "What the receiver does", "It never answers");
    await journey.expectFine("simulate-receiver");
    await journey.press("Simulate");
    await journey.expectText("The receiver is simulated");
    await journey.expectFine("simulated-receiver");
    await journey.end();
  });

for (const way of SCRIPTED_WAYS)
  test(`the list follows the state while it is open, ${way.name}`, async () => {
    const owner = await openOwner(service);
    const journey = await journeys.begin(way);
    await journey.signIn(owner);
    const id = await withdraw(service, owner, { amount: "10.00" });
    await journey.open(`/console/withdrawals/${id}`);
    await choose(journey, "What happens", "It is held");
    const list = journey.page.getByLabel("What happens");
    const trimmed = (texts: readonly string[]) => texts.map((text) => text.trim());
    const offered = async () => trimmed(await list.locator("option").allInnerTexts());
    const chosen = async () => (await list.locator("option:checked").innerText()).trim();
    const simulate = async (outcome: string) => {
      const asked = { method: "POST", token: owner.token, json: { outcome } };
      const { status } = await service.request(`/sandbox/withdrawals/${id}/simulate`, asked);
      assert.equal(status, 200);
      await service.numberEvents();
    };
    await simulate("process");
    const isNew = async () => !(await offered()).includes("The bank gets the order");
    await until(isNew, "the list has changed");
    assert.equal(await chosen(), "It is held");
    await simulate("complete");
    await until(async () => (await chosen()) === "The bank sends it back", "one is left");
    assert.deepEqual(await offered(), ["The bank sends it back"]);
    await simulate("return");
    await list.waitFor({ state: "detached" });
    await journey.end();
  });

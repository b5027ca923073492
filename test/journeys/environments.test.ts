/**
 * Moving between sandbox and live: the band and the switch say where one is, neither shows what
 * the other has, and a page that was left open in one does nothing once the session is in the
 * other (Decision 0085).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { ENVIRONMENTS } from "../../src/kit/vocabulary.ts";
import { JOURNEY_WAYS, type Journey, startJourneys } from "../../testkit/journey-ways.ts";
import { APPROVED, newPayment, pay } from "../../testkit/transactions.ts";
import { fundsOf, type Owner, openOwner } from "../../testkit/withdrawals.ts";

const journeys = await startJourneys();
const { service } = journeys;
after(() => journeys.close());

const BAND = "Sandbox: no real money moves here";
const STALE = "This page was made for another account or environment. Nothing was changed.";

async function ownerInBoth(): Promise<Owner> {
  const owner = await openOwner(service, "merchant", { funds: "500.00 TTD" });
  for (const environment of ENVIRONMENTS)
    await pay(service, newPayment(owner, { environment, orderId: `${environment}-1` }), APPROVED);
  return owner;
}

const fundsOfBoth = (owner: Owner) =>
  Promise.all(ENVIRONMENTS.map((environment) => fundsOf(service, owner, "TTD", environment)));

async function expectAt({ page }: Journey, name: "Sandbox" | "Live"): Promise<void> {
  const current = page.getByRole("button", { name, exact: true });
  await current.and(page.locator("[aria-current]")).waitFor();
  assert.equal(await page.locator(".switch [aria-current]").count(), 1);
  assert.equal(await page.getByText(BAND).count(), name === "Sandbox" ? 1 : 0);
}

async function moveTo(journey: Journey, name: "Sandbox" | "Live"): Promise<void> {
  await journey.page.getByRole("button", { name, exact: true }).click();
  await expectAt(journey, name);
}

for (const way of JOURNEY_WAYS)
  describe(way.name, () => {
    test("each environment has its own payments, and says which it is", async () => {
      const journey = await journeys.begin(way);
      const { page } = journey;
      await journey.signIn(await ownerInBoth());
      await expectAt(journey, "Sandbox");
      await journey.open("/console/payments?q=sandbox");
      await page.getByRole("link", { name: "sandbox-1" }).waitFor();
      assert.equal(await page.getByText("live-1").count(), 0);
      await moveTo(journey, "Live");
      // The list again, without the filter that was about the other.
      await page.getByRole("link", { name: "live-1" }).waitFor();
      assert.equal(await page.getByText("sandbox-1").count(), 0);
      await journey.expectFine("payments-live");
      await journey.follow("live-1");
      await journey.expectHeading("TTD 105.20");
      await moveTo(journey, "Sandbox");
      // Of a record, which the other does not have, to its list.
      await journey.expectHeading("Payments");
      await page.getByRole("link", { name: "sandbox-1" }).waitFor();
      await journey.signOut();
      await journey.end();
    });

    test("a form of the sandbox moves no live money, nor one of live the sandbox's", async () => {
      const owner = await ownerInBoth();
      const before = await fundsOfBoth(owner);
      const journey = await journeys.begin(way);
      await journey.signIn(owner);
      const other = await journeys.beside(journey);
      for (const to of ["Live", "Sandbox"] as const) {
        await journey.open("/console/withdrawals/new");
        await journey.page.getByLabel("Amount").fill("100");
        await other.open("/console");
        await moveTo(other, to);
        await journey.press("Withdraw");
        await journey.expectText(STALE);
        await journey.expectFine("stale-form");
      }
      assert.deepEqual(await fundsOfBoth(owner), before);
      await journey.end();
    });

    test("a list that was left open takes nothing from the other", async () => {
      const journey = await journeys.begin(way);
      const { page } = journey;
      await journey.signIn(await ownerInBoth());
      await journey.open("/console/payments");
      const other = await journeys.beside(journey);
      await other.open("/console");
      await moveTo(other, "Live");
      const search = page.getByRole("searchbox", { name: "Search payments" });
      await search.fill("sandbox-1");
      await search.press("Enter");
      // All of the page is of one environment, the band included.
      await journey.expectText("Nothing found");
      await expectAt(journey, "Live");
      await journey.end();
    });
  });

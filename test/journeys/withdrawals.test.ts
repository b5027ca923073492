/**
 * Somebody withdraws and cancels in a real browser, on a phone and a large screen, with and without
 * scripts;
 * a main merchant pays a list; a card is deleted. No page breaks its policy or shuts anybody out.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { csvLine } from "../../src/kit/csv.ts";
import { JOURNEY_WAYS, startJourneys } from "../../testkit/journey-ways.ts";
import { openShop, verifiedCard } from "../../testkit/trusted-cards.ts";
import { fundsOf, openOwner, SUB_BANKED } from "../../testkit/withdrawals.ts";

const journeys = await startJourneys();
const { service } = journeys;
after(() => journeys.close());

for (const way of JOURNEY_WAYS) {
  test(`withdraw and cancel ${way.name}`, async () => {
    const owner = await openOwner(service, "merchant", { funds: "500.00 TTD" });
    const journey = await journeys.begin(way);
    const { page } = journey;
    await journey.signIn(owner);
    await journey.open("/console/withdrawals");
    await journey.expectFine("withdrawals");
    await page.getByRole("main").getByRole("link", { name: "Withdraw" }).first().click();
    await page.getByLabel("Amount").fill("600");
    await journey.press("Withdraw");
    await journey.expectText("Insufficient funds");
    await journey.expectFine("withdraw-refused");
    await page.getByLabel("Amount").fill("100");
    await journey.press("Withdraw");
    await journey.expectHeading("Withdrawal of TTD 100.00");
    await page.getByText("Pending", { exact: true }).first().waitFor();
    assert.equal(await fundsOf(service, owner), "395.00 + 105.00");
    await journey.expectFine("withdrawal");
    await journey.press("Cancel");
    await journey.expectText("The withdrawal has been cancelled");
    assert.equal(await page.getByRole("button", { name: "Cancel" }).count(), 0);
    assert.equal(await fundsOf(service, owner), "500.00 + 0.00");
    await journey.end();
  });

  test(`a list of payees is uploaded, read and paid ${way.name}`, async () => {
    const main = await openOwner(service, "mainMerchant", { funds: "500.00 TTD" });
    const journey = await journeys.begin(way);
    await journey.signIn(main);
    const { environment: _, ...payee } = SUB_BANKED;
    const columns = Object.keys(payee);
    const rows = [columns, columns.map((name) => String(payee[name]))];
    const buffer = Buffer.from(rows.map(csvLine).join(""));
    await journey.open("/console/withdrawals");
    await journey.follow("Pay a list");
    await journey.expectFine("pay-a-list");
    const file = journey.page.getByLabel("CSV file");
    await file.setInputFiles({ name: "payees.csv", mimeType: "text/csv", buffer });
    await journey.press("Check the file");
    await journey.expectText("Pay 1 payee?");
    await journey.expectFine("list-checked");
    await journey.press("Pay");
    await journey.expectText("All payments of the list were requested");
    assert.equal(await fundsOf(service, main), "395.00 + 105.00");
    await journey.end();
  });

  test(`a card is deleted ${way.name}`, async () => {
    const shop = await openShop(service);
    await verifiedCard(service, { shop });
    const journey = await journeys.begin(way);
    await journey.signIn(shop);
    await journey.open("/console/cards");
    await journey.expectFine("cards");
    await journey.follow("Visa •••• 1111");
    await journey.confirm("Delete");
    await journey.expectText("The card has been deleted");
    await journey.expectText("No cards yet");
    await journey.end();
  });
}

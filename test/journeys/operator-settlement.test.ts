/**
 * Somebody of the operator uploads the acquirer's settlement report: what agrees is matched, what
 * differs is shown with its payment, and the page of the settlement says what is owed.
 */

import { after, before, describe, test } from "node:test";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { JOURNEY_WAYS, type Journeys, startJourneys } from "../../testkit/journey-ways.ts";
import { makeOperator } from "../../testkit/operator-console.ts";
import { lineOf, reportOf, sell } from "../../testkit/settlements.ts";
import { openShop } from "../../testkit/transactions.ts";
import { signInAsOperator } from "./operator-sign-in.ts";

let journeys: Journeys;
before(async () => {
  journeys = await startJourneys();
});
after(async () => {
  await expectBooksToBalance(journeys.service.ctx.db);
  await journeys.close();
});

describe("a settlement report", () => {
  for (const way of JOURNEY_WAYS)
    test(`is uploaded, and what differs is shown ${way.name}`, async () => {
      const { service } = journeys;
      const who = await makeOperator(service, "finance");
      const shop = await openShop(service);
      const [right, wrong] = [await sell(service, shop), await sell(service, shop)];
      const journey = await journeys.begin(way);
      const { page } = journey;
      const upload = async (text: string) => {
        await journey.open("/operator/settlement");
        await journey.follow("Import a report");
        await page
          .getByLabel("File")
          .setInputFiles({ name: "report.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
        await page.getByLabel("Reason").fill("the report of Monday");
        await journey.press("Import a report");
      };
      await signInAsOperator(service, journey, who, "/operator/settlement");
      await journey.expectHeading("Settlement");
      await upload("this is, no report\n");
      await page.getByRole("alert").waitFor();
      await journey.expectFine("operator-settlement-refused");
      const { paid, reference } = wrong;
      const less = lineOf(paid, { identifier: reference, amount: "95.20" });
      await upload(reportOf([right.line, less]));
      await journey.expectHeading("Somebody has to look at this");
      await journey.expectText("2 lines: 2 new, 1 matched, 1 differ, 0 unknown.");
      await page.getByRole("link", { name: paid.transaction_id }).waitFor();
      await journey.expectText("TTD 95.20");
      await journey.expectFine("operator-settlement-differs");
      await journey.follow("Go on");
      await journey.expectHeading("Settlement");
      await journey.expectText("Differs");
      await journey.expectFine("operator-settlement-lines");
      await upload(reportOf([right.line]));
      await journey.expectHeading("Done");
      await journey.expectText("1 lines: 0 new, 1 matched, 0 differ, 0 unknown.");
      await journey.end();
    });
});

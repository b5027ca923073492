/** Pages of the operator that no other journey opens: no barrier, and they fit every screen. */

import { after, before, test } from "node:test";
import { JOURNEY_WAYS, type Journeys, startJourneys } from "../../testkit/journey-ways.ts";
import { makeOperator } from "../../testkit/operator-console.ts";
import { signInAsOperator } from "./operator-sign-in.ts";

let journeys: Journeys;
before(async () => {
  journeys = await startJourneys();
});
after(() => journeys.close());

test("have no barrier, and fit a phone and a desktop", async () => {
  const who = await makeOperator(journeys.service);
  for (const way of JOURNEY_WAYS.filter(({ hasScripts }) => hasScripts)) {
    const journey = await journeys.begin(way);
    await journey.open("/operator/sign-in");
    await journey.expectFine("operator-sign-in");
    await signInAsOperator(journeys.service, journey, who);
    for (const path of [
      "accounts",
      "bank-files",
      "health",
      "reconciliation",
      "settlement",
      "audit",
      "operators",
      "me",
      "me/password",
      "actions/open-account",
      "uploads/read-bank-status",
    ]) {
      await journey.open(`/operator/${path}`);
      await journey.expectFine(`operator-${path.replaceAll("/", "-")}`);
    }
    await journey.end();
  }
});

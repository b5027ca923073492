/**
 * An operator sets up an authenticator app at the first sign-in, adds a passkey, signs in and
 * proves with it, and keeps the last second factor; without JavaScript all but the passkey, which
 * browsers give to scripts only (Decision 0118).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import {
  JOURNEY_WAYS,
  type Journey,
  type Journeys,
  SCRIPTED_WAYS,
  startJourneys,
} from "../../testkit/journey-ways.ts";
import { makeOperator, type TestOperator } from "../../testkit/operator-console.ts";
import { forgetCodes } from "../../testkit/second-factors.ts";
import { fromBase32, totpCode } from "../../testkit/totp.ts";
import { addPasskeyDevice } from "../../testkit/virtual-authenticator.ts";
import { PASSWORD } from "../../testkit/world.ts";
import { signInAsOperator } from "./operator-sign-in.ts";

let journeys: Journeys;
before(async () => {
  journeys = await startJourneys();
});
after(() => journeys.close());

async function givePassword({ page, ...journey }: Journey, { email }: TestOperator) {
  await journey.open("/operator/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await journey.press("Sign in");
}

async function signOut({ page, ...journey }: Journey) {
  await page.locator("details.menu summary").click();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await journey.expectText("You are signed out.");
}

describe("the first sign-in", () => {
  for (const way of JOURNEY_WAYS)
    test(`sets up an app ${way.name}, which signs in from then on`, async () => {
      const { service, url } = journeys;
      const who = await makeOperator(service, "support", { hasFactor: false });
      const journey = await journeys.begin(way);
      const { page } = journey;
      await givePassword(journey, who);
      await page.waitForURL(`${url}/operator/set-up`);
      await journey.expectFine("operator-set-up");
      const secret = (await page.locator("#secret").innerText()).replaceAll(" ", "");
      const code = () => totpCode(fromBase32(secret));
      await page.getByLabel("Code").fill("000000");
      await page.locator("main button").last().click();
      await page.getByRole("alert").getByText("That is not the app's code.").waitFor();
      await page.getByLabel("Code").fill(code());
      await page.locator("main button").last().click();
      await journey.expectHeading("What waits");
      await forgetCodes(service);
      await signOut(journey);
      await givePassword(journey, who);
      await journey.expectHeading("One more step");
      await journey.expectFine("operator-one-more-step");
      await page.getByLabel("Code").fill(code());
      await journey.press("Sign in");
      await journey.expectHeading("What waits");
      await journey.end();
    });
});

describe("a passkey", () => {
  for (const way of SCRIPTED_WAYS)
    test(`is added, signs in, proves, and stays as the last factor ${way.name}`, async () => {
      const { service, url } = journeys;
      const who = await makeOperator(service);
      const journey = await journeys.begin(way);
      const { page } = journey;
      await addPasskeyDevice(page);
      await signInAsOperator(service, journey, who, "/operator/me");
      await journey.follow("Add a passkey");
      await page.getByLabel("Name").fill("My laptop");
      await journey.expectFine("operator-add-passkey");
      await journey.press("Add passkey");
      await page.getByRole("link", { name: "My laptop" }).waitFor();
      await journey.expectFine("operator-profile");
      await signOut(journey);

      await givePassword(journey, who);
      await journey.expectHeading("One more step");
      await journey.open("/operator/accounts");
      await page.waitForURL("**/operator/sign-in?next=*");
      await givePassword(journey, who);
      await journey.press("Use a passkey");
      await page.waitForURL(`${url}/operator`);

      await journey.open("/operator/me/authenticator");
      await journey.press("Remove");
      await journey.expectText("My laptop");
      await service.ctx.db.run(sql`
        update operator_sessions set proven_at = proven_at - interval '6 minutes'
        where person_id = ${who.personId}`);
      await journey.follow("My laptop");
      await journey.expectHeading("Confirm that it is you");
      await journey.expectFine("operator-prove");
      await journey.press("Use a passkey");
      await journey.expectHeading("My laptop");
      await journey.press("Remove");
      await journey.expectText("This is your only second factor. Add another one first.");
      await journey.expectFine("operator-last-factor");
      const { count } = await service.ctx.db.one<{ count: number }>(sql`
        select count(*)::int as count from passkeys where person_id = ${who.personId}`);
      assert.equal(count, 1);
      await journey.end();
    });
});

/**
 * A person adds a passkey and an authenticator app in a browser, signs in with each, and with a
 * recovery code when both are lost; on a phone and a desktop, and without JavaScript all but the
 * passkey, which browsers give to scripts only (Decision 0090).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import decodeQr from "qr/decode.js";
import sharp from "sharp";
import {
  JOURNEY_WAYS,
  type Journey,
  SCRIPTED_WAYS,
  startJourneys,
} from "../../testkit/journey-ways.ts";
import { forgetCodes } from "../../testkit/second-factors.ts";
import { fromBase32, totpCode } from "../../testkit/totp.ts";
import { addPasskeyDevice } from "../../testkit/virtual-authenticator.ts";
import { PASSWORD } from "../../testkit/world.ts";

const journeys = await startJourneys();
const { service, url } = journeys;
after(() => journeys.close());

/** As a phone reads it from the screen. */
async function readQr(page: Page): Promise<URL> {
  const picture = await page.getByRole("img", { name: /as a picture/ }).screenshot();
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  return new URL(decodeQr({ width: info.width, height: info.height, data: new Uint8Array(data) }));
}

async function setUpApp(journey: Journey): Promise<() => string> {
  const { page } = journey;
  await journey.open("/console/me");
  await journey.follow("Set up an app");
  await journey.expectHeading("Set up an authenticator app");
  const uri = await readQr(page);
  const secret = uri.searchParams.get("secret") ?? "";
  assert.equal(uri.protocol, "otpauth:");
  assert.equal(uri.searchParams.get("issuer"), "Windward");
  const typed = await page.locator("#secret").innerText();
  assert.equal(typed.replaceAll(" ", ""), secret, "the text and the picture say the same");
  await journey.expectFine("set-up-app");
  await page.getByLabel("Code").fill("000000");
  await journey.press("Set up");
  await page.getByRole("alert").getByText("That is not the app's code.").waitFor();
  await journey.expectFine("set-up-app-problem");
  const code = () => totpCode(fromBase32(secret));
  await page.getByLabel("Code").fill(code());
  await journey.press("Set up");
  await journey.expectText("The authenticator app has been set up.");
  await forgetCodes(service);
  return code;
}

async function makeCodes(journey: Journey): Promise<string[]> {
  const { page } = journey;
  await journey.expectHeading("Make recovery codes");
  await journey.expectFine("make-codes");
  await journey.press("Make codes");
  await journey.expectHeading("Your recovery codes");
  await journey.expectFine("codes");
  const codes = (await page.locator("pre code").innerText()).split("\n");
  assert.equal(codes.length, 10);
  await journey.follow("I have saved them");
  await journey.expectText("10 of 10 left");
  return codes;
}

describe("passkeys", () => {
  for (const way of SCRIPTED_WAYS)
    test(`one is added, signs in and proves ${way.name}`, async () => {
      const journey = await journeys.begin(way);
      const { page } = journey;
      const who = await service.world.merchant();
      await addPasskeyDevice(page);
      await journey.signIn(who);
      await journey.open("/console/me");
      await journey.expectText("Your password alone opens this account");
      await journey.expectFine("profile-bare");
      await journey.follow("Add a passkey");
      await page.getByLabel("Name").fill("My phone");
      await journey.expectFine("add-passkey");
      await journey.press("Add passkey");
      await journey.expectText("The passkey has been added.");
      await makeCodes(journey);
      await page.getByRole("link", { name: "My phone" }).waitFor();
      await journey.expectFine("profile");
      await journey.open("/console/me/passkeys/new");
      await page.getByLabel("Name").fill("Twice");
      await journey.press("Add passkey");
      await journey.expectText("This device already has a passkey of yours.");
      await journey.signOut();

      await journey.giveCredentials(who);
      await journey.expectHeading("One more step");
      await journey.expectFine("one-more-step-passkey");
      await journey.open("/console/me");
      await journey.expectHeading("Sign in");
      await journey.giveCredentials(who);
      await journey.press("Use a passkey");
      await page.waitForURL(`${url}/console`);

      await service.clock.advance({ minutes: 6 });
      await journey.open("/console/me/passkeys/new");
      await journey.expectHeading("Confirm that it is you");
      await journey.expectFine("prove");
      await journey.press("Use a passkey");
      await journey.expectHeading("Add a passkey");
      await journey.open("/console/me");
      await journey.follow("My phone");
      await journey.expectFine("one-passkey");
      await journey.press("Remove passkey");
      await journey.expectText("The passkey has been removed.");
      await journey.end();
    });
});

describe("an authenticator app and recovery codes", () => {
  for (const way of JOURNEY_WAYS)
    test(`sign in ${way.name}`, async () => {
      const journey = await journeys.begin(way);
      const { page } = journey;
      const who = await service.world.merchant();
      await journey.signIn(who);
      const code = await setUpApp(journey);
      const [recovery = ""] = await makeCodes(journey);
      await journey.signOut();

      await journey.giveCredentials(who);
      await journey.expectHeading("One more step");
      await journey.expectFine("one-more-step");
      const used = code();
      await page.getByLabel("Code").fill(used);
      await journey.press("Sign in");
      await page.waitForURL(`${url}/console`);
      await journey.signOut();

      await journey.giveCredentials(who);
      await page.getByLabel("Code").fill(used);
      await journey.press("Sign in");
      await page.getByRole("alert").getByText("it was used before").waitFor();
      await journey.expectFine("one-more-step-problem");
      await journey.follow("Use a recovery code");
      await journey.expectFine("recovery-code");
      await page.getByLabel("Recovery code").fill(recovery);
      await journey.press("Sign in");
      await page.waitForURL(`${url}/console`);
      await journey.open("/console/me");
      await journey.expectText("9 of 10 left");
      await journey.signOut();
      await journey.giveCredentials(who);
      await journey.follow("Use a recovery code");
      await page.getByLabel("Recovery code").fill(recovery);
      await journey.press("Sign in");
      await page.getByRole("alert").getByText("it was used before").waitFor();
      await journey.end();
    });
});

describe("the profile", () => {
  for (const way of JOURNEY_WAYS)
    test(`proves with the password, ends sessions and changes the password ${way.name}`, async () => {
      const who = await service.world.merchant();
      const [journey, other] = [await journeys.begin(way), await journeys.begin(way)];
      const { page } = journey;
      await other.signIn(who);
      await journey.signIn(who);
      await service.clock.advance({ minutes: 6 });
      await journey.open("/console/me");
      await journey.follow("Set up an app");
      await journey.expectHeading("Confirm that it is you");
      await page.getByLabel("Password").fill("not my password");
      await journey.press("Continue");
      await page.getByRole("alert").getByText("That is not your password.").waitFor();
      await journey.expectFine("prove-problem");
      await page.getByLabel("Password").fill(PASSWORD);
      await journey.press("Continue");
      await journey.expectHeading("Set up an authenticator app");

      await journey.open("/console/me");
      await journey.expectFine("sessions");
      await journey.press("Sign out everywhere else");
      await journey.expectText("You are signed out everywhere else.");
      await other.open("/console");
      await other.expectHeading("Sign in");

      await journey.follow("Change password");
      await journey.expectFine("change-password");
      const fill = async (old: string) => {
        await page.getByLabel("Old password").fill(old);
        await page.getByLabel("New password").fill("battery staple");
        await page.getByLabel("Confirm the password").fill("battery staple");
        await journey.press("Change password");
      };
      await fill("wrong password");
      await page.getByRole("alert").getByText("That is not your password.").waitFor();
      await journey.expectFine("change-password-problem");
      await fill(PASSWORD);
      await journey.expectText("Your password has been changed.");
      await journey.expectFine("changed-password");
      await journey.end();
      await other.end();
    });
});

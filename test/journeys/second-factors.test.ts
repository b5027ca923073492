/**
 * A person adds a passkey and an authenticator app in a browser, signs in with each, and with a
 * recovery code when both are lost; on a phone and a desktop, and without JavaScript all but the
 * passkey (Decision 0090).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import decodeQr from "qr/decode.js";
import sharp from "sharp";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";
import { freePort } from "../../testkit/free-port.ts";
import { forgetCodes } from "../../testkit/second-factors.ts";
import { startService } from "../../testkit/service.ts";
import { fromBase32, totpCode } from "../../testkit/totp.ts";
import { PASSWORD } from "../../testkit/world.ts";

const port = await freePort();
const service = await startService({ settings: { PORT: String(port) } });
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service.stop();
});

/** Passkeys belong to a name. */
const url = `http://localhost:${port}`;

const WAYS: [string, BrowserContextOptions][] = [
  ["on a phone", PHONE],
  ["on a desktop, in the dark", { ...DESKTOP, colorScheme: "dark" }],
];

/** With its picture, where they are wanted. */
async function expectFine(page: Page, name: string, options: BrowserContextOptions) {
  if (options.javaScriptEnabled ?? true) assert.deepEqual(await axeViolations(page), [], name);
  const width = page.viewportSize()?.width ?? 0;
  const needed = await page.locator("html").evaluate((root) => root.scrollWidth);
  assert(needed <= width, `${name} is ${needed} wide, on a screen of ${width}`);
  const { SCREENSHOTS } = process.env;
  const way = `${width}-${options.colorScheme ?? "light"}`;
  if (SCREENSHOTS === undefined) return;
  await page.screenshot({ path: `${SCREENSHOTS}/${name}-${way}.png`, fullPage: true });
}

/** The browser itself remarks on the statuses of refused forms. */
const unexpected = (wrong: readonly string[]) =>
  wrong.filter((line) => !/status of (404|422)/.test(line));
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

async function giveCredentials(page: Page, who: { email: string }): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await press(page, "Sign in");
}

async function signOut(page: Page): Promise<void> {
  await page.locator("details.menu summary").click();
  await press(page, "Sign out");
  await page.getByText("You are signed out.").waitFor();
}

async function addDevice(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** As a phone reads it from the screen. */
async function readQr(page: Page): Promise<URL> {
  const picture = await page.getByRole("img", { name: /as a picture/ }).screenshot();
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  return new URL(decodeQr({ width: info.width, height: info.height, data: new Uint8Array(data) }));
}

async function setUpApp(page: Page, options: BrowserContextOptions): Promise<() => string> {
  await page.goto(`${url}/console/me`);
  await page.getByRole("link", { name: "Set up an app" }).click();
  await heading(page, "Set up an authenticator app").waitFor();
  const uri = await readQr(page);
  const secret = uri.searchParams.get("secret") ?? "";
  assert.equal(uri.protocol, "otpauth:");
  assert.equal(uri.searchParams.get("issuer"), "Windward");
  const typed = await page.locator("#secret").innerText();
  assert.equal(typed.replaceAll(" ", ""), secret, "the text and the picture say the same");
  await expectFine(page, "set-up-app", options);
  await page.getByLabel("Code").fill("000000");
  await press(page, "Set up");
  await page.getByRole("alert").getByText("That is not the app's code.").waitFor();
  await expectFine(page, "set-up-app-problem", options);
  const code = () => totpCode(fromBase32(secret));
  await page.getByLabel("Code").fill(code());
  await press(page, "Set up");
  await page.getByText("The authenticator app has been set up.").waitFor();
  await forgetCodes(service);
  return code;
}

async function makeCodes(page: Page, options: BrowserContextOptions): Promise<string[]> {
  await heading(page, "Make recovery codes").waitFor();
  await expectFine(page, "make-codes", options);
  await press(page, "Make codes");
  await heading(page, "Your recovery codes").waitFor();
  await expectFine(page, "codes", options);
  const codes = (await page.locator("pre code").innerText()).split("\n");
  assert.equal(codes.length, 10);
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.getByText("10 of 10 left").waitFor();
  return codes;
}

describe("passkeys", () => {
  for (const [way, options] of WAYS)
    test(`one is added, signs in and proves ${way}`, async () => {
      const page = await browser.page(options);
      const wrong = complaintsAbout(page);
      const who = await service.world.merchant();
      await addDevice(page);
      await giveCredentials(page, who);
      await page.goto(`${url}/console/me`);
      await page.getByText("Your password alone opens this account").waitFor();
      await expectFine(page, "profile-bare", options);
      await page.getByRole("link", { name: "Add a passkey" }).click();
      await page.getByLabel("Name").fill("My phone");
      await expectFine(page, "add-passkey", options);
      await press(page, "Add passkey");
      await page.getByText("The passkey has been added.").waitFor();
      await makeCodes(page, options);
      await page.getByRole("link", { name: "My phone" }).waitFor();
      await expectFine(page, "profile", options);
      await page.goto(`${url}/console/me/passkeys/new`);
      await page.getByLabel("Name").fill("Twice");
      await press(page, "Add passkey");
      await page.getByText("This device already has a passkey of yours.").waitFor();
      await signOut(page);

      await giveCredentials(page, who);
      await heading(page, "One more step").waitFor();
      await expectFine(page, "one-more-step-passkey", options);
      await page.goto(`${url}/console/me`);
      await heading(page, "Sign in").waitFor();
      await giveCredentials(page, who);
      await press(page, "Use a passkey");
      await page.waitForURL(`${url}/console`);

      await service.clock.advance({ minutes: 6 });
      await page.goto(`${url}/console/me/passkeys/new`);
      await heading(page, "Is it still you?").waitFor();
      await expectFine(page, "prove", options);
      await press(page, "Use a passkey");
      await heading(page, "Add a passkey").waitFor();
      await page.goto(`${url}/console/me`);
      await page.getByRole("link", { name: "My phone" }).click();
      await expectFine(page, "one-passkey", options);
      await press(page, "Remove passkey");
      await page.getByText("The passkey has been removed.").waitFor();
      assert.deepEqual(unexpected(wrong), []);
      await page.context().close();
    });
});

describe("an authenticator app and recovery codes", () => {
  for (const [way, options] of [
    ...WAYS,
    ["on a phone without JavaScript", { ...PHONE, javaScriptEnabled: false }] as const,
  ])
    test(`sign in ${way}`, async () => {
      const page = await browser.page(options);
      const wrong = complaintsAbout(page);
      const who = await service.world.merchant();
      await giveCredentials(page, who);
      const code = await setUpApp(page, options);
      const [recovery = ""] = await makeCodes(page, options);
      await signOut(page);

      await giveCredentials(page, who);
      await heading(page, "One more step").waitFor();
      await expectFine(page, "one-more-step", options);
      const used = code();
      await page.getByLabel("Code").fill(used);
      await press(page, "Sign in");
      await page.waitForURL(`${url}/console`);
      await signOut(page);

      await giveCredentials(page, who);
      await page.getByLabel("Code").fill(used);
      await press(page, "Sign in");
      await page.getByRole("alert").getByText("it was used before").waitFor();
      await expectFine(page, "one-more-step-problem", options);
      await page.getByRole("link", { name: "Use a recovery code" }).click();
      await expectFine(page, "recovery-code", options);
      await page.getByLabel("Recovery code").fill(recovery);
      await press(page, "Sign in");
      await page.waitForURL(`${url}/console`);
      await page.goto(`${url}/console/me`);
      await page.getByText("9 of 10 left").waitFor();
      await signOut(page);
      await giveCredentials(page, who);
      await page.getByRole("link", { name: "Use a recovery code" }).click();
      await page.getByLabel("Recovery code").fill(recovery);
      await press(page, "Sign in");
      await page.getByRole("alert").getByText("it was used before").waitFor();
      assert.deepEqual(unexpected(wrong), []);
      await page.context().close();
    });
});

describe("the profile", () => {
  for (const [way, options] of [
    ["on a desktop", DESKTOP],
    ["on a phone without JavaScript", { ...PHONE, javaScriptEnabled: false }],
  ] as const)
    test(`proves with the password, ends sessions and changes the password ${way}`, async () => {
      const who = await service.world.merchant();
      const [page, other] = [await browser.page(options), await browser.page(options)];
      await giveCredentials(other, who);
      await giveCredentials(page, who);
      await service.clock.advance({ minutes: 6 });
      await page.goto(`${url}/console/me`);
      await page.getByRole("link", { name: "Set up an app" }).click();
      await heading(page, "Is it still you?").waitFor();
      await page.getByLabel("Password").fill("not my password");
      await press(page, "Continue");
      await page.getByRole("alert").getByText("That is not your password.").waitFor();
      await expectFine(page, "prove-problem", options);
      await page.getByLabel("Password").fill(PASSWORD);
      await press(page, "Continue");
      await heading(page, "Set up an authenticator app").waitFor();

      await page.goto(`${url}/console/me`);
      await expectFine(page, "sessions", options);
      await press(page, "Sign out everywhere else");
      await page.getByText("You are signed out everywhere else.").waitFor();
      await other.goto(`${url}/console`);
      await heading(other, "Sign in").waitFor();

      await page.getByRole("link", { name: "Change password" }).click();
      await expectFine(page, "change-password", options);
      const fill = async (old: string) => {
        await page.getByLabel("Old password").fill(old);
        await page.getByLabel("New password").fill("battery staple");
        await page.getByLabel("Confirm the password").fill("battery staple");
        await press(page, "Change password");
      };
      await fill("wrong password");
      await page.getByRole("alert").getByText("That is not your password.").waitFor();
      await expectFine(page, "change-password-problem", options);
      await fill(PASSWORD);
      await page.getByText("Your password has been changed.").waitFor();
      await expectFine(page, "changed-password", options);
      await page.context().close();
      await other.context().close();
    });
});

/**
 * How a person comes to the console in a browser test: with a phone and with a desktop, each with
 * and without scripts. What all journeys do alike is here: signing in, pressing buttons, and the
 * checks that a page has no barrier, fits the screen and breaks no rule of its policy.
 */

import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
  type TestBrowser,
} from "./browser.ts";
import { freePort } from "./free-port.ts";
import { startService, type TestService } from "./service.ts";
import { PASSWORD } from "./world.ts";

export interface Way {
  readonly name: string;
  readonly options: BrowserContextOptions;
  readonly hasScripts: boolean;
}

const SMALL: BrowserContextOptions = { ...PHONE, viewport: { width: 390, height: 844 } };
/** The one in the dark has the scripts that axe needs. */
const LARGE: BrowserContextOptions = { ...DESKTOP, colorScheme: "dark" };

export const JOURNEY_WAYS: readonly Way[] = [
  { name: "on a phone", options: SMALL, hasScripts: true },
  { name: "on a desktop", options: LARGE, hasScripts: true },
  { name: "on a phone without JavaScript", options: without(SMALL), hasScripts: false },
  { name: "on a desktop without JavaScript", options: without(LARGE), hasScripts: false },
];

/** For passkeys, which browsers give to scripts only. */
export const SCRIPTED_WAYS = JOURNEY_WAYS.filter(({ hasScripts }) => hasScripts);

function without(options: BrowserContextOptions): BrowserContextOptions {
  return { ...options, javaScriptEnabled: false };
}

export interface Journeys {
  readonly service: TestService;
  readonly browser: TestBrowser;
  /** By name, because passkeys belong to one; links in mails lead there, too. */
  readonly url: string;
  begin(way: Way): Promise<Journey>;
  /** The same browser with another tab. */
  beside(journey: Journey): Promise<Journey>;
  close(): Promise<void>;
}

export async function startJourneys(settings: Record<string, string> = {}): Promise<Journeys> {
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const service = await startService({ settings: { PORT: port, PUBLIC_URL: url, ...settings } });
  const browser = await startBrowser();
  return {
    service,
    browser,
    url,
    begin: async (way) => journeyOf(await browser.page(way.options), way, url),
    beside: async (journey) => journeyOf(await journey.page.context().newPage(), journey, url),
    async close() {
      await browser.close();
      await service.stop();
    },
  };
}

export interface Journey {
  readonly page: Page;
  readonly hasScripts: boolean;
  open(path: string): Promise<void>;
  /** E-mail and password into the form; where that leads is for the journey to say. */
  giveCredentials(who: { readonly email: string; readonly password?: string }): Promise<void>;
  signIn(who: { readonly email: string; readonly password?: string }): Promise<void>;
  signOut(): Promise<void>;
  /**
   * The first button of this name in the page's content. Where scripts run, that of a form about
   * money names the amount that is typed.
   */
  press(name: string): Promise<void>;
  follow(name: string | RegExp): Promise<void>;
  /** Presses again in the dialog that opens, or without scripts on the page that follows. */
  confirm(name: string): Promise<void>;
  expectHeading(name: string | RegExp): Promise<void>;
  expectText(text: string | RegExp): Promise<void>;
  /** `name`: of its picture, where `SCREENSHOTS` names a folder for them. */
  expectFine(name: string): Promise<void>;
  /** Nothing went wrong in the browser, but for what a journey leads it to. */
  end(): Promise<void>;
}

/** A refusal, on which the browser remarks; the stream of a page whose session has ended. */
const EXPECTED = /status of 4\d\d|^EventSource's response has a MIME type \("text\/html"\)/;

function journeyOf(page: Page, { hasScripts }: Pick<Way, "hasScripts">, url: string): Journey {
  const wrong = complaintsAbout(page);
  const main = page.locator("main");
  const journey: Journey = {
    page,
    hasScripts,
    open: async (path) => void (await page.goto(url + path)),
    async giveCredentials({ email, password = PASSWORD }) {
      await journey.open("/sign-in");
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill(password);
      await journey.press("Sign in");
    },
    async signIn(who) {
      await journey.giveCredentials(who);
      await page.waitForURL("**/console**");
    },
    async signOut() {
      await page.locator("details.menu summary").click();
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await journey.expectText("You are signed out.");
    },
    press: (name) => main.getByRole("button", { name, exact: true }).first().click(),
    follow: (name) => page.getByRole("link", { name }).first().click(),
    async confirm(name) {
      await journey.press(name);
      const within = hasScripts ? page.locator("dialog[open]") : main;
      await within.getByRole("button", { name, exact: true }).click();
    },
    expectHeading: (name) => page.getByRole("heading", { level: 1, name }).waitFor(),
    expectText: (text) => page.getByText(text).first().waitFor(),
    expectFine: (name) => expectFine(page, { name, hasScripts }),
    async end() {
      assert.deepEqual(
        wrong.filter((line) => !EXPECTED.test(line)),
        [],
      );
      await page.context().close();
    },
  };
  return journey;
}

async function expectFine(
  page: Page,
  { name, hasScripts }: { readonly name: string; readonly hasScripts: boolean },
): Promise<void> {
  if (hasScripts) assert.deepEqual(await axeViolations(page), [], name);
  const width = page.viewportSize()?.width ?? 0;
  const needed = await page.locator("html").evaluate((root) => root.scrollWidth);
  assert(needed <= width, `${name} is ${needed} wide, on a screen of ${width}`);
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS === undefined || !hasScripts) return;
  await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}.png`, fullPage: true });
}

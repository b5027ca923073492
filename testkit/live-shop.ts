/**
 * A shop whose live payments go through PowerTranz's fake: its cards, and the way through the
 * payment page to the bank's page, which stands in a frame of a frame.
 */

import assert from "node:assert/strict";
import type { BrowserContextOptions, FrameLocator, Page } from "playwright-core";
import { axeViolations } from "./browser.ts";
import { type PowertranzFake, startPowertranzFake } from "./powertranz/fake.ts";
import { assertFakeInvariant } from "./powertranz/invariant.ts";
import { openShop, pay, type Shop } from "./shop.ts";

export const LIVE_CARD = {
  challenged: "4012000000020006",
  frictionless: "4012000000020071",
  fingerprinted: "4012010000020070",
  fingerprintedAndChallenged: "4012010000020005",
  /** Its bank says no, whatever is typed. */
  neverAuthenticated: "5100270000000056",
} as const;

type PageKind = "full" | "simple";

export interface LiveShop extends Shop {
  readonly fake: PowertranzFake;
  /** A page on which a card was submitted: the full one, or the simple one in the shop's frame. */
  payWith(
    number: string,
    kind: PageKind,
    options: BrowserContextOptions,
  ): Promise<{ page: Page; at: Page | FrameLocator; url: string; transactionId: string }>;
  /** What the gateway has of a payment, as `status charges`. */
  charges(transactionId: string): Promise<string[]>;
}

export async function openLiveShop(): Promise<LiveShop> {
  const fake = await startPowertranzFake();
  const shop = await openShop({
    POWERTRANZ_URL: fake.url,
    POWERTRANZ_ID: fake.id,
    POWERTRANZ_PASSWORD: fake.password,
    PLAIN_LIVE_RESPONSES: "true",
  });
  const order: Shop["order"] = (fields) => shop.order({ environment: "live", ...fields });
  return {
    ...shop,
    fake,
    order,
    async payWith(number, kind, options) {
      const method = kind === "full" ? "credit_card_co" : "3co_simple";
      const ordered = await order({ method });
      const page = await shop.browser.page(options);
      const framing = `${shop.url}/frame?page=${encodeURIComponent(ordered.url)}`;
      await page.goto(kind === "full" ? ordered.url : framing);
      const at = kind === "full" ? page : page.frameLocator("iframe");
      await pay(at, { number });
      return { page, at, ...ordered };
    },
    async charges(transactionId) {
      const all = await fake.control.transactions();
      const own = all.filter(({ orderIdentifier }) => orderIdentifier.startsWith(transactionId));
      return own.map(({ authentication, chargeCount }) => `${authentication} ${chargeCount}`);
    },
    async close() {
      await assertFakeInvariant(fake, { paymentOf: (id) => id.replace(/-\d$/, "") });
      await shop.close();
      await fake.stop();
    },
  };
}

/** The bank's page: in the gateway's frame, in our document, in the payment page's frame. */
export function bankIn(at: Page | FrameLocator): FrameLocator {
  return at.frameLocator("#bank").frameLocator("#bank");
}

export async function answerBank(at: Page | FrameLocator, password: string): Promise<void> {
  const bank = bankIn(at);
  await bank.getByLabel("Password").fill(password);
  await bank.getByRole("button", { name: "Submit" }).click();
}

/** Where `SCREENSHOTS` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS !== undefined)
    await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
}

/** Nothing to stumble over, nothing too wide. */
export async function inspect(page: Page, name: string): Promise<void> {
  await picture(page, name);
  const wide = await page.locator("html").evaluate((root) => root.scrollWidth);
  const { width = 0 } = page.viewportSize() ?? {};
  assert(wide <= width, `${name} is ${wide} wide`);
  assert.deepEqual(await axeViolations(page), [], name);
}

/** As a browser without scripts shows a page; to look for barriers, axe needs scripts. */
export async function inspectStill(shop: Shop, page: Page, name: string): Promise<void> {
  await picture(page, name);
  const shown = (await page.content())
    .replace(/<script[\s\S]*?<\/script>|<meta http-equiv[^>]*>/g, "")
    .replace(/<\/?noscript>/g, "");
  const copy = await shop.browser.page({ viewport: page.viewportSize() });
  await copy.route(page.url(), (route) =>
    route.fulfill({ contentType: "text/html; charset=utf-8", body: shown }),
  );
  await copy.goto(page.url());
  await inspect(copy, `${name} (copy)`);
  await copy.context().close();
}

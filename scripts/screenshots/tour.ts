/**
 * The animation of README: from a clone to a paid order, as a person sees it, in 20 seconds. Its
 * still is the last picture, for readers who want nothing to move.
 */

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { banner } from "../../src/banner.ts";
import type { Config } from "../../src/infra/config.ts";
import type { TestBrowser } from "../../testkit/browser.ts";

const FOLDER = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const SIZE = { width: 960, height: 600 };
const GREETING = "You were just paid TTD 105.20, and the result verifies";
/** Of the banner: what fits on the picture. */
const BANNER_LINES = 14;
const WRITTEN_BASE = "http://localhost:3000";

interface Frame {
  readonly picture: Buffer;
  readonly ms: number;
}

export async function makeTour(
  browser: TestBrowser,
  { url, config }: { readonly url: string; readonly config: Config },
): Promise<void> {
  const page = await browser.page({ viewport: SIZE });
  const frames: Frame[] = [];
  const show = async (ms: number) => {
    const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
    frames.push({ picture, ms });
  };
  await showTerminal(page, config, show);
  await payAnOrder(page, url, show);
  await page.context().close();
  await sharp(
    frames.map(({ picture }) => picture),
    { join: { animated: true } },
  )
    .webp({ quality: 80, effort: 6, loop: 0, delay: frames.map(({ ms }) => ms) })
    .toFile(`${FOLDER}tour.webp`);
  await sharp(frames.at(-1)?.picture).webp({ quality: 85 }).toFile(`${FOLDER}tour-still.webp`);
}

async function showTerminal(
  page: Page,
  config: Config,
  show: (ms: number) => Promise<void>,
): Promise<void> {
  const address = WRITTEN_BASE;
  const facts = { address, database: "embedded PostgreSQL in .data", hashKey: undefined };
  const started = banner(config, facts).split("\n").slice(0, BANNER_LINES).join("\n");
  const typed = ["git clone …/windward && cd windward", "npm ci && npm start"];
  for (const [text, ms] of [
    [`$ ${typed[0]}`, 1200],
    [`$ ${typed[0]}\n$ ${typed[1]}`, 1500],
    [`$ ${typed[0]}\n$ ${typed[1]}\n${started}`, 3800],
  ] as const) {
    await page.setContent(`<!doctype html><style>
body { margin: 0; padding: 36px 44px; background: #0e1519; color: #e9eff2; }
pre { margin: 0; font: 17px/1.6 ui-monospace, "DejaVu Sans Mono", monospace; }
</style><pre></pre>`);
    await page.locator("pre").evaluate((element, shown) => {
      element.textContent = shown;
    }, text);
    await show(ms);
  }
}

async function payAnOrder(
  page: Page,
  url: string,
  show: (ms: number) => Promise<void>,
): Promise<void> {
  await page.goto(url);
  await show(2500);
  await page.getByRole("button", { name: "Pay a test order" }).focus();
  await show(900);
  await page.getByRole("button", { name: "Pay a test order" }).click();
  await page.waitForURL(/\/checkout\//);
  await show(2000);
  await page.getByLabel("Card number").fill("4111 1111 1111 1111");
  await page.getByLabel("Expiry").fill("12/39");
  await page.getByLabel("Security code").fill("123");
  await page.getByLabel("Name on card").fill("Marisol Baptiste");
  await show(2300);
  await page.getByRole("button", { name: /^Pay/ }).click();
  await page.getByRole("heading", { name: GREETING }).waitFor();
  await page.waitForLoadState("load");
  await show(5800);
}

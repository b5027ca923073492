/**
 * The payment page (P8): what it weighs over the wire with all that it loads, what axe finds, and
 * Lighthouse's marks on a slow phone where Lighthouse is: `LIGHTHOUSE` names the folder of the
 * package, which is too large to come along. Its mark for speed is what the goal is about.
 */

import path from "node:path";
import { pathToFileURL } from "node:url";
import { axeViolations, PHONE, startBrowser, type TestBrowser } from "../../testkit/browser.ts";
import { freePort } from "../../testkit/free-port.ts";
import { say } from "../../testkit/tool/say.ts";
import { openCheckout } from "../support/open-checkout.ts";
import { type Goal, round } from "../support/report.ts";
import type { Outcome, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const BYTES_PER_KB = 1_000;

export const checkoutPage: Scene = { name: "page", play };

async function play(stage: Stage): Promise<Outcome> {
  const port = await freePort();
  const browser = await startBrowser({ flags: [`--remote-debugging-port=${port}`] });
  try {
    const { url } = await openCheckout(stage, { orderId: `page-${Date.now()}` });
    const kilobytes = await weigh(browser, url);
    const violations = await lookWithAxe(browser, url);
    const marks = await askLighthouse(url, port);
    say(`page: ${round(kilobytes)} kB, ${violations.length} violations`);
    return {
      figures: { kilobytes, violations, marks },
      missing: marks === undefined ? "Lighthouse" : undefined,
      goals: [
        goalOf("over the wire", kilobytes, { unit: "kB", goal: { below: 50 } }),
        goalOf("axe", violations.length, { unit: "violations", goal: { below: 1 } }),
        ...Object.entries(marks ?? {}).map(([category, mark]) =>
          goalOf(`Lighthouse, ${category}`, mark, { unit: "of 100", goal: { atLeast: 99 } }),
        ),
      ],
    };
  } finally {
    await browser.close();
  }
}

function goalOf(what: string, measured: number, wanted: Pick<Goal, "unit" | "goal">): Goal {
  return { number: "P8", what: `payment page, ${what}`, measured, ...wanted };
}

async function weigh(browser: TestBrowser, url: string): Promise<number> {
  const page = await browser.page(PHONE);
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await page.context().close();
  return bytes / BYTES_PER_KB;
}

async function lookWithAxe(browser: TestBrowser, url: string): Promise<string[]> {
  const page = await browser.page(PHONE);
  await page.goto(url);
  const violations = await axeViolations(page);
  await page.context().close();
  return violations;
}

/** Its default profile is a slow phone on a slow network. */
async function askLighthouse(
  url: string,
  port: number,
): Promise<Record<string, number> | undefined> {
  const place = process.env.LIGHTHOUSE;
  if (place === undefined) {
    say("Lighthouse is not asked: LIGHTHOUSE does not say where the package is");
    return undefined;
  }
  const entry = pathToFileURL(path.resolve(place, "core/index.js")).href;
  const { default: lighthouse } = await import(entry);
  const onlyCategories = ["performance", "accessibility", "best-practices"];
  const { lhr } = await lighthouse(url, { port, onlyCategories, logLevel: "error" });
  return Object.fromEntries(
    onlyCategories.map((category) => [category, lhr.categories[category].score * 100]),
  );
}

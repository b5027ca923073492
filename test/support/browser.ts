/**
 * A real browser for the tests of pages: the system's Chromium, or the one that comes as a package
 * where there is none. One process for a test file, a fresh profile for each page.
 */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** `BROWSER=package` takes the packaged one wherever it runs. */
const SYSTEM_BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/usr/bin/chromium-browser",
];
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

export interface TestBrowser {
  /** A page with nothing kept from before. It remembers what went wrong in it. */
  page(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

export async function startBrowser({
  flags = [],
}: {
  flags?: readonly string[];
} = {}): Promise<TestBrowser> {
  const folder = await mkdtemp(path.join(tmpdir(), "windward-browser-"));
  const browser = await launch(folder, [...FLAGS, ...flags]);
  return {
    async page(options = DESKTOP) {
      const context = await browser.newContext(options);
      // A page that hangs should say so long before the test does.
      context.setDefaultTimeout(30_000);
      return context.newPage();
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, args: string[]): Promise<Browser> {
  const isPackaged = process.env.BROWSER === "package";
  const found = SYSTEM_BROWSERS.find((each) => !isPackaged && existsSync(each));
  const common = { headless: true, env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder } };
  if (found !== undefined) return chromium.launch({ ...common, executablePath: found, args });
  const { default: packaged } = await import("@sparticuz/chromium");
  // Unpacked into this browser's own folder: test files that start at once would else meet one
  // that is half there.
  const { TMPDIR = tmpdir() } = process.env;
  process.env.TMPDIR = folder;
  const executablePath = await packaged.executablePath();
  process.env.TMPDIR = TMPDIR;
  // Without the package's own flags: one of them puts everything into one process, which ends with
  // the first page that is closed.
  return chromium.launch({ ...common, executablePath, args });
}

/** What the browser finds wrong with a page from now on: broken rules, errors of scripts. */
export function complaintsAbout(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (line) => {
    if (line.type() === "error") complaints.push(line.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

/** What somebody with a screen reader, a keyboard or weak eyes would stumble over. */
export async function axeViolations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (rules.length > 0) axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  );
}

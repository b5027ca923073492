/**
 * A real browser for the tests of pages: a Chromium without a desktop, which comes as a package, at
 * half the work of a whole one. One process for a test file, a fresh profile for each page.
 * `BROWSER=system` takes the machine's own, as measurements do.
 */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type DebianPackage, unpackDebianPackage } from "./debian-package.ts";
import { lazy } from "./lazy.ts";

const SYSTEM_BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/usr/bin/chromium-browser",
];
/** As the package of npm calls it. */
const UNPACKED = "chromium";
/** Where the package of npm does not run: it is made for x64 only. */
const DEBIAN_BROWSER: DebianPackage = {
  name: "chromium-headless-shell",
  program: "usr/lib/chromium/chromium-headless-shell",
  libraries: ["usr/lib/*-linux-gnu/pulseaudio"],
};
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
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder };
  const executablePath = await findBrowser(folder);
  return chromium.launch({ headless: true, env, executablePath, args });
}

async function findBrowser(folder: string): Promise<string> {
  const { BROWSER, TEST_FOLDER } = process.env;
  const isPackaged = BROWSER === undefined ? TEST_FOLDER !== undefined : BROWSER === "package";
  const found = SYSTEM_BROWSERS.find((each) => !isPackaged && existsSync(each));
  if (found !== undefined) return found;
  // Outside of a test run nobody else needs it: it goes with the browser's own folder.
  const unpacked = await (TEST_FOLDER === undefined
    ? unpackBrowser(path.join(folder, "package"))
    : lazy("browser", unpackBrowser));
  return path.join(unpacked, UNPACKED);
}

async function unpackBrowser(place?: string): Promise<string> {
  const folder = place ?? (await mkdtemp(path.join(tmpdir(), "windward-chromium-")));
  await mkdir(folder, { recursive: true });
  if (process.arch === "x64") await unpackNpmBrowser(folder);
  else await unpackDebianPackage(DEBIAN_BROWSER, { folder, launcher: UNPACKED });
  return folder;
}

/**
 * Without the package's own flags: one of them puts everything into one process, which ends with
 * the first page that is closed.
 */
async function unpackNpmBrowser(folder: string): Promise<void> {
  const { default: packaged } = await import("@sparticuz/chromium");
  const { TMPDIR = tmpdir() } = process.env;
  process.env.TMPDIR = folder;
  await packaged.executablePath();
  process.env.TMPDIR = TMPDIR;
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
  // The mode for pages with frames opens a second page to put their findings together.
  axe.setLegacyMode(page.frames().length === 1);
  if (rules.length > 0) axe.withRules([...rules]);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  );
}

/**
 * `npm run screenshots`: the pictures of the console in README and docs/console.md, taken of the
 * service itself with the demo world and three months of generated traffic; the tour of README; the
 * icons of the site. Run it after a change of a page, look at the pictures, and commit them with
 * the change.
 */

import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { DEMO_PASSWORD, seedDemoWorld } from "../src/demo-world.ts";
import { addUpStatements } from "../src/modules/statements/add-up-statements.ts";
import { addUpCounts } from "../src/modules/transactions/add-up-counts.ts";
import { startBrowser, type TestBrowser } from "../testkit/browser.ts";
import { signInTo } from "../testkit/console.ts";
import { freePort } from "../testkit/free-port.ts";
import { setUpApp } from "../testkit/second-factors.ts";
import { startService, type TestService } from "../testkit/service.ts";
import { globalSetup, globalTeardown } from "../testkit/setup.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { names } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say, whenQuiet } from "../testkit/tool/say.ts";
import { makeDeliveries, makeRequests } from "./screenshots/developer-traffic.ts";
import { type Made, PICTURES, type Picture } from "./screenshots/pictures.ts";
import { makeSitePictures } from "./screenshots/site-pictures.ts";
import { makeTour } from "./screenshots/tour.ts";
import { goToFirstDay, makeTraffic } from "./screenshots/traffic.ts";

const FOLDER = fileURLToPath(new URL("../docs/images/", import.meta.url));
const BYTES_MAX = 120_000;
const QUALITIES = [90, 80, 70, 60];
const NOTHING_MADE: Made = { paymentId: "", endpointId: "", requestId: "" };

const { only } = readCommand({
  name: "screenshots",
  about: "Takes the pictures of README and docs/console.md, and makes the icons of the site.",
  takes: "About a minute.",
  options: {
    only: names("the pictures to take, by names or parts of names", [
      ...PICTURES.map(({ name }) => name),
      "site",
      "tour",
    ]),
  },
});

await runTool("screenshots", async (tool) => {
  await tool.keep(globalSetup, globalTeardown);
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const settings = { PORT: port, PUBLIC_URL: url, LIVE_PAYOUTS: "simulator" };
  const service = await tool.keep(
    () => startService({ settings }),
    (started) => started.stop(),
  );
  const browser = await tool.keep(
    () => startBrowser(),
    (started) => started.close(),
  );
  const isWanted = (name: string) => only === undefined || only.includes(name);
  const wanted = PICTURES.filter(({ name }) => isWanted(name));
  if (isWanted("site")) await makeSitePictures(browser);
  if (wanted.length === 0) await seedDemoWorld(service.ctx);
  else say("Making three months of traffic.");
  const made = wanted.length === 0 ? NOTHING_MADE : await makeWorld(service);
  if (isWanted("tour")) await makeTour(browser, { url, config: service.ctx.config });
  for (const [done, picture] of wanted.entries()) {
    whenQuiet(() => `  ${done} of ${wanted.length} pictures`);
    const bytes = await take(browser, picture, { made, url });
    say(`${picture.name}: ${Math.round(bytes / 1_000)} kB`);
  }
  return true;
});

async function makeWorld(service: TestService): Promise<Made> {
  const { ctx } = service;
  await goToFirstDay(service);
  await seedDemoWorld(ctx);
  const last = await makeDeliveries(service, await makeTraffic(service));
  const requestId = await makeRequests(service, last.paymentId);
  await addUpCounts(ctx.db);
  await addUpStatements(ctx.db);
  for (const role of ["admin", "finance", "developer"])
    await setUpApp(service, await signInTo(service, demoPerson(role)));
  const tab = await signInTo(service, demoPerson("merchant"));
  const form = { email: "nia.charles@example.com", role: "support" };
  await tab.post("/console/settings/members", form, { from: "/console/settings/members" });
  return { ...last, requestId };
}

function demoPerson(name: string) {
  return { email: `${name}@example.com`, password: DEMO_PASSWORD };
}

/** Tells how large the file is. */
async function take(
  browser: TestBrowser,
  { name, options, as, path, act }: Picture,
  { made, url }: { readonly made: Made; readonly url: string },
): Promise<number> {
  const page = await browser.page(options);
  if (as !== undefined) await signIn(page, { url, email: as });
  await page.goto(url + path(made));
  await act?.(page);
  await page.waitForLoadState("load");
  const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
  await page.context().close();
  const file = `${FOLDER}${name}.webp`;
  for (const quality of QUALITIES) {
    await sharp(picture).webp({ quality, effort: 6 }).toFile(file);
    if ((await stat(file)).size <= BYTES_MAX) break;
  }
  return (await stat(file)).size;
}

/** To the live environment, where no band says that no money moves. */
async function signIn(page: Page, { url, email }: { url: string; email: string }): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${url}/console`);
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await page.getByText("Sandbox: no real money").waitFor({ state: "detached" });
}

/**
 * Counts the files of `src` in which a function runs while one request is served, by a process that
 * has served the same before: `node scripts/count-files.ts`. Prints them for a payment request and
 * for a submitted card that is approved.
 */

import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ask, minimal } from "../testkit/payment-requests.ts";
import { startService, type TestService } from "../testkit/service.ts";
import { globalSetup, globalTeardown } from "../testkit/setup.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say } from "../testkit/tool/say.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WARM_UP_COUNT = 20;
const COUNTED = 5;

await runTool("count-files", async (tool) => {
  await tool.keep(globalSetup, globalTeardown);
  const service = await tool.keep(
    () => startService(),
    (started) => started.stop(),
  );
  const { accountNumber } = await service.world.merchant();
  const open = () => ask(service, minimal(accountNumber));
  await report("a payment request", async () => open);
  await report("a submitted card", () => readyToPay(service, open));
  return true;
});

/** Warmed up with the same: `ready` makes what one request needs, outside of what is counted. */
async function report(what: string, ready: () => Promise<() => Promise<unknown>>): Promise<void> {
  for (let count = 0; count < WARM_UP_COUNT; count++) await (await ready())();
  // Timers run beside some requests, and not beside all of them.
  let common: ReadonlySet<string> | undefined;
  for (let count = 0; count < COUNTED; count++) {
    const files = await filesOf(await ready());
    common = new Set([...files].filter((file) => common?.has(file) ?? true));
  }
  const files = [...(common ?? [])].sort();
  say(`${what}: ${files.length} files`);
  for (const file of files) say(`  ${file}`);
}

async function filesOf(serve: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await serve();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return new Set(
    result
      .filter(({ url, functions }) => url.startsWith("file:") && functions.some(hasRun))
      .map(({ url }) => path.relative(ROOT, fileURLToPath(url)))
      .filter((file) => file.startsWith("src/")),
  );
}

function hasRun({ ranges }: { ranges: readonly { count: number }[] }): boolean {
  return ranges.some(({ count }) => count > 0);
}

async function readyToPay(
  service: TestService,
  open: () => ReturnType<typeof ask>,
): Promise<() => Promise<unknown>> {
  const { body } = await open();
  const page = new URL(body.url);
  const { text } = await service.request(page.pathname);
  const formToken = /name="form_token" value="([^"]+)"/.exec(text)?.[1];
  assert(formToken !== undefined, "the page has a form");
  const card = { number: "4111111111111111", expiry: "12/39", cvv: "739", holder: "A. Mohammed" };
  const form = { ...card, email: "anika@example.com", attempts: "0", form_token: formToken };
  return async () => {
    const headers = { origin: page.origin, "sec-fetch-site": "same-origin" };
    const { status } = await service.request(page.pathname, { method: "POST", form, headers });
    assert.equal(status, 303, "the card is approved");
  };
}

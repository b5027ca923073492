/**
 * Random requests to every route, in both encodings, with good, bad and no credentials:
 * `npm run fuzz`, or `npm run fuzz -- --requests 200000 --seed 7`. No answer may be a mistake of
 * ours, each must be documented, none tells a secret; and in the end the books must balance.
 *
 * Most requests meet a service whose limits are out of the way; a tenth one with all of them; and
 * a tenth one whose live payments go through an acquirer that fails now and then.
 */

import { SETTINGS } from "../src/infra/settings.ts";
import { freshDatabase } from "../testkit/database.ts";
import { type PowertranzFake, startPowertranzFake } from "../testkit/powertranz/fake.ts";
import { startService } from "../testkit/service.ts";
import { globalSetup, globalTeardown } from "../testkit/setup.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { number, seed as seedOption } from "../testkit/tool/options.ts";
import { runTool, type Tool } from "../testkit/tool/run-tool.ts";
import { say, whenQuiet } from "../testkit/tool/say.ts";
import { notReached, staleReasons } from "./fuzz/not-reached.ts";
import { type PartResult, runPart } from "./fuzz/run-part.ts";

const { requests: wanted, seed } = readCommand({
  name: "fuzz",
  about:
    "Sends random requests to every route, in both encodings, with good, bad and no " +
    "credentials. What fails is told as the least request that does, as a curl command.",
  takes: "Takes two minutes with 20000 requests.",
  options: {
    requests: number({ about: "how many to send", min: 1, max: 100_000_000 }, 20_000),
    seed: seedOption(),
  },
});
const OTHER_SHARE = 0.1;
/** So many that every status should have been answered. */
const MANY = 5_000;
/** So many that every route should have had a good one. */
const REACHES_ALL = 100_000;

/** As they are when nobody says otherwise. */
const limits = Object.fromEntries(
  SETTINGS.filter(({ name }) => /^(LIMIT|DECLINES)_/.test(name)).map(({ name, ...setting }) => [
    name,
    setting.default ?? "",
  ]),
);
const other = Math.ceil(wanted * OTHER_SHARE);

const failures: string[] = [];

await runTool("fuzz", async (tool) => {
  say(`${wanted} requests, seed ${seed}`);
  await tool.keep(globalSetup, globalTeardown);
  const open = await run(tool, "limits out of the way", Math.max(1, wanted - 2 * other), {
    TRUSTED_PROXIES: "127.0.0.0/8",
    WITHDRAWALS_PER_DAY_MAX: "1000000",
  });
  const strict = await run(tool, "limits in force", other, limits);
  const acquirer = await tool.keep(startPowertranzFake, ({ stop }) => stop());
  const live = await run(tool, "live payments", other, acquirerSettings(acquirer), acquirer);
  expectToHaveReached(open);
  expectToHaveSeen(open, [200, 201, 303, 400, 401, 403, 404, 405, 409, 413, 415, 422]);
  expectToHaveSeen(strict, [200, 429]);
  expectToHaveSeen(live, [200, 201, 303, 422]);
  return failures.length === 0;
});

async function run(
  tool: Tool,
  name: string,
  requests: number,
  settings: Record<string, string>,
  acquirer?: PowertranzFake,
): Promise<PartResult> {
  const database = await tool.keep(freshDatabase, ({ drop }) => drop());
  const service = await startService({ settings, database });
  const beganAt = performance.now();
  let done = 0;
  const howFar = () =>
    `  ${name}: ${done} of ${requests}, ${perSecond(done, beganAt)} a second` +
    (done < requests ? "" : "; all are sent");
  const onProgress = (sent: number) => {
    done = sent;
  };
  whenQuiet(howFar);
  try {
    const result = await runPart(service, { requests, seed, acquirer, onProgress });
    say(howFar());
    const counts = [...result.statuses].toSorted(([one], [two]) => one - two);
    say(`  ${counts.map(([status, count]) => `${status}: ${count}`).join(", ")}`);
    if (result.waits !== undefined) say(`  ${result.waits}; each was sent again`);
    if (requests >= MANY) {
      const { withReason, without } = notReached(result.untouched);
      for (const line of withReason) say(`  no good request goes to ${line}`);
      if (without.length > 0) say(`  no good request went to: ${without.join(", ")}`);
    }
    for (const failure of result.failures) say(`✖ ${failure}`);
    failures.push(...result.failures);
    const noTrouble = result.waits === undefined ? "no 5xx" : "no other 5xx";
    if (result.failures.length === 0)
      say(`✔ ${name}: every answer is documented, ${noTrouble}, no secret, and the books balance`);
    return result;
  } finally {
    await service.stop();
  }
}

function acquirerSettings({ url, id, password }: PowertranzFake): Record<string, string> {
  return { POWERTRANZ_URL: url, POWERTRANZ_ID: id, POWERTRANZ_PASSWORD: password };
}

function perSecond(done: number, beganAt: number): string {
  return ((done / (performance.now() - beganAt)) * 1_000).toFixed(0);
}

function expectToHaveReached({ routes, untouched, neverRenewed }: PartResult): void {
  const without = wanted < REACHES_ALL ? [] : notReached(untouched).without;
  const stale = wanted < MANY ? [] : neverRenewed;
  const found = [
    ...stale.map((place) => `no record was made again, while requests used up those of ${place}`),
    ...without.map((route) => `no good request went to ${route}`),
    ...staleReasons(routes).map((reason) => `a reason for routes that are no more: ${reason}`),
  ];
  for (const failure of found) say(`✖ ${failure}`);
  failures.push(...found);
}

/** A fuzzer that never gets past the first check proves nothing. */
function expectToHaveSeen({ statuses }: PartResult, expected: readonly number[]): void {
  const missing = expected.filter((status) => !statuses.has(status));
  if (missing.length === 0 || wanted < MANY) return;
  const failure = `no request was answered with ${missing.join(", ")}`;
  say(`✖ ${failure}`);
  failures.push(failure);
}

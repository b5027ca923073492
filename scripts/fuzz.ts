/**
 * Random requests to every route, in both encodings, with good, bad and no credentials:
 * `npm run fuzz`, or `npm run fuzz -- --requests 200000 --seed 7`. No answer may be a mistake of
 * ours, each must be documented, none tells a secret; and in the end the books must balance.
 *
 * Most requests meet a service whose limits are out of the way; the rest one with all of them.
 */

import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { SETTINGS } from "../src/infra/settings.ts";
import { startService } from "../test/support/service.ts";
import { globalSetup, globalTeardown } from "../test/support/setup.ts";
import { type PartResult, runPart } from "./fuzz/run-part.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
  },
});
const wanted = Number(values.requests);
const seed = Number(values.seed);
if (!(Number.isSafeInteger(wanted) && wanted > 0 && Number.isSafeInteger(seed))) {
  process.stderr.write("--requests and --seed are whole numbers.\n");
  process.exit(2);
}
const LIMITED_SHARE = 0.1;
/** So many that every route should have had a good one. */
const MANY = 5_000;
const SAY_EVERY_MS = 10_000;
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** As they are when nobody says otherwise. */
const limits = Object.fromEntries(
  SETTINGS.filter(({ name }) => /^(LIMIT|DECLINES)_/.test(name)).map(({ name, ...setting }) => [
    name,
    setting.default ?? "",
  ]),
);
const limited = Math.ceil(wanted * LIMITED_SHARE);

say(`${wanted} requests, seed ${seed}`);
await globalSetup();
try {
  const open = await run("limits out of the way", wanted - limited, {
    TRUSTED_PROXIES: "127.0.0.0/8",
    WITHDRAWALS_PER_DAY_MAX: "1000000",
  });
  const strict = await run("limits in force", limited, limits);
  expectToHaveSeen(open, [200, 201, 303, 400, 401, 403, 404, 405, 409, 413, 415, 422]);
  expectToHaveSeen(strict, [200, 429]);
} finally {
  await globalTeardown();
}

async function run(
  name: string,
  requests: number,
  settings: Record<string, string>,
): Promise<PartResult> {
  const service = await startService({ settings });
  const beganAt = performance.now();
  let saidAt = beganAt;
  const onProgress = (done: number) => {
    const now = performance.now();
    if (now - saidAt < SAY_EVERY_MS && done < requests) return;
    saidAt = now;
    say(`  ${name}: ${done} of ${requests}, ${perSecond(done, beganAt)} a second`);
  };
  try {
    const result = await runPart(service, { requests, seed, onProgress });
    const counts = [...result.statuses].toSorted(([one], [two]) => one - two);
    say(`  ${counts.map(([status, count]) => `${status}: ${count}`).join(", ")}`);
    const { untouched } = result;
    if (untouched.length > 0 && requests >= MANY)
      say(`  no good request went to: ${untouched.join(", ")}`);
    for (const failure of result.failures) say(`✖ ${failure}`);
    if (result.failures.length > 0) process.exitCode = 1;
    else say(`✔ ${name}: every answer is documented, no 5xx, no secret, and the books balance`);
    return result;
  } finally {
    await service.stop();
  }
}

function perSecond(done: number, beganAt: number): string {
  return ((done / (performance.now() - beganAt)) * 1_000).toFixed(0);
}

/** A fuzzer that never gets past the first check proves nothing. */
function expectToHaveSeen({ statuses }: PartResult, expected: readonly number[]): void {
  const missing = expected.filter((status) => !statuses.has(status));
  if (missing.length === 0 || wanted < MANY) return;
  say(`✖ no request was answered with ${missing.join(", ")}`);
  process.exitCode = 1;
}

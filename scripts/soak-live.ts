/**
 * Live payments while the acquirer misbehaves: `npm run soak:live`, or
 * `npm run soak:live -- --payments 2000 --faults 5 --seed 7`. It prints its seed; the same seed
 * buys the same with the same cards.
 */

import { globalSetup, globalTeardown } from "../testkit/setup.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { number, seed as seedOption } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say, whenQuiet } from "../testkit/tool/say.ts";
import { checkLiveSoak } from "./live/check-live-soak.ts";
import { runLiveSoak } from "./live/run-live-soak.ts";

const { payments, faults, seed } = readCommand({
  name: "soak:live",
  about:
    "Pays, refunds and saves cards through a fake acquirer that answers some calls wrongly, late " +
    "or never: five minutes after the last fault nothing may be lost, doubled or undecided.",
  takes: "Takes some ten minutes with 2000 payments.",
  options: {
    payments: number({ about: "how many to make", min: 1, max: 1_000_000 }, 2_000),
    faults: number({ about: "of a hundred calls", min: 0, max: 100 }, 5),
    seed: seedOption(),
  },
});

await runTool("soak-live", async (tool) => {
  say(`${payments} payments, ${faults} % faults, seed ${seed}`);
  await tool.keep(globalSetup, globalTeardown);
  let done = 0;
  whenQuiet(() => (done < payments ? `  ${done} of ${payments} payments` : "  settling"));
  const onProgress = (count: number) => {
    done = Math.max(done, count);
  };
  return runLiveSoak({ payments, faultPercent: faults, seed, onProgress }, async (soak) => {
    const { figures, lost, doubled, undecided } = soak.report;
    say(JSON.stringify(figures));
    say(`lost ${lost.length}, doubled ${doubled.length}, undecided ${undecided.length}`);
    for (const line of [...lost, ...doubled, ...undecided]) say(`  ${line}`);
    const complaints = await checkLiveSoak(soak);
    for (const line of complaints) say(line);
    return complaints.length === 0;
  });
});

/**
 * Splits a database by account into two, uses both, and brings them back into one:
 * `npm run rehearse-split`. docs/capacity.md says what it shows and what a real move would need on
 * top. The exit code is 1 when anything differs.
 */

import { endAll } from "../testkit/processes.ts";
import { globalSetup, globalTeardown } from "../testkit/setup.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { number, seed as seedOption } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say } from "../testkit/tool/say.ts";
import { Rehearsal } from "./rehearse-split/rehearse.ts";

const options = readCommand({
  name: "rehearse-split",
  about:
    "Makes payments through the real service, splits its database by account into two, lets both " +
    "be used, brings them back into one, and compares every table at each step.",
  takes: "Takes two to six minutes, by how busy the machine is.",
  options: {
    operations: number(
      { about: "how many each service has to acknowledge", min: 10, max: 100_000 },
      400,
    ),
    seed: seedOption(),
  },
});

await runTool("rehearse-split", async (tool) => {
  say(`seed ${options.seed}, ${options.operations} operations each time`);
  await tool.keep(globalSetup, globalTeardown);
  tool.add(endAll);
  const rehearsal = new Rehearsal(tool, options);
  await rehearsal.play();
  const { length } = rehearsal.complaints;
  say("");
  say(
    length === 0
      ? "Nothing was lost, doubled or changed."
      : `The rehearsal has failed: ${length} things differ.`,
  );
  return length === 0;
});

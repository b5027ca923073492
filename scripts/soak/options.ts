/** What the soak was asked for: a time, or counts that end it, and the seed of its plan. */

import { readCommand } from "../../testkit/tool/command.ts";
import { maybeNumber, number, seed } from "../../testkit/tool/options.ts";

export interface SoakOptions {
  readonly seed: number;
  /** For how long faults and traffic run. */
  readonly minutes: number;
  /** It ends earlier, when this many were acknowledged and this many processes were killed. */
  readonly operations: number | undefined;
  readonly kills: number | undefined;
  readonly clients: number;
}

const MINUTES = 3;
const COUNTED_MINUTES = 60;
const COUNT_MAX = 100_000_000;
const BOTH = "with both, when both are reached";

export function readOptions(): SoakOptions {
  const asked = readCommand({
    name: "soak",
    about:
      "The whole service in bad weather: processes are killed and paused, connections cut, the " +
      "disk fills, the clock is set. Then what clients were told is held against what is there. " +
      "As root it mounts a small disk to fill; without, that fault is left out.",
    takes: "Takes the minutes given, and about two more to start, to settle and to check.",
    options: {
      minutes: maybeNumber(
        { about: "how long faults go on", min: 0.1, max: 1_440, hasDecimals: true },
        `${MINUTES}, or ${COUNTED_MINUTES} with --operations or --kills`,
      ),
      operations: maybeNumber(
        { about: `end after so many acknowledged writes; ${BOTH}`, min: 1, max: COUNT_MAX },
        "by time",
      ),
      kills: maybeNumber(
        { about: `end after so many killed processes; ${BOTH}`, min: 1, max: COUNT_MAX },
        "by time",
      ),
      clients: number({ about: "how many write and read at once", min: 2, max: 1_000 }, 40),
      seed: seed(),
    },
  });
  const isCounted = asked.operations !== undefined || asked.kills !== undefined;
  return { ...asked, minutes: asked.minutes ?? (isCounted ? COUNTED_MINUTES : MINUTES) };
}

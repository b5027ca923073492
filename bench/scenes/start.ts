/** How long a start takes with a database given: from the spawn of the process to its word. */

import { start } from "../../test/support/processes.ts";
import { median, round, say } from "../support/report.ts";
import type { Stage } from "../support/stage.ts";

const STARTS = 5;

export async function startTimes(stage: Stage): Promise<{ medianMs: number; all: number[] }> {
  const all: number[] = [];
  for (let turn = 1; turn <= STARTS; turn++) {
    const service = await start({ settings: stage.settings });
    await service.stop();
    all.push(service.readyMs);
    say(`start ${turn} of ${STARTS}: ${round(service.readyMs)} ms`);
  }
  return { medianMs: median(all), all };
}

/** How long a start takes with a database given: from the spawn of the process to its word. */

import { say } from "../../scripts/tool/say.ts";
import { start } from "../../test/support/processes.ts";
import { median, round } from "../support/report.ts";
import type { Outcome, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const STARTS = 5;

export const starts: Scene = { name: "starts", play };

async function play(stage: Stage): Promise<Outcome> {
  const all: number[] = [];
  for (let turn = 1; turn <= STARTS; turn++) {
    const service = await start({ settings: stage.settings });
    await service.stop();
    all.push(service.readyMs);
    say(`start ${turn} of ${STARTS}: ${round(service.readyMs)} ms`);
  }
  const measured = median(all);
  return {
    figures: { medianMs: measured, all },
    goals: [
      { number: "P7", what: "start, database given", measured, unit: "ms", goal: { below: 1000 } },
    ],
  };
}

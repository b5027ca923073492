/** How long a start takes with a database given: from the spawn of the process to its word. */

import { start } from "../../testkit/processes.ts";
import { say } from "../../testkit/tool/say.ts";
import { takeTurns } from "../support/quietly.ts";
import { median, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const STARTS = 5;

export const starts: Scene = { name: "starts", play };

async function play(stage: Stage, { quietly }: Pace): Promise<Outcome> {
  const takeTurn = async (turn: number) => {
    const service = await start({ settings: stage.settings });
    await service.stop();
    say(`start ${turn} of ${STARTS}: ${round(service.readyMs)} ms`);
    return service.readyMs;
  };
  const all = await takeTurns({ rounds: STARTS, quietly }, takeTurn);
  const measured = median(all);
  return {
    figures: { medianMs: measured, all },
    goals: [
      { number: "P7", what: "start, database given", measured, unit: "ms", goal: { below: 1000 } },
    ],
  };
}

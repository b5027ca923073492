/** What the request log costs (P11): two services that differ in `REQUEST_LOG` alone. */

import type { Outcome, Scene } from "../support/scene.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";
import { compare } from "../support/two-settings.ts";

export const requestLog: Scene = {
  name: "request-log",
  play: (stage, pace) =>
    onItsOwn(stage, "logged", (on) =>
      onItsOwn(withoutLog(stage), "unlogged", async (off): Promise<Outcome> => {
        const figures = await compare({ what: "the request log", on, off }, pace);
        const { timesPerSecond: measured, rounds } = figures;
        const what = "payment requests with the request log";
        const goal = { atLeast: 0.97 };
        return {
          figures,
          goals: [{ number: "P11", what, measured, rounds, unit: "× without", goal }],
        };
      }),
    ),
};

function withoutLog(stage: Stage): Stage {
  return { ...stage, settings: { ...stage.settings, REQUEST_LOG: "off" } };
}

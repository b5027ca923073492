/** A service beside that of the stage, which guards itself as early as one in production does. */

import { start } from "../../test/support/processes.ts";
import type { Stage } from "./stage.ts";

export async function asInProduction<T>(
  stage: Stage,
  play: (stage: Stage) => Promise<T>,
): Promise<T> {
  const settings = { ...stage.settings, OVERLOAD_LOOP_DELAY_MS: "200" };
  const service = await start({ settings });
  try {
    return await play({ ...stage, settings, service });
  } finally {
    await service.stop();
  }
}

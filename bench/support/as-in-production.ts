/** A service that guards itself as early as one in production does, on a database of its own. */

import { onItsOwn, type Stage } from "./stage.ts";

export function asInProduction<T>(
  stage: Stage,
  name: string,
  play: (stage: Stage) => Promise<T>,
): Promise<T> {
  const settings = { ...stage.settings, OVERLOAD_LOOP_DELAY_MS: "200" };
  return onItsOwn({ ...stage, settings }, name, play);
}

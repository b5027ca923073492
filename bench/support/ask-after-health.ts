/** Whether a service can be asked after its health while it has other things to do. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Stage } from "./stage.ts";

const EVERY_MS = 250;

/** Both questions, again and again, each on a connection of its own. */
export function askAfterHealth({ service }: Stage) {
  let isOver = false;
  const asking = ["/livez", "/readyz"].map(async (path) => {
    const told = { path, asked: 0, failed: 0, slowestMs: 0 };
    while (!isOver) {
      const beganAt = performance.now();
      const answer = await service.ask(path).catch(() => undefined);
      told.asked += 1;
      if (answer?.status !== 200) told.failed += 1;
      told.slowestMs = Math.max(told.slowestMs, performance.now() - beganAt);
      await sleep(EVERY_MS);
    }
    return told;
  });
  return {
    end() {
      isOver = true;
      return Promise.all(asking);
    },
  };
}

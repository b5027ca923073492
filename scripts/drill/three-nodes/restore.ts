/** The guide's monthly drill: a backup, and a restore to a moment beside the running service. */

import { setTimeout as sleep } from "node:timers/promises";
import { reconcile } from "../proofs.ts";
import type { Fault } from "./stage.ts";

/** Its port, as the guide starts it. */
const RESTORED_PORT = 5443;

export const RESTORE: Fault = {
  name: "restored",
  about: "a base backup, a dump, and a restore to a moment, while callers are at work",
  async play({ cluster, say }) {
    const from = performance.now();
    const leader = await cluster.leader();
    await leader.guide("backup");
    await sleep(2_000);
    await leader.guide("restore");
    const { lines, complaints } = await reconcile(cluster.urlOf(leader.name, RESTORED_PORT));
    for (const line of lines) say(`restored: ${line}`);
    await leader.guide("restore-end");
    return { from, until: performance.now(), complaints };
  },
};

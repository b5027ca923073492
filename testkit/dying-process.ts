/**
 * A process that kills itself at a named step, as kill -9 or a power cut would: tests start one,
 * let it die, and look at what it left behind.
 */

import process from "node:process";
import type { Database } from "../src/infra/db/database.ts";

type Reach = (here: string) => void;

export function dieAt(step: string): Reach {
  return (here) => {
    if (here === step) process.kill(process.pid, "SIGKILL");
  };
}

/** Its transactions have these names, in their order; before, within and after each is a step. */
export function watchedDatabase(db: Database, names: readonly string[], reach: Reach): Database {
  const left = [...names];
  return {
    ...db,
    async transaction(work, options) {
      const name = left.shift() ?? "more";
      reach(`before the ${name}`);
      const result = await db.transaction(async (tx) => {
        const made = await work(tx);
        reach(`before the commit of the ${name}`);
        return made;
      }, options);
      reach(`after the ${name}`);
      return result;
    },
  };
}

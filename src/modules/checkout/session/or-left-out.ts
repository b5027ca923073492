/**
 * When a batch fails, every one of it is told that it was left out: alone, each finds out whether
 * it is the one. Also when it gave up waiting for a lock, before anything was committed: somebody
 * holds what one of them needs. Not when the database is in trouble or a commit is unknown: trying
 * again mends neither, and might do the work twice.
 */

import { gaveUpWaiting } from "../../../infra/db/database-errors.ts";
import type { Log } from "../../../infra/log.ts";
import { Unavailable } from "../../../kit/errors.ts";

type Run<In, Out> = (items: readonly In[]) => Promise<readonly Out[]>;

export function orLeftOut<In, Out>(log: Log, leftOut: Out, together: Run<In, Out>): Run<In, Out> {
  return async (items) => {
    try {
      return await together(items);
    } catch (error) {
      const hasWaited = error instanceof Unavailable && gaveUpWaiting(error.cause);
      if (error instanceof Unavailable && !hasWaited) throw error;
      const level = hasWaited ? "warn" : "error";
      log[level]({ err: error, count: items.length }, "a batch of checkouts was refused");
      return items.map(() => leftOut);
    }
  };
}

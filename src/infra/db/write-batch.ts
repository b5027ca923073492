/**
 * Writes that share a tx: items of one moment are run together, each with a result of its own
 * (Decision 0078).
 *
 * No item spoils or delays another. A shared run skips rows that are locked elsewhere and waits
 * only briefly for anything else. An item that it could not take, and every item of a run that
 * failed, is run again as a batch of one, and waits unless `retry` says to skip.
 */

import assert from "node:assert/strict";
import { createBatcher, PATIENCE_MS } from "../../kit/batch.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Log } from "../log.ts";
import { gaveUpWaiting } from "./database-errors.ts";

/** The result of an item that a shared run could not take: its rows are locked elsewhere. */
export const BUSY = Symbol("busy");

/** What a run does about rows that are locked elsewhere. */
export type LockWait = "skip" | "wait";

interface WriteBatchOptions<In, Out> {
  readonly log: Log;
  readonly sizeMax: number;
  readonly parallelMax?: number;
  /** "skip": an item that is locked elsewhere stays as it is and is told so. */
  readonly retry?: LockWait;
  /** One result per item, in the same order. */
  run(items: readonly In[], locks: LockWait): Promise<readonly BatchResult<Out>[]>;
}

export type BatchResult<Out> = Out | Error | typeof BUSY;

export function createWriteBatcher<In, Out>({
  log,
  run,
  retry = "wait",
  ...options
}: WriteBatchOptions<In, Out>): (item: In) => Promise<Out> {
  const together = createBatcher<In, Out | typeof BUSY | typeof FAILED>({
    ...options,
    patienceMs: PATIENCE_MS,
    run: (items) => run(items, "skip").catch((error: unknown) => failed(log, items, error)),
  });
  return async (item) => {
    const result = await together(item);
    const isFinal = result !== FAILED && (result !== BUSY || retry === "skip");
    return isFinal ? (result as Out) : runAlone(item);
  };

  async function runAlone(item: In): Promise<Out> {
    const [result] = await run([item], retry);
    if (result instanceof Error) throw result;
    assert(retry === "skip" || (result !== BUSY && result !== FAILED), "a batch of one waits");
    return result as Out;
  }
}

const FAILED = Symbol("failed");

/**
 * Not when the database is in trouble or a commit is unknown: running again mends neither, and
 * might do the work twice. A run that gave up on a lock has committed nothing.
 */
function failed(log: Log, items: readonly unknown[], error: unknown): (typeof FAILED)[] {
  const hasWaited = error instanceof Unavailable && gaveUpWaiting(error.cause);
  if (error instanceof Unavailable && !hasWaited) throw error;
  log[hasWaited ? "warn" : "error"]({ err: error, count: items.length }, "a batch was refused");
  return items.map(() => FAILED);
}

/**
 * Several processes on one port: starts them, starts a new one when one dies, and stops them
 * together.
 *
 * Workers are stopped by message, not by signal: Ctrl-C already reaches the whole group of a
 * terminal, and a second signal would mean "now". One that cannot start says why to the supervisor,
 * which says it once for all of them. When the supervisor itself is killed, Node ends its workers
 * at once: requests under way are lost with it, as they are when a single process is killed.
 */

import cluster, { type Worker } from "node:cluster";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry } from "prom-client";
import type { Log } from "../log.ts";
import { WorkerDidNotStart } from "./startup-error.ts";
import type { StopOnce } from "./stop.ts";

// Each worker takes connections from the shared port itself. Node's other way, where the supervisor
// hands them out, leaves a connection hanging that was being handed to a worker which is killed.
cluster.schedulingPolicy = cluster.SCHED_NONE;

const STOP_MESSAGE = "stop";
const RESTART_PAUSE_MS = 500;

/** What a worker says once: where it listens (if it does), or why it could not start. */
type FirstMessage =
  | { readonly address: string | undefined; readonly failure?: never }
  | { readonly failure: string };

export interface Supervisor {
  /** Resolves once every worker is up, with where they listen (undefined when they do not). */
  readonly ready: Promise<string | undefined>;
  stop(killAfterMs: number): Promise<void>;
}

export function superviseWorkers(options: {
  count: number;
  env: Record<string, string>;
  log: Log;
}): Supervisor {
  const { log } = options;
  let isStopping = false;

  function fork(): Promise<string | undefined> {
    const worker = cluster.fork(options.env);
    let failure = "A worker ended at its start.";
    let isUp = false;
    const up = new Promise<string | undefined>((resolve, reject) => {
      worker.once("message", (message: FirstMessage) => {
        if (message.failure !== undefined) failure = message.failure;
        else {
          isUp = true;
          resolve(message.address);
        }
      });
      worker.once("exit", () => reject(new WorkerDidNotStart(failure)));
    });
    worker.once("exit", (code, signal) => {
      // One that never came up is the start's failure; its word is `failure`.
      if (isUp && !isStopping) void replace({ worker: worker.process.pid, code, signal });
    });
    return up;
  }

  async function replace(died: object): Promise<void> {
    log.error(died, "a worker died and is replaced");
    for (let isBack = false; !isBack; ) {
      await sleep(RESTART_PAUSE_MS);
      if (isStopping) return;
      isBack = await fork().then(
        () => true,
        (error) => {
          log.error({ err: error }, "a new worker did not start; trying again");
          return false;
        },
      );
    }
  }

  const ready = Promise.all(Array.from({ length: options.count }, fork));
  // The last resort of a supervisor that exits without stop(): "now" means the workers, too.
  process.once("exit", () => {
    for (const worker of living()) worker.process.kill("SIGKILL");
  });
  return {
    ready: ready.then(([address]) => address),
    async stop(killAfterMs) {
      isStopping = true;
      await Promise.all(living().map((worker) => stopWorker(worker, killAfterMs)));
    },
  };
}

/** In a worker: what it does for its supervisor once it is up. */
export function serveSupervisor(address: string | undefined, stop: StopOnce): void {
  process.on("message", (message) => {
    if (message === STOP_MESSAGE) stop("supervisor");
  });
  // Made for its effect: from now on this process answers when the supervisor asks for metrics.
  new AggregatorRegistry();
  process.send?.({ address } satisfies FirstMessage);
}

/** In a worker that could not start; ends it. */
export function tellSupervisorWhyNot(failure: string): void {
  process.send?.({ failure } satisfies FirstMessage, () => process.exit(1));
}

function living(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

async function stopWorker(worker: Worker, killAfterMs: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const killer = setTimeout(() => worker.process.kill("SIGKILL"), killAfterMs);
  // One that has just died cannot be told, and need not be.
  worker.send(STOP_MESSAGE, () => {});
  await ended;
  clearTimeout(killer);
}

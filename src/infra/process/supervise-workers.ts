/**
 * Several processes on one port: starts them, starts a new one when one dies, and stops them
 * together.
 *
 * Workers are told to stop by message, not by signal: Ctrl-C already reaches the whole group of a
 * terminal, and a second signal would mean "now".
 */

import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";

const STOP_MESSAGE = "stop";
const RESTART_PAUSE_MS = 500;

/** The first message of a worker: it is up. */
interface UpMessage {
  readonly address: string | undefined;
}

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
  let stopping = false;
  const fork = () => cluster.fork(options.env);
  const isUp = (worker: Worker) =>
    new Promise<string | undefined>((resolve, reject) => {
      worker.once("message", (message: UpMessage) => resolve(message.address));
      worker.once("exit", (code) => reject(new Error(`a worker ended at start with code ${code}`)));
    });
  const ready = Promise.all(Array.from({ length: options.count }, () => isUp(fork())));

  cluster.on("exit", async (worker, code, signal) => {
    if (stopping) return;
    log.error({ pid: worker.process.pid, code, signal }, "a worker died and is replaced");
    await sleep(RESTART_PAUSE_MS);
    if (!stopping) fork();
  });

  return {
    ready: ready.then(([address]) => address),
    async stop(killAfterMs) {
      stopping = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(workers.map((worker) => stopWorker(worker, killAfterMs)));
    },
  };
}

export function tellSupervisor(message: UpMessage): void {
  process.send?.(message);
}

/** In a worker: runs `stop` when the supervisor says so, or when it is gone. */
export function onSupervisorStop(stop: (why: string) => void): void {
  process.on("message", (message) => {
    if (message === STOP_MESSAGE) stop("supervisor");
  });
  process.on("disconnect", () => stop("supervisor is gone"));
}

async function stopWorker(worker: Worker, killAfterMs: number): Promise<void> {
  if (worker.isDead()) return;
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const killer = setTimeout(() => worker.process.kill("SIGKILL"), killAfterMs);
  worker.send(STOP_MESSAGE);
  await ended;
  clearTimeout(killer);
}

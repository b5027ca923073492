/**
 * The endpoints that this process is sending to (Decision 0034).
 *
 * A job only starts the sending. An endpoint that keeps us waiting holds a slot here, of which
 * there are many, and the lease in its row, not the job, marks it as claimed. A process that dies
 * leaves nothing but leases, which run out.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Infra } from "../../infra/context.ts";
import { createBatcher } from "../../kit/batch.ts";
import { createSemaphore } from "../../kit/semaphore.ts";
import { areFree, claimEndpoints, type View } from "./claim-endpoint.ts";
import { Drain, type DrainTools } from "./drain-endpoint.ts";

/** Most of them wait for a response most of the time. */
const SLOTS = 1_000;
const ENDPOINTS_PER_STATEMENT = 100;
/** Pauses between tries to claim a locked endpoint; then it is left to the sweep. */
const LOCKED_PAUSES_MS = [20, 50, 100, 200, 400];

/** Failing endpoints have slots of their own. */
export type Lane = "healthy" | "failing";

export class Drains {
  readonly #log: Infra["log"];
  readonly #tools: DrainTools;
  readonly #stopping: AbortSignal;
  readonly #claim: (endpointId: string) => Promise<View | undefined>;
  readonly #slots = {
    healthy: createSemaphore({ atOnce: SLOTS }),
    failing: createSemaphore({ atOnce: SLOTS }),
  };
  /** By endpoint; undefined while it is being claimed. */
  readonly #drains = new Map<string, Drain | undefined>();
  readonly #starting = new Set<Promise<unknown>>();

  constructor({ db, log }: Pick<Infra, "db" | "log">, tools: DrainTools, stopping: AbortSignal) {
    this.#log = log;
    this.#tools = tools;
    this.#stopping = stopping;
    this.#claim = createClaimer(db, stopping);
  }

  running(): Drain[] {
    return [...this.#drains.values()].filter((drain) => drain !== undefined);
  }

  /** Resolves at the end; at once if there is nothing to send or it is claimed. */
  async deliver(endpointId: string): Promise<void> {
    await (await this.#start(endpointId))?.ended;
  }

  /** Waits for a slot, and resolves once the sending has started; it holds the slot to its end. */
  async begin(endpointId: string, lane: Lane): Promise<void> {
    if (this.#isRunning(endpointId)) return;
    const release = await this.#slots[lane].take({ signal: this.#stopping }).catch((error) => {
      if (!this.#stopping.aborted) throw error;
    });
    if (release === undefined) return;
    let drain: Drain | undefined;
    try {
      drain = await this.#start(endpointId);
    } finally {
      if (drain === undefined) release();
    }
    // The claim runs out by itself, and the sweep finds what is left.
    drain?.ended
      .catch((err: unknown) =>
        this.#log.warn({ err, endpointId }, "an endpoint could not be sent to"),
      )
      .finally(release);
  }

  /** Starts nothing more; resolves when everything has ended. */
  async stop(): Promise<void> {
    for (const drain of this.running()) drain.stop();
    await Promise.allSettled(this.#starting);
    await Promise.allSettled(this.running().map((drain) => drain.ended));
  }

  #isRunning(endpointId: string): boolean {
    this.#drains.get(endpointId)?.poke();
    return this.#drains.has(endpointId);
  }

  #start(endpointId: string): Promise<Drain | undefined> {
    const starting = this.#claimAndDrain(endpointId);
    this.#starting.add(starting);
    return starting.finally(() => this.#starting.delete(starting));
  }

  async #claimAndDrain(endpointId: string): Promise<Drain | undefined> {
    if (this.#stopping.aborted || this.#isRunning(endpointId)) return undefined;
    const forget = () => this.#drains.delete(endpointId);
    this.#drains.set(endpointId, undefined);
    try {
      const view = await this.#claim(endpointId);
      if (view === undefined) return undefined;
      const drain = new Drain(this.#tools, view);
      drain.ended.then(forget, forget);
      if (this.#stopping.aborted) drain.stop();
      this.#drains.set(endpointId, drain);
      return drain;
    } finally {
      if (this.#drains.get(endpointId) === undefined) forget();
    }
  }
}

/** Tries again, for a moment, while an endpoint is locked. */
function createClaimer(db: Infra["db"], stopping: AbortSignal) {
  const sizeMax = ENDPOINTS_PER_STATEMENT;
  const claim = createBatcher<string, View | undefined>({
    run: (ids) => claimEndpoints(db, ids),
    sizeMax,
  });
  const isFree = createBatcher<string, boolean>({ run: (ids) => areFree(db, ids), sizeMax });
  return async (endpointId: string): Promise<View | undefined> => {
    for (const pauseMs of LOCKED_PAUSES_MS) {
      const view = await claim(endpointId);
      if (view !== undefined || !(await isFree(endpointId)) || stopping.aborted) return view;
      await sleep(pauseMs);
    }
    return claim(endpointId);
  };
}

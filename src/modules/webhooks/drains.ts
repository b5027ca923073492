/**
 * The endpoints that this process is sending to (Decision 0034).
 *
 * The rule that matters: a job only begins the sending. An endpoint that keeps us waiting has a
 * place here, of which there are many, and the lease in its row, not the job, says that somebody is
 * at it. A process that dies leaves nothing but leases, which run out.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Infra } from "../../infra/context.ts";
import { createBatcher } from "../../kit/batch.ts";
import { createSemaphore } from "../../kit/semaphore.ts";
import { areFree, claimEndpoints, type View } from "./claim-endpoint.ts";
import { type Drain, type DrainTools, drainEndpoint } from "./drain-endpoint.ts";

/** Most of the time each of them waits. */
const SLOTS = { healthy: 1_000, troubled: 1_000 };
const ENDPOINTS_PER_STATEMENT = 100;
/** How long an endpoint that is locked is asked for again; then it is left to the sweep. */
const LOCKED_PAUSES_MS = [20, 50, 100, 200, 400];

/** Endpoints in trouble have slots of their own. */
export type Ward = keyof typeof SLOTS;

type Begin = (endpointId: string) => Promise<Drain | undefined>;

export function createDrains(
  { db, log }: Pick<Infra, "db" | "log">,
  { tools, stopping }: { tools: DrainTools; stopping: AbortSignal },
) {
  const claim = createClaimer(db, stopping);
  const drains = new Map<string, Drain | undefined>();
  const beginning = new Set<Promise<unknown>>();
  const running = () => [...drains.values()].filter((drain) => drain !== undefined);

  function isAtIt(endpointId: string): boolean {
    drains.get(endpointId)?.poke();
    return drains.has(endpointId);
  }

  /** Undefined when there is nothing to send, or somebody is at it. */
  async function take(endpointId: string): Promise<Drain | undefined> {
    if (stopping.aborted || isAtIt(endpointId)) return undefined;
    drains.set(endpointId, undefined);
    try {
      const view = await claim(endpointId);
      if (view === undefined) return undefined;
      const drain = drainEndpoint(tools, view);
      const ended = drain.ended.finally(() => drains.delete(endpointId));
      // Whoever waits for it hears of it as well.
      ended.catch(() => {});
      if (stopping.aborted) drain.stop();
      drains.set(endpointId, { ...drain, ended });
      return drains.get(endpointId);
    } finally {
      if (drains.get(endpointId) === undefined) drains.delete(endpointId);
    }
  }

  const begin: Begin = (endpointId) => {
    const taking = take(endpointId);
    beginning.add(taking);
    return taking.finally(() => beginning.delete(taking));
  };

  return {
    running,
    deliver: async (endpointId: string) => (await begin(endpointId))?.ended,
    begin: createPlacedBegin({ begin, isAtIt, stopping, log }),
    /** Begins nothing more; tells when all that is under way has ended. */
    async stop(): Promise<void> {
      for (const drain of running()) drain.stop();
      await Promise.allSettled(beginning);
      await Promise.allSettled(running().map((drain) => drain.ended));
    },
  };
}

/** Waits for a place, begins, and leaves the place to the drain. */
function createPlacedBegin({
  begin,
  isAtIt,
  stopping,
  log,
}: {
  begin: Begin;
  isAtIt: (endpointId: string) => boolean;
  stopping: AbortSignal;
  log: Infra["log"];
}) {
  const slots = {
    healthy: createSemaphore({ atOnce: SLOTS.healthy }),
    troubled: createSemaphore({ atOnce: SLOTS.troubled }),
  };
  const ifStopping = (error: unknown) => {
    if (stopping.aborted) return undefined;
    throw error;
  };
  return async (endpointId: string, ward: Ward): Promise<void> => {
    if (isAtIt(endpointId)) return;
    const release = await slots[ward].take({ signal: stopping }).catch(ifStopping);
    if (release === undefined) return;
    let drain: Drain | undefined;
    try {
      drain = await begin(endpointId);
    } finally {
      if (drain === undefined) release();
    }
    // Its claim runs out by itself, and whoever sweeps finds what is left.
    drain?.ended
      .catch((err: unknown) => log.warn({ err, endpointId }, "an endpoint could not be sent to"))
      .finally(release);
  };
}

/** Asks again for one that is only locked, for a moment. */
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

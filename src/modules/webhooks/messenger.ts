/**
 * The messenger of one process: takes endpoints that are due, sends to them, keeps its claims
 * alive, and stops without losing anything (Decision 0034).
 *
 * What many endpoints want from the database at one moment goes as one statement (`kit/batch.ts`),
 * so that a thousand deliveries a second cost some tens of statements. A job only begins the
 * sending: an endpoint that keeps us waiting has a place here, of which there are many, and the
 * lease in its row, not the job, is what says that somebody is at it.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Infra } from "../../infra/context.ts";
import { createSender, type Sender } from "../../infra/outbound/send.ts";
import { createBatcher } from "../../kit/batch.ts";
import { type BegunAttempt, beginAttempts, type Wanted } from "./begin-attempts.ts";
import {
  areFree,
  type Claim,
  claimEndpoints,
  type Release,
  releaseEndpoints,
  renewClaims,
  type View,
  viewClaims,
} from "./claim-endpoint.ts";
import { type Drain, type DrainTools, drainEndpoint } from "./drain-endpoint.ts";
import { type EndedAttempt, endAttempts, type Health } from "./end-attempts.ts";
import { judgeEndpoint } from "./failing.ts";
import { makeOwed } from "./fan-out.ts";
import { GONE, makeAttempt } from "./make-attempt.ts";
import { createPlaces } from "./places.ts";
import { sweepEndpoints } from "./sweep-endpoints.ts";

const RENEW_MS = 3_000;
const SWEEP_MS = 1_000;
/** Attempts under way get this long to end by themselves when the process stops. */
const STOP_MS_MAX = 3_000;
const ENDPOINTS_PER_STATEMENT = 100;
/** Each brings a body of up to 64 KiB. */
const ATTEMPTS_PER_STATEMENT = 50;
/** Endpoints that this process sends to at once. Most of the time each of them waits. */
const PLACES = { healthy: 1_000, troubled: 1_000 };
/** With so many attempts under way, each holding a body, every endpoint gets one at a time. */
const ATTEMPTS_BEFORE_CROWDED = 1_000;
/** How long an endpoint that is locked is asked for again; then it is left to the sweep. */
const LOCKED_PAUSES_MS = [20, 50, 100, 200, 400];

/** Those in trouble have places of their own. */
export type Ward = keyof typeof PLACES;

export interface Messenger {
  /** Sends what is due at the endpoint, unless somebody else is at it, and then returns. */
  deliver(endpointId: string): Promise<void>;
  /** The same, but returns once it is under way, or when there is nothing to do. */
  begin(endpointId: string, ward: Ward): Promise<void>;
  /** Looks after what jobs forgot. */
  start(): void;
  stop(): Promise<void>;
}

export interface WebhooksContext extends Infra {
  readonly messenger: Messenger;
}

export function createMessenger(infra: Infra, options: { sender?: Sender } = {}): Messenger {
  const { db, log } = infra;
  const sender = options.sender ?? createSender(infra);
  const tools = createTools(infra, sender);
  const claim = createClaimer(db);
  const drains = new Map<string, Drain | undefined>();
  const beginning = new Set<Promise<Drain | undefined>>();
  const places = {
    healthy: createPlaces(PLACES.healthy),
    troubled: createPlaces(PLACES.troubled),
  };
  const stopping = new AbortController();
  const loops: Promise<void>[] = [];

  /** Undefined when there is nothing to send, or somebody is at it. */
  async function take(endpointId: string): Promise<Drain | undefined> {
    if (stopping.signal.aborted || isAtIt(endpointId)) return undefined;
    drains.set(endpointId, undefined);
    try {
      const view = await claim(endpointId, stopping.signal);
      if (view === undefined) return undefined;
      const drain = drainEndpoint(tools, view);
      const ended = drain.ended.finally(() => drains.delete(endpointId));
      // Whoever waits for it hears of it as well.
      ended.catch(() => {});
      if (stopping.signal.aborted) drain.stop();
      const kept = { ...drain, ended };
      drains.set(endpointId, kept);
      return kept;
    } finally {
      if (drains.get(endpointId) === undefined) drains.delete(endpointId);
    }
  }

  function isAtIt(endpointId: string): boolean {
    drains.get(endpointId)?.poke();
    return drains.has(endpointId);
  }

  async function begun(endpointId: string): Promise<Drain | undefined> {
    const taking = take(endpointId);
    beginning.add(taking);
    try {
      return await taking;
    } finally {
      beginning.delete(taking);
    }
  }

  async function begin(endpointId: string, ward: Ward): Promise<void> {
    if (isAtIt(endpointId)) return;
    const giveBack = await places[ward].take(stopping.signal);
    if (giveBack === undefined) return;
    let drain: Drain | undefined;
    try {
      drain = await begun(endpointId);
    } finally {
      if (drain === undefined) giveBack();
    }
    // Its claim runs out by itself, and whoever sweeps finds what is left.
    drain?.ended
      .catch((err) => log.warn({ err, endpointId }, "an endpoint could not be sent to"))
      .finally(giveBack);
  }

  async function every(ms: number, work: () => Promise<unknown>): Promise<void> {
    while (!stopping.signal.aborted) {
      await work().catch((err) => log.warn({ err }, "webhooks could not be looked after"));
      await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function renew(): Promise<void> {
    const claims = running(drains).map((one) => one.claim);
    if (claims.length > 0) await renewClaims(db, claims);
  }

  return {
    begin,
    deliver: async (endpointId) => (await begun(endpointId))?.ended,
    start: () =>
      void loops.push(
        every(RENEW_MS, renew),
        every(SWEEP_MS, () => makeOwed(db)),
        every(SWEEP_MS, () => sweepEndpoints(db)),
      ),
    async stop() {
      stopping.abort();
      for (const drain of running(drains)) drain.stop();
      await Promise.allSettled(beginning);
      const ended = Promise.allSettled(running(drains).map((drain) => drain.ended));
      await Promise.race([ended, sleep(STOP_MS_MAX)]);
      await sender.stop();
      await Promise.all([ended, ...loops]);
    },
  };
}

function running(drains: ReadonlyMap<string, Drain | undefined>): Drain[] {
  return [...drains.values()].filter((drain) => drain !== undefined);
}

/** Asks again for one that is only locked, for a moment. */
function createClaimer(db: Infra["db"]) {
  const sizeMax = ENDPOINTS_PER_STATEMENT;
  const claim = createBatcher<string, View | undefined>({
    run: (ids) => claimEndpoints(db, ids),
    sizeMax,
  });
  const isFree = createBatcher<string, boolean>({ run: (ids) => areFree(db, ids), sizeMax });
  return async (endpointId: string, signal: AbortSignal): Promise<View | undefined> => {
    for (const pauseMs of LOCKED_PAUSES_MS) {
      const view = await claim(endpointId);
      if (view !== undefined || !(await isFree(endpointId)) || signal.aborted) return view;
      await sleep(pauseMs);
    }
    return claim(endpointId);
  };
}

function createTools({ db, config, log }: Infra, sender: Sender): DrainTools {
  const end = createBatcher<EndedAttempt, Health>({
    run: (ended) => endAttempts(db, ended),
    sizeMax: ATTEMPTS_PER_STATEMENT,
    parallelMax: 2,
  });
  let underWay = 0;
  return {
    isCrowded: () => underWay >= ATTEMPTS_BEFORE_CROWDED,
    view: createBatcher<Claim, View | undefined>({
      run: (claims) => viewClaims(db, claims),
      sizeMax: ENDPOINTS_PER_STATEMENT,
    }),
    begin: createBatcher<Wanted, BegunAttempt | undefined>({
      run: (wanted) => beginAttempts({ db, config }, wanted),
      sizeMax: ATTEMPTS_PER_STATEMENT,
      parallelMax: 2,
    }),
    release: createBatcher<Release, boolean>({
      run: (releases) => releaseEndpoints(db, releases),
      sizeMax: ENDPOINTS_PER_STATEMENT,
    }),
    async make(begun) {
      underWay += 1;
      const ended = await makeAttempt(sender, begun).finally(() => {
        underWay -= 1;
      });
      const health = await end(ended);
      const goneLife = ended.responseStatus === GONE ? begun.life : undefined;
      await judgeEndpoint(db, begun.endpointId, { ...health, goneLife }).catch((err: unknown) => {
        // It will fail again, and then be judged again.
        log.error({ err, endpointId: begun.endpointId }, "a failing endpoint could not be judged");
      });
      return health;
    },
  };
}

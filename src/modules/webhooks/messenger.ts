/**
 * The messenger of one process: takes endpoints that are due, sends to them, keeps its claims
 * alive, and stops without losing anything (Decision 0034).
 *
 * What many endpoints want from the database at one moment goes as one statement (`kit/batch.ts`),
 * so that a thousand deliveries a second cost some tens of statements.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Infra } from "../../infra/context.ts";
import { createSender, type Sender } from "../../infra/outbound/send.ts";
import { createBatcher } from "../../kit/batch.ts";
import { type BegunAttempt, beginAttempts, type Wanted } from "./begin-attempts.ts";
import {
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
import { GONE, makeAttempt } from "./make-attempt.ts";
import { sweepEndpoints } from "./sweep-endpoints.ts";

const RENEW_MS = 3_000;
const SWEEP_MS = 1_000;
/** Attempts under way get this long to end by themselves when the process stops. */
const STOP_MS_MAX = 3_000;
const ENDPOINTS_PER_STATEMENT = 100;
/** Each brings a body of up to 64 KiB. */
const ATTEMPTS_PER_STATEMENT = 50;

export interface Messenger {
  /** Sends what is due at the endpoint, unless somebody else is at it. */
  deliver(endpointId: string): Promise<void>;
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
  const claim = createBatcher<string, View | undefined>({
    run: (ids) => claimEndpoints(db, ids),
    sizeMax: ENDPOINTS_PER_STATEMENT,
  });
  const drains = new Map<string, Drain | undefined>();
  const stopping = new AbortController();
  const loops: Promise<void>[] = [];

  async function deliver(endpointId: string): Promise<void> {
    if (stopping.signal.aborted) return;
    if (drains.has(endpointId)) return drains.get(endpointId)?.poke();
    drains.set(endpointId, undefined);
    try {
      const view = await claim(endpointId);
      if (view === undefined) return;
      const drain = drainEndpoint(tools, view);
      drains.set(endpointId, drain);
      if (stopping.signal.aborted) drain.stop();
      await drain.ended;
    } finally {
      drains.delete(endpointId);
    }
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
    deliver,
    start: () =>
      void loops.push(
        every(RENEW_MS, renew),
        every(SWEEP_MS, () => sweepEndpoints(db)),
      ),
    async stop() {
      stopping.abort();
      for (const drain of running(drains)) drain.stop();
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

function createTools({ db, config, log }: Infra, sender: Sender): DrainTools {
  const end = createBatcher<EndedAttempt, Health>({
    run: (ended) => endAttempts(db, ended),
    sizeMax: ATTEMPTS_PER_STATEMENT,
    parallelMax: 2,
  });
  return {
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
      const ended = await makeAttempt(sender, begun);
      const health = await end(ended);
      const goneUrl = ended.responseStatus === GONE ? begun.url : undefined;
      await judgeEndpoint(db, begun.endpointId, { ...health, goneUrl }).catch((err: unknown) => {
        // It will fail again, and then be judged again.
        log.error({ err, endpointId: begun.endpointId }, "a failing endpoint could not be judged");
      });
      return health;
    },
  };
}

/**
 * The messenger of one process: takes endpoints that are due, sends to them, keeps its claims
 * alive, and stops without losing anything (Decision 0034).
 *
 * What many endpoints want from the database at one moment goes as one statement (`kit/batch.ts`),
 * so that a thousand deliveries a second cost some tens of statements. A job only begins the
 * sending (`drains.ts`).
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Infra } from "../../infra/context.ts";
import { createLoop } from "../../infra/jobs/loop.ts";
import { createSender, type Sender } from "../../infra/outbound/send.ts";
import { createBatcher } from "../../kit/batch.ts";
import { type BegunAttempt, beginAttempts, type Wanted } from "./begin-attempts.ts";
import {
  type Claim,
  type Release,
  releaseEndpoints,
  renewClaims,
  type View,
  viewClaims,
} from "./claim-endpoint.ts";
import type { DrainTools } from "./drain-endpoint.ts";
import { createDrains, type Ward } from "./drains.ts";
import { type EndedAttempt, endAttempts, type Health } from "./end-attempts.ts";
import { judgeEndpoint } from "./failing.ts";
import { makeOwed } from "./fan-out.ts";
import { GONE, makeAttempt } from "./make-attempt.ts";
import { sweepEndpoints } from "./sweep-endpoints.ts";

const RENEW_MS = 3_000;
const SWEEP_MS = 1_000;
/** Attempts under way get this long to end by themselves when the process stops. */
const STOP_MS_MAX = 3_000;
const ENDPOINTS_PER_STATEMENT = 100;
/** Each brings a body of up to 64 KiB. */
const ATTEMPTS_PER_STATEMENT = 50;
/** With so many attempts under way, each holding a body, every endpoint gets one at a time. */
const ATTEMPTS_BEFORE_CROWDED = 1_000;

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
  const stopping = new AbortController();
  const drains = createDrains(infra, { tools, stopping: stopping.signal });

  const every = (ms: number, work: () => Promise<unknown>) =>
    createLoop(async () => {
      await work().catch((err) => log.warn({ err }, "webhooks could not be looked after"));
      return ms;
    });
  const loops = [
    every(RENEW_MS, renew),
    every(SWEEP_MS, () => makeOwed(db)),
    every(SWEEP_MS, () => sweepEndpoints(db)),
  ];

  async function renew(): Promise<void> {
    const claims = drains.running().map((one) => one.claim);
    if (claims.length > 0) await renewClaims(db, claims);
  }

  return {
    deliver: drains.deliver,
    begin: drains.begin,
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      stopping.abort();
      const stopped = loops.map((loop) => loop.stop());
      const ended = drains.stop();
      await Promise.race([ended, sleep(STOP_MS_MAX)]);
      await sender.stop();
      await Promise.all([ended, ...stopped]);
    },
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

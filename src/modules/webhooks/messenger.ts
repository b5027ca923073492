/**
 * The messenger of one process: sends to endpoints that are due, renews its claims, and stops
 * without losing anything (Decision 0034).
 *
 * The path of a delivery: `fan-out` makes it and adds a job (`wake-endpoint`); the job starts a
 * drain in a slot (`drains`), which claims the endpoint (`claim-endpoint`) and sends what is due
 * (`drain-endpoint`); each attempt is begun, made and ended (`begin-attempts`, `make-attempt`,
 * `end-attempts`). Statements for many endpoints are batched, so that a thousand deliveries a
 * second cost some tens of statements.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Infra } from "../../infra/context.ts";
import { defineJob } from "../../infra/jobs/job.ts";
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
import { Drains, type Lane } from "./drains.ts";
import { type EndedAttempt, endAttempts, type Health } from "./end-attempts.ts";
import { judgeEndpoint } from "./failing.ts";
import { makeOwed } from "./fan-out.ts";
import { GONE, makeAttempt } from "./make-attempt.ts";
import { DELIVER_WEBHOOKS, RETRY_WEBHOOKS, sweepEndpoints } from "./wake-endpoint.ts";

const RENEW_MS = 3_000;
const SWEEP_MS = 1_000;
/** Attempts in progress get this long to end by themselves when the process stops. */
const STOP_MS_MAX = 3_000;
const ENDPOINTS_PER_STATEMENT = 100;
/** Each brings a body of up to 64 KiB. */
const ATTEMPTS_PER_STATEMENT = 50;
/** With so many attempts in progress, each holding a body, every endpoint gets one at a time. */
const ATTEMPTS_BEFORE_BUSY = 1_000;
/** Jobs that start at once, not endpoints that are sent to: those have slots of their own. */
const JOBS_AT_ONCE = 100;

export interface Messenger extends Pick<Drains, "deliver" | "begin"> {
  /** Starts the upkeep: renewing claims, and finding what jobs missed. */
  start(): void;
  stop(): Promise<void>;
}

export interface WebhooksContext extends Infra {
  readonly messenger: Messenger;
}

export const deliverWebhooksJob = jobOf(DELIVER_WEBHOOKS, "healthy");
export const retryWebhooksJob = jobOf(RETRY_WEBHOOKS, "failing");

function jobOf(name: string, lane: Lane) {
  return defineJob({
    name,
    lane: { name: `${lane} endpoints`, concurrentMax: JOBS_AT_ONCE },
    async run({ messenger }: WebhooksContext, { endpointId }: { endpointId?: string }) {
      if (endpointId !== undefined) await messenger.begin(endpointId, lane);
    },
  });
}

export function createMessenger(infra: Infra, options: { sender?: Sender } = {}): Messenger {
  const { db, log } = infra;
  const sender = options.sender ?? createSender(infra);
  const stopping = new AbortController();
  const drains = new Drains(infra, createTools(infra, sender), stopping.signal);

  const every = (ms: number, work: () => Promise<unknown>) =>
    createLoop(async () => {
      await work().catch((err) => log.warn({ err }, "webhooks could not be looked after"));
      return ms;
    });
  const loops = [
    every(RENEW_MS, async () => {
      const claims = drains.running().map(({ claim }) => claim);
      if (claims.length > 0) await renewClaims(db, claims);
    }),
    every(SWEEP_MS, () => makeOwed(db)),
    every(SWEEP_MS, () => sweepEndpoints(db)),
  ];

  return {
    deliver: (endpointId) => drains.deliver(endpointId),
    begin: (endpointId, lane) => drains.begin(endpointId, lane),
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
  const perAttempt = { sizeMax: ATTEMPTS_PER_STATEMENT, parallelMax: 2 };
  const perEndpoint = { sizeMax: ENDPOINTS_PER_STATEMENT };
  const end = createBatcher<EndedAttempt, Health>({
    run: (ended) => endAttempts(db, ended),
    ...perAttempt,
  });
  let inProgress = 0;
  return {
    isBusy: () => inProgress >= ATTEMPTS_BEFORE_BUSY,
    view: createBatcher<Claim, View | undefined>({
      run: (claims) => viewClaims(db, claims),
      ...perEndpoint,
    }),
    begin: createBatcher<Wanted, BegunAttempt | undefined>({
      run: (wanted) => beginAttempts({ db, config }, wanted),
      ...perAttempt,
    }),
    release: createBatcher<Release, boolean>({
      run: (releases) => releaseEndpoints(db, releases),
      ...perEndpoint,
    }),
    async make(begun) {
      inProgress += 1;
      const ended = await makeAttempt(sender, begun).finally(() => {
        inProgress -= 1;
      });
      const health = await end(ended);
      const goneLife = ended.responseStatus === GONE ? begun.life : undefined;
      await judgeEndpoint(db, begun.endpoint_id, { ...health, goneLife }).catch((err: unknown) => {
        // It is judged again after its next failure.
        log.error({ err, endpointId: begun.endpoint_id }, "a failing endpoint could not be judged");
      });
      return health;
    },
  };
}

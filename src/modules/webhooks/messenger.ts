/**
 * The messenger of one process: sends to endpoints that are due, renews its claims, and stops
 * without losing anything (Decision 0034).
 *
 * The path of a delivery: `fan-out` makes it and says when its endpoint is due; a messenger claims
 * the endpoint (`claim-endpoint`) and starts a drain in a slot (`drains`), which sends what is due
 * (`drain-endpoint`); each attempt is begun, made and ended (`begin-attempts`, `make-attempt`,
 * `end-attempts`). Statements for many endpoints are batched, so that a thousand deliveries a
 * second cost some tens of statements.
 *
 * It looks for what is due when events were numbered in its process, and else a few times a second:
 * a job for each delivery cost as much as sending it (Decision 0137).
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Infra } from "../../infra/context.ts";
import { createLoop, together } from "../../infra/jobs/loop.ts";
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
import { Drains } from "./drains.ts";
import { type EndedAttempt, endAttempts, type Health } from "./end-attempts.ts";
import { judgeEndpoint } from "./failing.ts";
import { makeOwed } from "./fan-out.ts";
import { GONE, makeAttempt } from "./make-attempt.ts";

const RENEW_MS = 3_000;
const OWED_MS = 1_000;
const LOOK_MS = 250;
const TROUBLE_MS = 1_000;
/** Attempts in progress get this long to end by themselves when the process stops. */
const STOP_MS_MAX = 3_000;
const ENDPOINTS_PER_STATEMENT = 100;
/** Each brings a body of up to 64 KiB. */
const ATTEMPTS_PER_STATEMENT = 50;
/** With so many attempts in progress, each holding a body, every endpoint gets one at a time. */
const ATTEMPTS_BEFORE_BUSY = 1_000;

export interface Messenger extends Pick<Drains, "deliver" | "claim"> {
  /** Sends what is due, by itself, until it is stopped. */
  start(): void;
  /** Something may be due that was not a moment ago. */
  hurry(): void;
  stop(): Promise<void>;
}

export interface WebhooksContext extends Infra {
  readonly messenger: Messenger;
}

export function createMessenger(infra: Infra, options: { sender?: Sender } = {}): Messenger {
  const { db, log } = infra;
  const sender = options.sender ?? createSender(infra);
  const stopping = new AbortController();
  const drains = new Drains(infra, createTools(infra, sender), stopping.signal);

  const complain = (err: unknown) => log.warn({ err }, "webhooks could not be looked after");
  const every = (ms: number, work: () => Promise<void>) =>
    createLoop(async () => {
      await work().catch(complain);
      return ms;
    });
  const looking = createLoop(async () => {
    const isMore = await drains.claim().catch(complain);
    if (isMore === undefined) return TROUBLE_MS;
    return isMore ? 0 : LOOK_MS;
  });
  const loops = together([
    looking,
    every(RENEW_MS, async () => {
      const claims = drains.claims();
      if (claims.length > 0) await renewClaims(db, claims);
    }),
    every(OWED_MS, () => makeOwed(db)),
  ]);

  return {
    deliver: (endpointId) => drains.deliver(endpointId),
    claim: () => drains.claim(),
    start: loops.start,
    hurry: looking.hurry,
    async stop() {
      stopping.abort();
      // Those of a look that is under way stop as they start.
      const told = drains.stop();
      const ended = looking.stop().then(() => Promise.all([told, drains.stop()]));
      await Promise.race([ended, sleep(STOP_MS_MAX)]);
      await sender.stop();
      await Promise.all([ended, loops.stop()]);
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

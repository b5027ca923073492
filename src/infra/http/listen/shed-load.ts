/**
 * Sheds load: refuses a request with 503 and `Retry-After` when the process is stopping, while the
 * database is copied or exchanged (Decision 0105), when its event loop runs late, when requests
 * queue for a database connection, or when it is at work on as many requests as it can answer soon
 * (Decision 0075). A queue would make every client late, and those at its end would have given up
 * by the time they are served.
 *
 * Health is never refused, and a customer who is paying has room of their own. Only work of ours
 * counts: not the time in which a client sends its body or reads its answer, or slow clients would
 * take all the room.
 */

import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Counter } from "prom-client";
import { SECOND_MS } from "../../../kit/clock.ts";
import { Unavailable } from "../../../kit/errors.ts";
import type { Log } from "../../log.ts";
import type { PendingRequest } from "./pending-request.ts";

const NANOSECONDS_PER_MS = 1e6;
const CONNECTION_WAITERS_MAX = 50;
/**
 * Of the turns of a second, one in ten must be late: a single long one, such as a full garbage
 * collection, is over when it is noticed, and is no reason to refuse requests for a second.
 */
const LATE_PERCENTILE = 90;
/** Room for requests of high priority, as a multiple of that for all. */
const HIGH_PRIORITY_FACTOR = 2;
const PAUSE_POLL_MS = 5;
/** What `/readyz` says while no request is taken. */
const NOT_TAKING = {
  stopping: "The process is stopping.",
  paused: "The database is being copied or exchanged.",
} as const;
/** Why one is refused, as the metric names it and as the log says it. */
const CAUSES = {
  stopping: "the process is stopping",
  paused: "the database is being copied or exchanged",
  late: "the event loop runs late",
  connections: "no database connection is free",
  busy: "too many requests at once",
} as const;
type Reason = keyof typeof CAUSES;

const shed = new Counter({
  name: "windward_http_requests_shed_total",
  help: "Requests refused with 503 before anything was done for them, by reason.",
  labelNames: ["reason"],
});
for (const reason of Object.keys(CAUSES)) shed.inc({ reason }, 0);

export class LoadShed extends Unavailable {}

export interface LoadShedder {
  /** Throws the 503 when there is no room. */
  demandRoom(request: PendingRequest): void;
  /** Counts it as being at work: once, and not after its answer, when nobody would leave. */
  enter(request: PendingRequest): void;
  leave(request: PendingRequest): void;
  drain(): void;
  isDraining(): boolean;
  /** From now on all are refused, while connections stay open; resolves when few are at work. */
  pause(atWorkMax: number): Promise<void>;
  stop(): void;
}

interface Options {
  readonly atOnceMax: number;
  /** 0: never late. */
  readonly loopDelayMsMax: number;
  /** How many wait for a database connection. */
  readonly waiting: () => number;
  /** With a sentence that says why, when from now on no request is taken. */
  readonly onNotTaking: (why: string) => void;
  readonly log: Log;
}

export function createLoadShedder(options: Options): LoadShedder {
  const { atOnceMax, loopDelayMsMax, waiting, onNotTaking, log } = options;
  const lateness = watchLateness(loopDelayMsMax);
  let isLate = false;
  let isDraining = false;
  let isPaused = false;
  let atWork = 0;
  const refusals = countRefusals(log);
  const logRefusals = () => refusals.log({ atWork, isLate, isDraining, isPaused });
  const timer = setInterval(() => {
    isLate = lateness.look();
    logRefusals();
  }, SECOND_MS).unref();

  function reasonToRefuse(highPriority: boolean): Reason | undefined {
    if (isDraining) return "stopping";
    if (isPaused || isLate) return isPaused ? "paused" : "late";
    if (waiting() > CONNECTION_WAITERS_MAX) return "connections";
    const room = highPriority ? atOnceMax * HIGH_PRIORITY_FACTOR : atOnceMax;
    return atWork < room ? undefined : "busy";
  }

  return {
    demandRoom({ endpoint }) {
      if (endpoint?.isOperational) return;
      const reason = reasonToRefuse(endpoint?.highPriority === true);
      if (reason === undefined) return;
      refusals.add();
      shed.inc({ reason });
      throw new LoadShed({ cause: CAUSES[reason] });
    },
    enter(request) {
      if (request.isAtWork || request.isAnswered || request.endpoint?.isOperational) return;
      request.isAtWork = true;
      atWork += 1;
    },
    leave(request) {
      if (!request.isAtWork) return;
      request.isAtWork = false;
      atWork -= 1;
    },
    drain() {
      isDraining = true;
      onNotTaking(NOT_TAKING.stopping);
    },
    isDraining: () => isDraining,
    async pause(atWorkMax) {
      isPaused = true;
      onNotTaking(NOT_TAKING.paused);
      while (atWork > atWorkMax) await sleep(PAUSE_POLL_MS);
    },
    stop() {
      // A pause is often over before the timer comes round.
      logRefusals();
      clearInterval(timer);
      lateness.stop();
    },
  };
}

/** Whether the event loop ran late since the last look. */
function watchLateness(delayMsMax: number) {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  return {
    look(): boolean {
      const delayMs = histogram.percentile(LATE_PERCENTILE) / NANOSECONDS_PER_MS;
      histogram.reset();
      return delayMsMax > 0 && delayMs > delayMsMax;
    },
    stop: () => void histogram.disable(),
  };
}

/** Logged together: a line for each would cost more than refusing it. */
function countRefusals(log: Log) {
  let refused = 0;
  return {
    add(): void {
      refused += 1;
    },
    log(about: object): void {
      if (refused > 0) log.warn({ refused, ...about }, "requests were refused");
      refused = 0;
    },
  };
}

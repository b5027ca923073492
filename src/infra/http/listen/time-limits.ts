/**
 * How long a request may take: its body must have arrived within 15 seconds, or a minute when it
 * is an upload (408, by Node's own limit); then its use case has ten to answer (503, whatever it
 * still does). One that has been at work for two seconds waits for something outside, such as the
 * card's bank, and no longer counts as load (Decision 0075).
 *
 * One timer checks all of them, once a second: Node has one limit for all bodies, and a timer for
 * each request costs as much as the rest of its way through the server. The same check finds
 * clients that have gone away, for which every request would need a listener.
 */

import { SECOND_MS } from "../../../kit/clock.ts";
import { type ServiceError, Unavailable } from "../../../kit/errors.ts";
import { HttpRefused } from "../http-refused.ts";
import type { Exchange } from "./exchange.ts";

const BODY_MS_MAX = 14 * SECOND_MS; // and up to one more until the next check
export const UPLOAD_MS_MAX = 60 * SECOND_MS;
const USE_CASE_MS_MAX = 10 * SECOND_MS;
const COUNTED_MS_MAX = 2 * SECOND_MS;

export interface TimeLimits {
  watch(exchange: Exchange): void;
  /** The body is there: from now on the use case is waited for. */
  startUseCase(exchange: Exchange): void;
  forget(exchange: Exchange): void;
  stop(): void;
}

interface Options {
  readonly leaveLoad: (exchange: Exchange) => void;
  readonly answerLate: (exchange: Exchange, refusal: ServiceError) => void;
}

export function createTimeLimits({ leaveLoad, answerLate }: Options): TimeLimits {
  // A list with holes and not a Map: each time a Map grows it leaves a table behind that points to
  // its successor, and one such table in old space made the scavenges ten times as long.
  const watched: (Exchange | undefined)[] = [];
  const free: number[] = [];
  const forget = (exchange: Exchange) => {
    if (exchange.slot === -1) return;
    watched[exchange.slot] = undefined;
    free.push(exchange.slot);
    exchange.slot = -1;
  };
  const check = (exchange: Exchange, now: number) => {
    const isGone = exchange.raw.socket.destroyed;
    if (isGone || now - exchange.beganAt > COUNTED_MS_MAX) leaveLoad(exchange);
    if (!isGone && exchange.lateAt > now) return;
    forget(exchange);
    if (!isGone) answerLate(exchange, lateness(exchange));
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (const exchange of watched) if (exchange !== undefined) check(exchange, now);
  }, SECOND_MS).unref();
  return {
    watch(exchange) {
      exchange.lateAt = exchange.endpoint?.isUpload ? Infinity : exchange.beganAt + BODY_MS_MAX;
      exchange.slot = free.pop() ?? watched.length;
      watched[exchange.slot] = exchange;
    },
    startUseCase(exchange) {
      exchange.lateAt = performance.now() + USE_CASE_MS_MAX;
    },
    forget,
    stop: () => clearInterval(timer),
  };
}

function lateness({ isReceivingBody }: Exchange): ServiceError {
  return isReceivingBody
    ? new HttpRefused("request_timeout", { headers: { connection: "close" } })
    : new Unavailable({ cause: "the use case took too long" });
}

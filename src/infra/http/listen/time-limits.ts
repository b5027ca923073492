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
import type { PendingRequest } from "./pending-request.ts";

const BODY_MS_MAX = 14 * SECOND_MS; // and up to one more until the next check
export const UPLOAD_MS_MAX = 60 * SECOND_MS;
const USE_CASE_MS_MAX = 10 * SECOND_MS;
const COUNTED_MS_MAX = 2 * SECOND_MS;

export interface TimeLimits {
  watch(request: PendingRequest): void;
  /** The body is there: from now on the use case is waited for. */
  startUseCase(request: PendingRequest): void;
  forget(request: PendingRequest): void;
  stop(): void;
}

interface Options {
  readonly leaveLoad: (request: PendingRequest) => void;
  readonly answerLate: (request: PendingRequest, refusal: ServiceError) => void;
}

export function createTimeLimits({ leaveLoad, answerLate }: Options): TimeLimits {
  // A list with holes and not a Map: each time a Map grows it leaves a table behind that points to
  // its successor, and one such table in old space made the scavenges ten times as long.
  const watched: (PendingRequest | undefined)[] = [];
  const free: number[] = [];
  const forget = (request: PendingRequest) => {
    if (request.slot === -1) return;
    watched[request.slot] = undefined;
    free.push(request.slot);
    request.slot = -1;
  };
  const check = (request: PendingRequest, now: number) => {
    const isGone = request.raw.socket.destroyed;
    if (isGone || now - request.beganAt > COUNTED_MS_MAX) leaveLoad(request);
    if (!isGone && request.lateAt > now) return;
    forget(request);
    if (!isGone) answerLate(request, lateness(request));
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (const request of watched) if (request !== undefined) check(request, now);
  }, SECOND_MS).unref();
  return {
    watch(request) {
      request.lateAt = request.endpoint?.isUpload ? Infinity : request.beganAt + BODY_MS_MAX;
      request.slot = free.pop() ?? watched.length;
      watched[request.slot] = request;
    },
    startUseCase(request) {
      request.lateAt = performance.now() + USE_CASE_MS_MAX;
    },
    forget,
    stop: () => clearInterval(timer),
  };
}

function lateness({ isReceivingBody }: PendingRequest): ServiceError {
  return isReceivingBody
    ? new HttpRefused("request_timeout", { headers: { connection: "close" } })
    : new Unavailable({ cause: "the use case took too long" });
}

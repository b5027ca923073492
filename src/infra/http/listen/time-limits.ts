/**
 * How long a request may take: its body must have arrived within 15 seconds, or a minute when it
 * is an upload (408, one by one: Decision 0056); then its handler has ten to answer (503, whatever
 * it still does).
 *
 * One timer looks over all of them, once a second. Node has one limit for all bodies, and
 * Fastify's makes a timer and an abort signal for each request, which costs as much as the rest
 * of its way through the server. The same look finds clients that have gone away: to hear of it at
 * once, every request would need a listener.
 */

import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SECOND_MS } from "../../../kit/clock.ts";
import { type ServiceError, Unavailable } from "../../../kit/errors.ts";
import { farewell } from "../end-connection.ts";
import { HttpRefused, renderError } from "../serve/render-error.ts";

const BODY_MS_MAX = 14 * SECOND_MS; // and up to one more until somebody looks
export const UPLOAD_MS_MAX = 60 * SECOND_MS;
const HANDLER_MS_MAX = 10 * SECOND_MS;

interface UnderWay {
  readonly reply: FastifyReply;
  readonly until: number;
  readonly refusal: () => ServiceError;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Where it stands among the requests under way; -1 before and after. */
    place: number;
  }
}

export interface TimeLimits {
  /** From here on the body is waited for. */
  watchBody(request: FastifyRequest, reply: FastifyReply): void;
}

export function limitTimes(app: FastifyInstance): TimeLimits {
  const underWay = createSlots<UnderWay>();
  const leave = (request: FastifyRequest) => {
    if (request.place !== -1) underWay.leave(request.place);
    request.place = -1;
  };
  app.decorateRequest("place", -1);
  app.addHook("preHandler", (request, reply, done) => {
    leave(request);
    const until = performance.now() + HANDLER_MS_MAX;
    request.place = underWay.take({ reply, until, refusal: handlerIsLate });
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    leave(request);
    endUnlessWhole(request.raw);
    done();
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const { reply, until, refusal } of underWay.taken()) {
      const { request } = reply;
      const isGone = request.raw.socket.destroyed;
      if (until > now && !isGone) continue;
      leave(request);
      if (isGone) continue;
      farewell(() => {
        // Its body came while it waited to be told: now its handler is waited for.
        if (request.place !== -1) return;
        // Of an answer that is under way already, whoever sends it sees to its end.
        if (!reply.sent && !reply.raw.headersSent) renderError(refusal(), request, reply);
      });
    }
  }, SECOND_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return {
    watchBody(request, reply) {
      // Uploads are left to Node, whose limit is theirs.
      if (!hasBody(request) || request.routeOptions.config.isUpload) return;
      const until = performance.now() + BODY_MS_MAX;
      request.place = underWay.take({ reply, until, refusal: bodyIsLate });
    },
  };
}

/**
 * For a request that has its answer. One that was refused before its body was there could go on
 * sending it, and hold its connection with that.
 */
export function endUnlessWhole(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  const late = setTimeout(() => request.complete || socket.destroy(), BODY_MS_MAX).unref();
  request.once("close", () => clearTimeout(late));
}

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function bodyIsLate(): ServiceError {
  return new HttpRefused("request_timeout", { headers: { connection: "close" } });
}

function handlerIsLate(): ServiceError {
  return new Unavailable({ cause: "the handler took too long" });
}

/**
 * Things that come and go, each at a place of its own. A Map would do but for its garbage: every
 * time it makes room it leaves a table behind that points to its successor, so that one such table
 * in old space keeps all that came later until the next full collection. That made the scavenges
 * ten times as long.
 */
function createSlots<T>() {
  const places: (T | undefined)[] = [];
  const free: number[] = [];
  return {
    take(thing: T): number {
      const place = free.pop() ?? places.length;
      places[place] = thing;
      return place;
    },
    leave(place: number): void {
      places[place] = undefined;
      free.push(place);
    },
    taken: (): T[] => places.filter((thing) => thing !== undefined),
  };
}

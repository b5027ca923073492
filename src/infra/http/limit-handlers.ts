/**
 * No request is worked on for longer than ten seconds: then it hears 503, whatever its handler
 * still does. One timer looks over all of them, once a second; Fastify's own limit makes a timer
 * and an abort signal for each request, which costs as much as the rest of its way through the
 * server.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SECOND_MS } from "../../kit/clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import { renderError } from "./render-error.ts";

const HANDLER_MS_MAX = 10 * SECOND_MS;

interface UnderWay {
  readonly reply: FastifyReply;
  readonly since: number;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Where it stands among the requests under way; -1 before and after. */
    place: number;
  }
}

export function limitHandlers(app: FastifyInstance): void {
  const underWay = createPlaces<UnderWay>();
  app.decorateRequest("place", -1);
  app.addHook("preHandler", (request, reply, done) => {
    request.place = underWay.take({ reply, since: performance.now() });
    done();
  });
  const leave = (request: FastifyRequest) => {
    if (request.place !== -1) underWay.leave(request.place);
    request.place = -1;
  };
  app.addHook("onResponse", (request, _reply, done) => {
    leave(request);
    done();
  });
  app.addHook("onRequestAbort", (request, done) => {
    leave(request);
    done();
  });
  const timer = setInterval(() => {
    const longAgo = performance.now() - HANDLER_MS_MAX;
    for (const { reply, since } of underWay.taken()) {
      if (since > longAgo) continue;
      leave(reply.request);
      if (reply.sent) continue;
      renderError(new Unavailable({ cause: "the handler took too long" }), reply.request, reply);
    }
  }, SECOND_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}

/**
 * Things that come and go, each at a place of its own. A Map would do but for its garbage: every
 * time it makes room it leaves a table behind that points to its successor, so that one such table
 * in old space keeps all that came later until the next full collection. That made the scavenges
 * ten times as long.
 */
function createPlaces<T>() {
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

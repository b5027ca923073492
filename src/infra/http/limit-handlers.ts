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
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly since: number;
}

export function limitHandlers(app: FastifyInstance): void {
  const underWay = new Map<string, UnderWay>();
  app.addHook("preHandler", (request, reply, done) => {
    underWay.set(request.id, { request, reply, since: performance.now() });
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    underWay.delete(request.id);
    done();
  });
  app.addHook("onRequestAbort", (request, done) => {
    underWay.delete(request.id);
    done();
  });
  const timer = setInterval(() => {
    const longAgo = performance.now() - HANDLER_MS_MAX;
    for (const [id, { request, reply, since }] of underWay) {
      if (since > longAgo) break; // they stand in the order of their beginning
      underWay.delete(id);
      if (reply.sent) continue;
      renderError(new Unavailable({ cause: "the handler took too long" }), request, reply);
    }
  }, SECOND_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}

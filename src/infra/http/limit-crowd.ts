/**
 * Lets no more requests in than can be answered soon: the others hear 503 at once, before anybody
 * asks who they are or reads their body (Decision 0056). A queue would only make everybody late,
 * and those at its end would have given up by the time that they are served.
 *
 * Only what we are at work on counts: not the time in which a client sends its body, and not the
 * time in which it reads the answer. Slow clients would take all places.
 */

import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SECOND_MS } from "../../kit/clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Log } from "../log.ts";
import { createCrowd } from "./crowd.ts";
import { isOperational } from "./guards.ts";
import { type Measured, measured } from "./measure-requests.ts";
import { sendError } from "./render-error.ts";

/** Whoever is about to pay goes before those who come with something new. */
const TIMES_FOR_FIRST = 2;
/** Requests that wait on one connection. Clients that send more than one are rare. */
const WAITING_MAX = 8;

const BUSY = new Unavailable({ cause: "too many requests at once" });
const NOT_IN = -1;

declare module "fastify" {
  interface FastifyContextConfig {
    goesFirst?: boolean;
  }
  interface FastifyRequest {
    /** When it came in, as the crowd counts; -1 before and after. */
    step: number;
  }
}

declare module "node:net" {
  interface Socket {
    /** Requests whose answers are not out; undefined until the first. */
    unanswered?: number;
    /** Whether its last answer is on its way, so that what comes after it is not looked at. */
    isEnding?: boolean;
  }
}

export interface Door {
  /** False: it has been told so. */
  admits(request: FastifyRequest, reply: FastifyReply): boolean;
}

export function limitCrowd(
  app: FastifyInstance,
  { atOnceMax, log }: { atOnceMax: number; log: Log },
): Door {
  const crowd = createCrowd();
  const turnedAway = createTurnedAway(app, log);
  const enter = (request: FastifyRequest) => {
    request.step = crowd.enter();
  };
  const leave = (request: FastifyRequest) => {
    if (request.step !== NOT_IN) crowd.leave(request.step);
    request.step = NOT_IN;
  };
  leaveWhatIsBehind(app.server);
  app.decorateRequest("step", NOT_IN);
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    if (!request.raw.complete) leave(request);
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    if (request.step === NOT_IN) enter(request);
    done();
  });
  app.addHook("onSend", (request, _reply, _payload, done) => {
    leave(request);
    done();
  });
  app.addHook("onResponse", ({ raw: { socket } }, _reply, done) => {
    socket.unanswered = (socket.unanswered ?? 1) - 1;
    done();
  });

  return {
    admits(request, reply) {
      const { socket } = request.raw;
      const waiting = (socket.unanswered ?? 0) + 1;
      socket.unanswered = waiting;
      if (waiting <= WAITING_MAX && hasRoom(request, crowd.size())) {
        enter(request);
        return true;
      }
      request.measured = turnedAway.count(request.method);
      if (waiting > WAITING_MAX) endWith(socket, reply);
      sendError(request, reply, BUSY);
      return false;
    },
  };

  function hasRoom(request: FastifyRequest, size: number): boolean {
    if (size < atOnceMax || isOperational(request)) return true;
    return size < atOnceMax * TIMES_FOR_FIRST && goesFirst(request);
  }
}

function goesFirst({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.goesFirst === true;
}

/** In front of the framework: there may be hundreds of them in what was read at once. */
function leaveWhatIsBehind(server: Server): void {
  const [serve] = server.listeners("request") as [RequestListener];
  server.removeListener("request", serve).on("request", (request, response) => {
    if (!request.socket.isEnding) serve(request, response);
  });
}

/** All that waits behind this answer goes with the connection. */
function endWith(socket: Socket, reply: FastifyReply): void {
  socket.isEnding = true;
  void reply.header("connection", "close");
}

/** They are told of together: a line for each would cost more than turning it away. */
function createTurnedAway(app: FastifyInstance, log: Log) {
  const byMethod = new Map<string, Measured>();
  let count = 0;
  const timer = setInterval(() => {
    if (count > 0) log.warn({ count }, "requests were turned away: too many at once");
    count = 0;
  }, SECOND_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return {
    count(method: string): Measured {
      count += 1;
      const known = byMethod.get(method) ?? { ...measured(method, "none"), isQuiet: true };
      byMethod.set(method, known);
      return known;
    },
  };
}

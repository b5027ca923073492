/**
 * Lets no more requests in than can be answered soon: the others hear 503, before anybody asks who
 * they are or reads their body (Decision 0056). A queue would only make everybody late, and those
 * at its end would have given up by the time that they are served.
 *
 * One too many is told so in front of the framework (`turn-away.ts`) where its address alone says
 * in which words, else by `letIn`. Either way its connection rests (`rest-connections.ts`, Decision
 * 0057), and ends after very many. A newcomer may rest before anything was read of it, and then
 * hears 503 on the bare socket (`end-connection.ts`).
 *
 * Only what we are at work on counts: not the time in which a client sends its body, and not the
 * time in which it reads the answer. Slow clients would take all places.
 */

import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Crowd, createCrowd } from "./crowd.ts";
import { endSlowly, endWith } from "./end-connection.ts";
import { isOperational } from "./listen/guards.ts";
import { createRests, readNoMore } from "./rest-connections.ts";
import { sendError } from "./serve/render-error.ts";
import { BUSY, type TurnAway } from "./turn-away.ts";

/** Whoever is about to pay goes before those who come with something new. */
const TIMES_FOR_FIRST = 2;
/** Requests that wait on one connection. Clients that send more than one are rare. */
const WAITING_MAX = 32;
/**
 * Refused in one go on one connection, of requests so small that hundreds are read at once. Then it
 * ends without a rest: to tell the others would hold up everybody.
 */
const REFUSED_MAX = 256;

const NOT_IN = -1;

declare module "fastify" {
  interface FastifyContextConfig {
    highPriority?: boolean;
  }
  interface FastifyRequest {
    /** When it came in, as the crowd counts; -1 before and after. */
    crowdStep: number;
  }
}

declare module "node:net" {
  interface Socket {
    /** Requests whose answers are not out; undefined until the first. */
    unanswered?: number;
  }
}

export interface CrowdLimit {
  /** False when it has been told to come back. */
  letIn(request: FastifyRequest, reply: FastifyReply): boolean;
}

export function limitCrowd(
  app: FastifyInstance,
  { atOnceMax, turnAway }: { atOnceMax: number; turnAway: TurnAway },
): CrowdLimit {
  const crowd = createCrowd();
  const rests = createRests({
    room: () => atOnceMax - crowd.size(),
    endUnread: (socket, how) => endUnread(socket, turnAway, how),
  });
  const enter = countAtWork(app, crowd);
  const isFull = () => crowd.size() >= atOnceMax;
  /** Whether it is the last on its connection. */
  const refuseOn = (socket: Socket, how: { isBehindOthers: boolean }): boolean => {
    const isLast = rests.refusedOf(socket) >= REFUSED_MAX;
    if (isLast) readNoMore(socket);
    else rests.noteRefused(socket, how);
    return isLast;
  };
  app.server.on("connection", (socket) => {
    if (rests.areAny() || isFull()) rests.noteNewcomer(socket);
  });
  standInFront(app.server, (request, response) => {
    const { socket } = request;
    const { unanswered = 0 } = socket;
    if (!isFull() && unanswered < WAITING_MAX) return false;
    const words = turnAway.wordsFor(request);
    if (words === undefined) return false;
    const isLast = refuseOn(socket, { isBehindOthers: unanswered > 0 });
    turnAway.tell(request, response, { words, isLast });
    return true;
  });
  app.addHook("onClose", async () => {
    turnAway.stop();
    rests.stop();
  });

  return {
    letIn(request, reply) {
      const { socket } = request.raw;
      const waiting = (socket.unanswered ?? 0) + 1;
      socket.unanswered = waiting;
      if (waiting <= WAITING_MAX && hasRoom(request, crowd.size())) {
        enter(request);
        return true;
      }
      request.measured = turnAway.note(request.method);
      const isLast = refuseOn(socket, { isBehindOthers: waiting > 1 });
      if (isLast) void reply.header("connection", "close");
      sendError(request, reply, BUSY);
      return false;
    },
  };

  function hasRoom(request: FastifyRequest, size: number): boolean {
    if (size < atOnceMax || isOperational(request)) return true;
    return size < atOnceMax * TIMES_FOR_FIRST && highPriority(request);
  }
}

/** From when a request is whole until its answer is handed over. Gives what lets one in. */
function countAtWork(app: FastifyInstance, crowd: Crowd): (request: FastifyRequest) => void {
  /** Health is asked after without a limit: whoever asks often must not fill the place with it. */
  const enter = (request: FastifyRequest) => {
    if (!isOperational(request)) request.crowdStep = crowd.enter();
  };
  const leave = (request: FastifyRequest) => {
    if (request.crowdStep !== NOT_IN) crowd.leave(request.crowdStep);
    request.crowdStep = NOT_IN;
  };
  app.decorateRequest("crowdStep", NOT_IN);
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    if (!request.raw.complete) leave(request);
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    if (request.crowdStep === NOT_IN) enter(request);
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
  return enter;
}

function highPriority({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.highPriority === true;
}

function endUnread(socket: Socket, turnAway: TurnAway, { isNewcomer }: { isNewcomer: boolean }) {
  turnAway.noteUnread();
  readNoMore(socket);
  if (isNewcomer) endWith(socket, BUSY);
  else endSlowly(socket);
}

/** Most are turned away before the framework sees them. */
function standInFront(
  server: Server,
  turnsAway: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const [serve] = server.listeners("request") as [RequestListener];
  server.removeListener("request", serve).on("request", (request, response) => {
    if (request.socket.isEnding) return;
    if (!turnsAway(request, response)) serve(request, response);
  });
}

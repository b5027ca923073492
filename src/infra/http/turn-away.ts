/**
 * Tells a request that it comes at a bad moment, in front of the framework: when there are ten
 * times too many, what it costs to refuse one decides how many others are served. Addresses with a
 * part that varies are left to the framework, which knows whose they are (Decision 0056).
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { SECOND_MS } from "../../kit/clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import { newRequestId } from "../../kit/ids.ts";
import type { Log } from "../log.ts";
import { type Answer, bodyOf, JSON_TYPE } from "./answer.ts";
import { OPERATIONAL_PATHS } from "./listen/guards.ts";
import { endUnlessWhole } from "./listen/time-limits.ts";
import type { ErrorPage, Route } from "./route.ts";
import { countAnswer, type Measured, measured } from "./serve/measure-requests.ts";
import { helpHeaders, PROBLEM_TYPE, prefersProblem, problemOf } from "./serve/problem.ts";
import { linesOf } from "./serve/response-headers.ts";

export const BUSY = new Unavailable({ cause: "too many requests at once" });

export interface TurnAway {
  /** Undefined where it cannot know what would be said there. */
  wordsFor(request: IncomingMessage): Words | undefined;
  tell(
    request: IncomingMessage,
    response: ServerResponse,
    given: { words: Words; isLast: boolean },
  ): void;
  /** Counts one; gives the tally that its answer goes into. */
  note(method: string): Measured;
  /** Counts a connection that was closed with all that it had sent. */
  noteUnread(): void;
  stop(): void;
}

export function createTurnAway<Ctx>(routes: readonly Route<Ctx>[], log: Log): TurnAway {
  const wordsOf = new Map<string, (request: IncomingMessage) => Words>();
  for (const { method, path, errorPage, highPriority } of routes)
    if (!path.includes("{") && !highPriority && !OPERATIONAL_PATHS.includes(path))
      wordsOf.set(`${method} ${path}`, errorPage === undefined ? () => PLAIN : pageOf(errorPage));
  const count = createCount(log);
  return {
    ...count,
    wordsFor: (request) => wordsOf.get(`${request.method} ${request.url}`)?.(request),
    tell(request, response, { words, isLast }) {
      sendTogether(request.socket);
      const requestId = newRequestId();
      response.requestLine = `x-request-id: ${requestId}\r\n${HELP_LINES}`;
      const { contentType = JSON_TYPE, headers, body } = wordsAsAsked(request, words, requestId);
      if (isLast) response.shouldKeepAlive = false;
      response.writeHead(BUSY.status, {
        ...BUSY.headers,
        ...headers,
        "content-type": contentType,
        "content-length": Buffer.byteLength(body),
      });
      if (!request.complete) response.once("finish", () => endUnlessWhole(request));
      response.end(request.method === "HEAD" ? "" : body);
      countAnswer(count.note(request.method ?? ""), BUSY.status, 0);
    },
  };
}

/** What is told to those that were read in one go leaves in one go. */
function sendTogether(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

const HELP_LINES = linesOf(helpHeaders(BUSY.code));

/** As problem+json where the client prefers that to JSON. */
function wordsAsAsked({ headers }: IncomingMessage, words: Words, requestId: string): Words {
  const isJson = words.contentType === undefined || words.contentType === JSON_TYPE;
  if (!isJson || !prefersProblem(headers.accept)) return words;
  const body: object = JSON.parse(words.body.toString());
  const problem = JSON.stringify(problemOf(BUSY, { requestId, body }));
  return { ...words, contentType: PROBLEM_TYPE, body: problem };
}

type Words = Pick<Answer, "contentType" | "headers"> & { readonly body: string | Buffer };

const PLAIN: Words = {
  contentType: JSON_TYPE,
  body: JSON.stringify({ message: BUSY.message }),
};

function pageOf(errorPage: ErrorPage): (request: IncomingMessage) => Words {
  return ({ headers: given }) => {
    const page = errorPage(BUSY.status, {
      refusal: BUSY,
      params: {},
      body: undefined,
      header: (name) => given[name]?.toString(),
    });
    return { ...page, body: bodyOf(page) };
  };
}

/** They are told of together: a line for each would cost more than turning it away. */
function createCount(log: Log): Pick<TurnAway, "note" | "noteUnread" | "stop"> {
  const byMethod = new Map<string, Measured>();
  const counts = { turnedAway: 0, closedUnread: 0 };
  const timer = setInterval(() => {
    if (counts.turnedAway + counts.closedUnread === 0) return;
    log.warn({ ...counts }, "requests were turned away: too many at once");
    Object.assign(counts, { turnedAway: 0, closedUnread: 0 });
  }, SECOND_MS).unref();
  return {
    noteUnread() {
      counts.closedUnread += 1;
    },
    note(method) {
      counts.turnedAway += 1;
      const known = byMethod.get(method) ?? { ...measured(method, "none"), isQuiet: true };
      byMethod.set(method, known);
      return known;
    },
    stop: () => clearInterval(timer),
  };
}

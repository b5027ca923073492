/**
 * What happens to a request, in this order: its path is found, its shape is checked, load is shed,
 * the caller is admitted, the body is read, the use case runs, the answer is written (Decision
 * 0076).
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "../../../kit/errors.ts";
import { traceIdOf, within } from "../../../kit/trace.ts";
import type { Log } from "../../log.ts";
import type { Answer } from "../answer.ts";
import type { RecordAnswer } from "../answered.ts";
import { HttpRefused } from "../http-refused.ts";
import type { ErrorPage } from "../route.ts";
import { countAnswer, logAnswer, measured, NO_ROUTE } from "../serve/measure-requests.ts";
import { errorAnswer, refusalFor } from "../serve/render-error.ts";
import { answerOtherMethod, isAmbiguous, type Router, type ServedPath } from "../serve/router.ts";
import { writeAnswer } from "../serve/write-answer.ts";
import type { createShapeCheck } from "./check-request-shape.ts";
import { createPendingRequest, type PendingRequest } from "./pending-request.ts";
import { LoadShed, type LoadShedder } from "./shed-load.ts";
import { createTimeLimits, type TimeLimits } from "./time-limits.ts";
import { beginRequestSpan, endRequestSpan } from "./trace-request.ts";

export interface RequestHandler {
  handle(raw: IncomingMessage, response: ServerResponse): void;
  stop(): void;
}

interface Parts {
  readonly router: Router;
  readonly checkShape: ReturnType<typeof createShapeCheck>;
  readonly load: LoadShedder;
  readonly log: Log;
  /** Keeps the requests of known callers, and those of routes that say so; absent: none. */
  readonly record: RecordAnswer | undefined;
  /** Of a GET whose path does not exist. */
  readonly unknownPathPage: ErrorPage;
}

interface Handling extends Parts {
  readonly times: TimeLimits;
}

export function createRequestHandler(parts: Parts): RequestHandler {
  const times = createTimeLimits({
    leaveLoad: parts.load.leave,
    answerLate: (request, refusal) => refuse(handling, request, refusal),
  });
  const handling: Handling = { ...parts, times };
  return {
    handle: (raw, response) => void handle(handling, createPendingRequest(raw, response)),
    stop: times.stop,
  };
}

/** Never rejects. */
async function handle(handling: Handling, request: PendingRequest): Promise<void> {
  try {
    // One that was late was refused on its socket (`refuse-malformed.ts`), and may complete still.
    if (!request.raw.socket.writable) return;
    const answer = await serve(handling, request);
    if (answer !== undefined) send(handling, request, answer);
  } catch (error) {
    refuse(handling, request, error);
  }
}

/** Undefined when it has been answered meanwhile. */
async function serve(handling: Handling, request: PendingRequest): Promise<Answer | undefined> {
  const served = handling.router.find(request);
  request.endpoint = served?.endpoints.get(request.method === "HEAD" ? "GET" : request.method);
  request.span = beginRequestSpan(request, served?.template);
  return request.span === undefined
    ? serveFound(handling, request, served)
    : within(request.span, () => serveFound(handling, request, served));
}

async function serveFound(
  { checkShape, load, times }: Handling,
  request: PendingRequest,
  served: ServedPath | undefined,
): Promise<Answer | undefined> {
  const { endpoint } = request;
  checkShape(request.raw, served?.path);
  load.demandRoom(request);
  if (served === undefined || isAmbiguous(request.url)) throw new HttpRefused("unknown_path");
  if (endpoint === undefined) return otherMethod(request, served);
  request.measured = endpoint.measured;
  load.enter(request);
  times.watch(request);
  await endpoint.admit(request);
  continueIfAsked(request);
  const receiving = endpoint.readBody(request);
  if (receiving !== undefined) await receive(load, request, receiving);
  if (request.isAnswered) return undefined;
  // Its client got 408 meanwhile: it must not be carried out after all.
  if (request.raw.socket.writableEnded) {
    endRequestSpan(request.span, 408);
    return undefined;
  }
  times.startUseCase(request);
  return endpoint.answer(request);
}

function otherMethod(request: PendingRequest, served: ServedPath): Answer {
  request.measured = measured(request.method, served.path);
  return answerOtherMethod(served, request);
}

/** A client that waits for permission to send its body gets it once admitted. */
function continueIfAsked({ raw, response }: PendingRequest): void {
  const { expect } = raw.headers;
  if (expect !== undefined && /^100-continue$/i.test(expect)) response.writeContinue();
}

async function receive(
  load: LoadShedder,
  request: PendingRequest,
  receiving: Promise<unknown>,
): Promise<void> {
  request.isReceivingBody = true;
  if (!request.raw.complete) load.leave(request);
  request.body = await receiving;
  request.isReceivingBody = false;
  load.enter(request);
}

function refuse(handling: Handling, request: PendingRequest, error: unknown): void {
  const { log } = handling;
  if (request.isAnswered) {
    // After the answer a refusal is of no use to the caller; a mistake of ours is logged.
    if (!(error instanceof ServiceError))
      log.error({ err: error, reqId: request.id }, "failed after its answer was out");
    return;
  }
  request.isShed = error instanceof LoadShed;
  const refusal = error instanceof LoadShed ? error : refusalFor(error, request, log);
  try {
    send(handling, request, errorAnswer(refusal, request, pageFor(handling, request, refusal)));
  } catch (err) {
    log.error({ err, reqId: request.id }, "an answer could not be written");
    endRequestSpan(request.span, 500);
    request.response.destroy();
  }
}

function pageFor(
  { unknownPathPage }: Handling,
  { endpoint, method }: PendingRequest,
  { status }: ServiceError,
): ErrorPage | undefined {
  const isRead = method === "GET" || method === "HEAD";
  const isUnknown = endpoint === undefined && status === 404 && isRead;
  return isUnknown ? unknownPathPage : endpoint?.errorPage;
}

function send(
  { load, times, log, record }: Handling,
  request: PendingRequest,
  answer: Answer,
): void {
  load.leave(request);
  times.forget(request);
  const body = writeAnswer(request, answer, { isLast: load.isDraining() });
  if (request.isAnswered) return;
  request.isAnswered = true;
  const elapsedMs = performance.now() - request.beganAt;
  const { measured: found = measured(request.method, NO_ROUTE) } = request;
  endRequestSpan(request.span, answer.status);
  countAnswer(found, answer.status, elapsedMs);
  // Those that were shed are logged together.
  const traceId = traceIdOf(request.span);
  if (!request.isShed)
    logAnswer(log, found, request, { status: answer.status, elapsedMs, traceId });
  if (record === undefined || answer.isEmptyPoll) return;
  if (request.caller !== undefined || request.endpoint?.isLogged)
    record(request, answer, { body, elapsedMs });
}

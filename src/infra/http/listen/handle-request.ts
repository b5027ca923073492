/**
 * What happens to a request, in this order: its path is found, its shape is checked, load is shed,
 * the caller is admitted, the body is read, the use case runs, the answer is written (Decision
 * 0076).
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "../../../kit/errors.ts";
import type { Log } from "../../log.ts";
import type { Answer } from "../answer.ts";
import { HttpRefused } from "../http-refused.ts";
import { countAnswer, logAnswer, measured, NO_ROUTE } from "../serve/measure-requests.ts";
import { errorAnswer, refusalFor } from "../serve/render-error.ts";
import { answerOtherMethod, isAmbiguous, type Router, type ServedPath } from "../serve/router.ts";
import { writeAnswer } from "../serve/write-answer.ts";
import { createExchange, type Exchange } from "./exchange.ts";
import type { createRequestGuard } from "./guards.ts";
import { LoadShed, type LoadShedder } from "./shed-load.ts";
import { createTimeLimits, type TimeLimits } from "./time-limits.ts";

export interface RequestHandler {
  handle(raw: IncomingMessage, response: ServerResponse): void;
  stop(): void;
}

interface Parts {
  readonly router: Router;
  readonly guard: ReturnType<typeof createRequestGuard>;
  readonly load: LoadShedder;
  readonly log: Log;
}

interface Handling extends Parts {
  readonly times: TimeLimits;
}

export function createRequestHandler(parts: Parts): RequestHandler {
  const times = createTimeLimits({
    leaveLoad: parts.load.leave,
    answerLate: (exchange, refusal) => refuse(handling, exchange, refusal),
  });
  const handling: Handling = { ...parts, times };
  return {
    handle: (raw, response) => void handle(handling, createExchange(raw, response)),
    stop: times.stop,
  };
}

/** Never rejects. */
async function handle(handling: Handling, exchange: Exchange): Promise<void> {
  try {
    // One that was late was refused on its socket (`refuse-malformed.ts`), and may complete still.
    if (!exchange.raw.socket.writable) return;
    const answer = await serve(handling, exchange);
    if (answer !== undefined) send(handling, exchange, answer);
  } catch (error) {
    refuse(handling, exchange, error);
  }
}

/** Undefined when it has been answered meanwhile. */
async function serve(handling: Handling, exchange: Exchange): Promise<Answer | undefined> {
  const { router, guard, load, times } = handling;
  const served = router.find(exchange);
  const endpoint = served?.endpoints.get(exchange.method === "HEAD" ? "GET" : exchange.method);
  exchange.endpoint = endpoint;
  guard(exchange.raw, served?.path);
  load.demandRoom(exchange);
  if (served === undefined || isAmbiguous(exchange.url)) throw new HttpRefused("unknown_path");
  if (endpoint === undefined) return otherMethod(exchange, served);
  exchange.measured = endpoint.measured;
  load.enter(exchange);
  times.watch(exchange);
  await endpoint.admit(exchange);
  continueIfAsked(exchange);
  const receiving = endpoint.readBody(exchange);
  if (receiving !== undefined) await receive(load, exchange, receiving);
  // Its client got 408 meanwhile: it must not be carried out after all.
  if (exchange.isAnswered || exchange.raw.socket.writableEnded) return undefined;
  times.startUseCase(exchange);
  return endpoint.answer(exchange);
}

function otherMethod(exchange: Exchange, served: ServedPath): Answer {
  exchange.measured = measured(exchange.method, served.path);
  return answerOtherMethod(served, exchange);
}

/** A client that waits for permission to send its body gets it once admitted. */
function continueIfAsked({ raw, response }: Exchange): void {
  const { expect } = raw.headers;
  if (expect !== undefined && /^100-continue$/i.test(expect)) response.writeContinue();
}

async function receive(
  load: LoadShedder,
  exchange: Exchange,
  receiving: Promise<unknown>,
): Promise<void> {
  exchange.isReceivingBody = true;
  if (!exchange.raw.complete) load.leave(exchange);
  exchange.body = await receiving;
  exchange.isReceivingBody = false;
  load.enter(exchange);
}

function refuse(handling: Handling, exchange: Exchange, error: unknown): void {
  const { log } = handling;
  if (exchange.isAnswered) {
    // After the answer a refusal is of no use to the caller; a mistake of ours is logged.
    if (!(error instanceof ServiceError))
      log.error({ err: error, reqId: exchange.id }, "failed after its answer was out");
    return;
  }
  exchange.isShed = error instanceof LoadShed;
  const refusal = error instanceof LoadShed ? error : refusalFor(error, exchange, log);
  try {
    send(handling, exchange, errorAnswer(refusal, exchange, exchange.endpoint?.errorPage));
  } catch (err) {
    log.error({ err, reqId: exchange.id }, "an answer could not be written");
    exchange.response.destroy();
  }
}

function send({ load, times, log }: Handling, exchange: Exchange, answer: Answer): void {
  load.leave(exchange);
  times.forget(exchange);
  writeAnswer(exchange, answer, { isLast: load.isDraining() });
  if (exchange.isAnswered) return;
  exchange.isAnswered = true;
  const elapsedMs = performance.now() - exchange.beganAt;
  const { measured: found = measured(exchange.method, NO_ROUTE) } = exchange;
  countAnswer(found, answer.status, elapsedMs);
  // Those that were shed are logged together.
  if (!exchange.isShed) logAnswer(log, found, exchange, { status: answer.status, elapsedMs });
}

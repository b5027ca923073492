/**
 * An error as an answer: `{message}` and what the interface adds to it, or the same as
 * problem+json, or the page of the route (Decision 0063). Decision 0014 lists the statuses.
 *
 * Refusals are logged at info, trouble outside at warn, our own mistakes at error with everything
 * known.
 */

import { ServiceError, Unavailable } from "../../../kit/errors.ts";
import { asUnavailable } from "../../db/database-errors.ts";
import type { Log } from "../../log.ts";
import type { Answer } from "../answer.ts";
import { HttpRefused } from "../http-refused.ts";
import { headerOf, type Request } from "../request.ts";
import type { ErrorPage } from "../route.ts";
import { PROBLEM_TYPE, prefersProblem, problemOf } from "./problem.ts";

/** What the caller gets for anything that was thrown; logs it. */
export function refusalFor(error: unknown, { id: reqId }: Request, log: Log): ServiceError {
  const refusal = error instanceof ServiceError ? error : asUnavailable(error);
  if (refusal === undefined) {
    log.error({ reqId, err: error }, "a request failed and we are at fault");
    return new HttpRefused("internal_error");
  }
  const level = refusal instanceof Unavailable ? "warn" : "info";
  const { code, cause } = refusal;
  log[level]({ reqId, code, err: cause }, "a request was refused");
  return refusal;
}

export function errorAnswer(
  refusal: ServiceError,
  request: Request,
  errorPage: ErrorPage | undefined,
): Answer {
  const { status, message, extra, code } = refusal;
  const page = errorPage?.(status, {
    refusal,
    params: request.params,
    body: request.body,
    header: (name) => headerOf(request, name),
  });
  const answer: Answer = page ?? { status, body: { message, ...extra } };
  const named: Answer = {
    ...answer,
    headers: { ...refusal.headers, ...answer.headers },
    ...(answer.status >= 400 ? { error: code } : {}),
  };
  const isJson = answer.contentType === undefined;
  if (!isJson || !prefersProblem(request.raw.headers.accept)) return named;
  const problem = problemOf(refusal, { requestId: request.id, body: answer.body as object });
  return { ...named, contentType: PROBLEM_TYPE, body: JSON.stringify(problem) };
}

/**
 * An error as an answer: `{message}` and what the interface adds to it, or the same as
 * problem+json (RFC 9457) for callers that ask for it, or the page of the route; with the code in
 * `X-SVC-Error` and the page about it in `Link` (Decision 0063). Decision 0014 lists the statuses.
 *
 * Refusals are logged at info, trouble outside at warn, our own mistakes at error with everything
 * known.
 */

import { weightIn } from "../../../kit/accept.ts";
import { CATALOGUE, type ErrorCode, helpPath } from "../../../kit/error-catalogue/catalogue.ts";
import { ServiceError, Unavailable } from "../../../kit/errors.ts";
import { asUnavailable } from "../../db/database-errors.ts";
import type { Log } from "../../log.ts";
import type { Answer } from "../answer.ts";
import { HttpRefused } from "../http-refused.ts";
import { headerOf, type Request } from "../request.ts";
import type { ErrorPage } from "../route.ts";

export const PROBLEM_TYPE = "application/problem+json";

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
    refusal,
    ...(answer.status >= 400 ? { error: code } : {}),
  };
  const isJson = answer.contentType === undefined;
  if (!isJson || !prefersProblem(request.raw.headers.accept)) return named;
  const problem = problemOf(refusal, { requestId: request.id, body: answer.body as object });
  return { ...named, contentType: PROBLEM_TYPE, body: JSON.stringify(problem) };
}

export type Refused = Pick<ServiceError, "status" | "message" | "code" | "field" | "hint">;

/** `earlier`: what the Link header says already. */
export function helpHeaders(code: ErrorCode, earlier?: string | number): Record<string, string> {
  const help = `<${helpPath(code)}>; rel="help"`;
  return { "x-svc-error": code, link: earlier === undefined ? help : `${earlier}, ${help}` };
}

/** `body`: the default body, every member of which is kept. */
export function problemOf(
  { status, message, code, field, hint }: Refused,
  { requestId, body }: { requestId: string; body: object },
): object {
  return {
    type: helpPath(code),
    title: CATALOGUE[code].title,
    status,
    detail: message,
    code,
    ...(field === undefined ? {} : { field }),
    hint,
    request_id: requestId,
    ...body,
  };
}

/**
 * Whether an Accept header prefers problem+json over JSON: by a greater weight, or by naming it
 * where JSON is only covered by a wildcard. Equal weights get the default body.
 */
export function prefersProblem(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false;
  const problem = weightIn(accept, PROBLEM_TYPE) ?? 0;
  if (problem === 0) return false;
  const json = weightIn(accept, "application/json");
  if (json !== undefined) return problem > json;
  const wildcards = ["*/*", "application/*"].map((range) => weightIn(accept, range) ?? 0);
  return problem >= Math.max(...wildcards);
}

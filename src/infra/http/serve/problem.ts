/**
 * What goes with every error answer beside its default body (Decision 0063): the code in
 * `X-SVC-Error`, the page about it in `Link`, and RFC 9457 for callers that ask for it.
 */

import { weightIn } from "../../../kit/accept.ts";
import { CATALOGUE, type ErrorCode, helpPath } from "../../../kit/error-catalogue/catalogue.ts";
import type { ServiceError } from "../../../kit/errors.ts";

export const PROBLEM_TYPE = "application/problem+json";

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

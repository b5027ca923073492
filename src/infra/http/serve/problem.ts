/**
 * What goes with every error answer beside its default body (Decision 0063): the code in
 * `X-SVC-Error`, the page about it in `Link`, and RFC 9457 for callers that ask for it.
 */

import { CATALOGUE, type ErrorCode, helpPath } from "../../../kit/error-catalogue/catalogue.ts";
import type { ServiceError } from "../../../kit/errors.ts";

export const PROBLEM_TYPE = "application/problem+json";
const JSON_NAME = "application/json";
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

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
  let problem = 0;
  let json = 0;
  let wildcard = 0;
  let isJsonNamed = false;
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = weightOf(parameters);
    if (type === PROBLEM_TYPE) problem = Math.max(problem, weight);
    else if (type === JSON_NAME) {
      isJsonNamed = true;
      json = Math.max(json, weight);
    } else if (type === "*/*" || type === "application/*") wildcard = Math.max(wildcard, weight);
  }
  if (problem === 0) return false;
  return isJsonNamed ? problem > json : problem >= wildcard;
}

/** Nothing for a weight that cannot be read, so that it prefers nothing. */
function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((one) => one.startsWith("q="));
  if (given === undefined) return 1;
  return Number(WEIGHT.exec(given)?.[1] ?? 0);
}

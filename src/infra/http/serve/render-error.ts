/**
 * Writes the body of an error: `{message}` and what the interface adds to it, or the same as
 * problem+json, with the headers that say which error it is (Decision 0063). Only what is refused
 * in front of the framework is written elsewhere.
 *
 * Refusals are logged at info, trouble outside at warn, our own mistakes at error with everything
 * known. Decision 0014 lists the statuses.
 */

import type { FastifyReply, FastifyRequest } from "fastify";
import { CATALOGUE, type ErrorCode } from "../../../kit/error-catalogue/catalogue.ts";
import { NotFound, ServiceError, Unavailable } from "../../../kit/errors.ts";
import { asUnavailable } from "../../db/database-errors.ts";
import { type Answer, bodyOf, JSON_TYPE } from "../answer.ts";
import type { ErrorPage } from "../route.ts";
import { helpHeaders, PROBLEM_TYPE, prefersProblem, problemOf } from "./problem.ts";

const SENTENCES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
};

declare module "fastify" {
  interface FastifyContextConfig {
    errorPage?: ErrorPage;
  }
}

/** Refusals that need no sentence of their own beyond what their status says. */
export type HttpErrorCode =
  | "malformed_request"
  | "unknown_path"
  | "method_not_allowed"
  | "request_timeout"
  | "body_too_large"
  | "unsupported_media_type"
  | "compressed_body"
  | "headers_too_large"
  | "internal_error";

export class HttpRefused extends ServiceError {
  constructor(
    code: HttpErrorCode,
    parts: { headers?: Record<string, string>; hint?: string; cause?: unknown } = {},
  ) {
    const { status } = CATALOGUE[code];
    super({ status, code, message: sentenceFor(status), ...parts });
  }
}

export function sentenceFor(status: number): string {
  return SENTENCES[status] ?? "Bad Request";
}

export function renderError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = asRefusal(error, request);
  if (refusal === undefined) {
    request.log.error({ reqId: request.id, err: error }, "a request failed and we are at fault");
    sendError(request, reply, new HttpRefused("internal_error"));
    return;
  }
  const level = refusal instanceof Unavailable ? "warn" : "info";
  const { code, cause } = refusal;
  request.log[level]({ reqId: request.id, code, err: cause }, "a request was refused");
  sendError(request, reply, refusal);
}

/** Without a word in the log. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: ServiceError,
): void {
  const { status, message, extra } = refusal;
  reply.headers(refusal.headers);
  const page = request.routeOptions?.config?.errorPage?.(status, {
    refusal,
    params: (request.params ?? {}) as Record<string, unknown>,
    body: request.body,
    header: (name) => headerOf(request, name),
  });
  const answer: Answer = page ?? { status, body: { message, ...extra } };
  reply.code(answer.status).headers(answer.headers ?? {});
  if (answer.status >= 400) setHelpHeaders(reply, refusal.code);
  const isJson = answer.contentType === undefined;
  if (!isJson || !prefersProblem(request.headers.accept))
    return void reply.type(answer.contentType ?? JSON_TYPE).send(bodyOf(answer));
  const problem = problemOf(refusal, { requestId: request.id, body: answer.body as object });
  // As bytes: of a text Fastify would add a charset, which this type has no parameter for.
  reply.type(PROBLEM_TYPE).send(Buffer.from(JSON.stringify(problem)));
}

/** Which error it is, beside the links that the answer has already. */
export function setHelpHeaders(reply: FastifyReply, code: ErrorCode): void {
  const link = reply.getHeader("link");
  reply.headers(helpHeaders(code, link === undefined ? undefined : String(link)));
}

export function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function asRefusal(error: unknown, { raw }: FastifyRequest): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  // The client went away with half of its body: its connection has the codes of a lost database's.
  if (error === raw.errored)
    return new HttpRefused("malformed_request", { cause: "the body was cut off" });
  const unavailable = asUnavailable(error);
  if (unavailable !== undefined) return unavailable;
  // Fastify's own errors about the request: too large, cut short, wrong length. Of those the log
  // gets the code only, because their words quote the request.
  const { statusCode, code: cause } = error as { statusCode?: unknown; code?: unknown };
  // An identifier that is longer than any of ours names nothing.
  if (statusCode === 414) return new NotFound(cause);
  const isTheirs = typeof statusCode === "number" && statusCode >= 400 && statusCode < 500;
  if (!isTheirs) return undefined;
  return new HttpRefused(FASTIFY_ERRORS[statusCode] ?? "malformed_request", { cause });
}

const FASTIFY_ERRORS: Readonly<Record<number, HttpErrorCode>> = {
  408: "request_timeout",
  413: "body_too_large",
  415: "unsupported_media_type",
};

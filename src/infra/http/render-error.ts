/**
 * Writes the body of an error: `{message}` and what the interface adds to it, nothing else. Only
 * what is refused in front of the framework is told elsewhere.
 *
 * Refusals are logged at info, trouble outside at warn, our own mistakes at error with everything
 * known. Decision 0014 lists the statuses.
 */

import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError, Unavailable } from "../../kit/errors.ts";
import { asUnavailable } from "../db/database-errors.ts";
import { bodyOf, JSON_TYPE } from "./answer.ts";
import { BadBody } from "./body/bad-body.ts";
import type { ErrorPage } from "./route.ts";

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

/** A refusal that needs no sentence of its own beyond what its status says. */
export class HttpRefused extends ServiceError {
  constructor(status: number, parts: { headers?: Record<string, string>; cause?: unknown } = {}) {
    super({ status, code: `http_${status}`, message: sentenceFor(status), ...parts });
  }
}

export function sentenceFor(status: number): string {
  return SENTENCES[status] ?? "Bad Request";
}

export function renderError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = asRefusal(error, request);
  if (refusal === undefined) {
    request.log.error({ reqId: request.id, err: error }, "a request failed and we are at fault");
    sendError(request, reply, { status: 500, message: sentenceFor(500) });
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
  refusal: Pick<ServiceError, "status" | "message"> &
    Partial<Pick<ServiceError, "extra" | "headers">>,
): void {
  const { status, message, extra } = refusal;
  reply.headers(refusal.headers ?? {});
  const page = request.routeOptions?.config?.errorPage?.(status, {
    refusal,
    params: (request.params ?? {}) as Record<string, unknown>,
    body: request.body,
    header: (name) => headerOf(request, name),
  });
  if (page === undefined)
    return void reply
      .code(status)
      .type(JSON_TYPE)
      .send(JSON.stringify({ message, ...extra }));
  const { contentType = JSON_TYPE, headers = {} } = page;
  reply.code(page.status).headers(headers).type(contentType).send(bodyOf(page));
}

export function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function asRefusal(error: unknown, { raw }: FastifyRequest): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  // The client went away with half of its body: its connection has the codes of a lost database's.
  if (error === raw.errored) return new HttpRefused(400, { cause: "the body was cut off" });
  if (error instanceof BadBody)
    return new ServiceError({ status: 400, code: "bad_body", message: error.message });
  const unavailable = asUnavailable(error);
  if (unavailable !== undefined) return unavailable;
  // Fastify's own errors about the request: too large, cut short, wrong length. Of those the log
  // gets the code only, because their words quote the request.
  const { statusCode, code: cause } = error as { statusCode?: unknown; code?: unknown };
  // An identifier that is longer than any of ours names nothing.
  if (statusCode === 414) return new HttpRefused(404, { cause });
  const isTheirs = typeof statusCode === "number" && statusCode >= 400 && statusCode < 500;
  return isTheirs ? new HttpRefused(statusCode, { cause }) : undefined;
}

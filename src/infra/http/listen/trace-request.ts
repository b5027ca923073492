/**
 * The span of a request, by OpenTelemetry's conventions for HTTP (Decision 0131), but without the
 * address: it holds ids and tokens.
 *
 * A caller's own trace is linked and not joined: naming the parent of our span would be deciding
 * that it is recorded.
 */

import {
  beginTrace,
  markFailed,
  readTraceparent,
  type Span,
  SpanKind,
} from "../../../kit/trace.ts";
import { headerOf } from "../request.ts";
import type { PendingRequest } from "./pending-request.ts";

const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const SERVER = { kind: SpanKind.SERVER };

/** `route`: undefined where there is no such path. */
export function beginRequestSpan(
  request: PendingRequest,
  route: string | undefined,
): Span | undefined {
  // Asked every few seconds by the proxy and the metrics, which nobody wants to read about.
  if (request.endpoint?.isOperational) return undefined;
  const method = KNOWN_METHODS.has(request.method) ? request.method : undefined;
  const name = method ?? "HTTP";
  const span = beginTrace(route === undefined ? name : `${name} ${route}`, SERVER);
  if (span === undefined) return undefined;
  span.setAttribute("http.request.method", method ?? "_OTHER");
  if (route !== undefined) span.setAttribute("http.route", route);
  const context = readTraceparent(headerOf(request, "traceparent"));
  if (context !== undefined) span.addLink({ context });
  return span;
}

export function endRequestSpan(span: Span | undefined, status: number): void {
  if (span === undefined) return;
  span.setAttribute("http.response.status_code", status);
  if (status >= 500) markFailed(span, String(status));
  span.end();
}

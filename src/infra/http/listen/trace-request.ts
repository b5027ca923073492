/**
 * The span of a request, by OpenTelemetry's conventions for HTTP (Decision 0135), but without the
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

/** `route`: undefined where there is no such path. */
export function beginRequestSpan(
  request: PendingRequest,
  route: string | undefined,
): Span | undefined {
  // Asked every few seconds by the proxy and the metrics, which nobody wants to read about.
  if (request.endpoint?.isOperational) return undefined;
  const isKnown = KNOWN_METHODS.has(request.method);
  const method = isKnown ? request.method : "HTTP";
  const span = beginTrace(route === undefined ? method : `${method} ${route}`, {
    kind: SpanKind.SERVER,
    attributes: {
      "http.request.method": isKnown ? request.method : "_OTHER",
      ...(route === undefined ? {} : { "http.route": route }),
    },
  });
  const context = span && readTraceparent(headerOf(request, "traceparent"));
  if (context !== undefined) span?.addLink({ context });
  return span;
}

export function endRequestSpan(span: Span | undefined, status: number): void {
  if (span === undefined) return;
  span.setAttribute("http.response.status_code", status);
  if (status >= 500) markFailed(span, String(status));
  span.end();
}

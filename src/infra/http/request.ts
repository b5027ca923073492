/** One request, as every step from its arrival to its answer sees it. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "./caller.ts";

export interface Request {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  /** Ours, never the client's. */
  readonly id: string;
  readonly method: string;
  /** Path and query, also where the client sent a whole address. */
  readonly url: string;
  /** Of the path, as they were sent; empty until a route is found. */
  params: Readonly<Record<string, unknown>>;
  /** Undefined until it is read, and where there is none. */
  body: unknown;
  /** Undefined until admitted, and on a public route. */
  caller: Caller | undefined;
  /** Empty until admitted. */
  clientAddress: string;
  /** What the answer carries beside its own headers, also when the request is refused. */
  readonly answerHeaders: Record<string, string>;
}

export function headerOf({ raw }: Pick<Request, "raw">, name: string): string | undefined {
  const value = raw.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** How often it was sent. Node folds repeated headers together or drops them without a word. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] ?? "";
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count;
}

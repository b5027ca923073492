/** What a route gives back. The server turns it into bytes. */

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { ErrorCode } from "../../kit/error-catalogue/catalogue.ts";
import type { ServiceError } from "../../kit/errors.ts";

export interface Answer {
  readonly status: number;
  /**
   * A value to be sent as JSON, or the bytes themselves with their type: at once, or as a stream
   * of them, which may not be stored under an Idempotency-Key.
   */
  readonly body: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Each a whole `Set-Cookie`. */
  readonly cookies?: readonly string[];
  /** Which error it is, where an answer of 400 or more is given instead of a refusal thrown. */
  readonly error?: ErrorCode;
  /**
   * Sent instead of `body` when an Idempotency-Key repeats: for answers that show a secret once.
   */
  readonly replayBody?: unknown;
  /** Never sent: whom a route that asks for no credential turned out to serve. */
  readonly servedAccount?: string;
  /** Never sent: a poll that found nothing, which the request log leaves out (Decision 0144). */
  readonly isEmptyPoll?: boolean;
  /** Never sent: what was thrown, also where the answer is a redirect. */
  readonly refusal?: ServiceError;
}

export function ok(body: object = {}): Answer {
  return { status: 200, body: { message: "OK", ...body } };
}

export function created(body: object = {}): Answer {
  return { status: 201, body: { message: "Created", ...body } };
}

export function plainJson(body: unknown, headers: Record<string, string> = {}): Answer {
  return { status: 200, body, headers };
}

/** What goes over the wire; an answer of text or bytes is sent as it is. */
export function bodyOf(answer: Pick<Answer, "body" | "contentType">): string | Buffer {
  assert(!(answer.body instanceof Readable), "a stream has no bytes to keep");
  if (Buffer.isBuffer(answer.body)) return answer.body;
  return answer.contentType === undefined ? JSON.stringify(answer.body) : String(answer.body);
}

export const JSON_TYPE = "application/json; charset=utf-8";

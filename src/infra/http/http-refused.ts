/** Refusals of HTTP itself, which need no sentence beyond what their status says. */

import { STATUS_CODES } from "node:http";
import { CATALOGUE } from "../../kit/error-catalogue/catalogue.ts";
import { ServiceError } from "../../kit/errors.ts";

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
  return STATUS_CODES[status] ?? "Bad Request";
}

/** Refusals of HTTP itself, which need no sentence beyond what their status says. */

import { CATALOGUE } from "../../kit/error-catalogue/catalogue.ts";
import { ServiceError } from "../../kit/errors.ts";

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

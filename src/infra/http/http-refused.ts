/** Refusals of HTTP itself, which need no sentence beyond what their status says. */

import { type RefusalParts, ServiceError } from "../../kit/errors.ts";

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
  constructor(code: HttpErrorCode, parts: Pick<RefusalParts, "headers" | "hint" | "cause"> = {}) {
    super(code, parts);
  }
}

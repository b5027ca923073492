/**
 * The 401 of routes that need a credential. The message is always the same; the code and
 * `WWW-Authenticate` say what a caller can do about it, and reveal nothing to a stranger: "expired"
 * and "revoked" only for a credential that was proved to be ours (Decision 0063).
 */

import { CATALOGUE, type UnauthorizedCode } from "../../kit/error-catalogue/catalogue.ts";
import { ServiceError } from "../../kit/errors.ts";

export interface UnauthorizedReason {
  readonly code: UnauthorizedCode;
  /** For the log. */
  readonly cause: string;
}

export const NO_CREDENTIAL = reason("credential_missing", "no credential");
export const BOTH_CREDENTIALS = reason("two_credentials", "both credentials");
export const KEY_IN_AUTHORIZATION = reason(
  "api_key_in_authorization",
  "an API key in Authorization",
);
export const BEARER_ONLY = reason(
  "bearer_token_required",
  "a key on a route that takes bearer tokens only",
);
export const TOKEN_EXPIRED = reason("token_expired", "token expired");
export const TOKEN_REVOKED = reason("token_revoked", "grant revoked, or password changed");
export const KEY_EXPIRED = reason("api_key_expired", "key expired");
export const KEY_REVOKED = reason("api_key_revoked", "key revoked");
export const ACCOUNT_NOT_ACTIVE = invalid("account closed, frozen or changed");

/** For every cause that callers must not be able to distinguish. */
export function invalid(cause: string): UnauthorizedReason {
  return reason("credential_invalid", cause);
}

function reason(code: UnauthorizedCode, cause: string): UnauthorizedReason {
  return { code, cause };
}

/** By RFC 6750 a missing or an ambiguous credential is a fault of the request. */
const OF_THE_REQUEST: readonly UnauthorizedCode[] = ["credential_missing", "two_credentials"];

export class Unauthorized extends ServiceError {
  constructor({ code, cause }: UnauthorizedReason) {
    const error = OF_THE_REQUEST.includes(code) ? "invalid_request" : "invalid_token";
    super(code, {
      headers: {
        "www-authenticate":
          `Bearer realm="svc", error="${error}", ` +
          `error_description="${CATALOGUE[code].statement}"`,
      },
      cause,
    });
  }
}

/**
 * The 401 of routes that need a credential. The message is the same whatever is wrong; the code
 * and `WWW-Authenticate` say what a caller can do about it, and nothing that a stranger could not
 * know: "expired" and "revoked" only of a credential that was proved to be ours (Decision 0063).
 */

import { sentenceFor } from "../../infra/http/render-error.ts";
import { CATALOGUE, type UnauthorizedCode } from "../../kit/error-catalogue/catalogue.ts";
import { ServiceError } from "../../kit/errors.ts";

export const NO_CREDENTIAL = "no credential";
export const BOTH_CREDENTIALS = "both credentials";
export const KEY_IN_AUTHORIZATION = "an API key in Authorization";
export const BEARER_ONLY = "a key on a route that takes bearer tokens only";
export const TOKEN_EXPIRED = "token expired";
export const TOKEN_REVOKED = "grant revoked, or password changed";
export const KEY_EXPIRED = "key expired";
export const KEY_REVOKED = "key revoked";
export const ACCOUNT_NOT_ACTIVE = "account closed, frozen or changed";

/** By the cause that the log gets; any other is only `credential_invalid`. */
const CODES: Readonly<Record<string, UnauthorizedCode>> = {
  [NO_CREDENTIAL]: "credential_missing",
  [BOTH_CREDENTIALS]: "two_credentials",
  [KEY_IN_AUTHORIZATION]: "api_key_in_authorization",
  [BEARER_ONLY]: "bearer_token_required",
  [TOKEN_EXPIRED]: "token_expired",
  [TOKEN_REVOKED]: "token_revoked",
  [KEY_EXPIRED]: "api_key_expired",
  [KEY_REVOKED]: "api_key_revoked",
};

/** By RFC 6750 a missing or an ambiguous credential is a fault of the request. */
const OF_THE_REQUEST: readonly UnauthorizedCode[] = ["credential_missing", "two_credentials"];

export class Unauthorized extends ServiceError {
  constructor(cause: string) {
    const code = CODES[cause] ?? "credential_invalid";
    const error = OF_THE_REQUEST.includes(code) ? "invalid_request" : "invalid_token";
    super({
      status: 401,
      code,
      message: sentenceFor(401),
      headers: {
        "www-authenticate":
          `Bearer realm="svc", error="${error}", ` +
          `error_description="${CATALOGUE[code].statement}"`,
      },
      cause,
    });
  }
}

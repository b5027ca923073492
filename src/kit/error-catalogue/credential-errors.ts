/**
 * Errors about who is calling and what the credential allows.
 *
 * The statements of the 401s are sent as `error_description` of `WWW-Authenticate`, so they have
 * neither quotes nor backslashes (RFC 6750).
 */

import { entries } from "./entry.ts";

const UNAUTHORIZED = { status: 401, example: "Unauthorized" } as const;
const CONFLICT = { status: 409 } as const;

/** Of routes that need a credential. All have the same message and differ in their codes. */
export const UNAUTHORIZED_ERRORS = entries(UNAUTHORIZED, {
  credential_missing: {
    title: "No credential",
    statement: "The request has no credential.",
    hint:
      "Send Authorization: Bearer with an access token of POST /auth/tokens, or X-SVC-Key with " +
      "an API key where the route takes one.",
  },
  two_credentials: {
    title: "Two credentials",
    statement: "The request has both an Authorization and an X-SVC-Key header.",
    hint: "Send only one of Authorization and X-SVC-Key.",
  },
  api_key_in_authorization: {
    title: "API key in the wrong header",
    statement: "The Authorization header holds an API key, which belongs in X-SVC-Key.",
    hint: "Send the API key as X-SVC-Key, without Bearer, and leave Authorization out.",
  },
  bearer_token_required: {
    title: "Bearer token required",
    statement: "This route takes bearer tokens only, not API keys.",
    hint: "Sign in with POST /auth/tokens and send its access token as Authorization: Bearer.",
  },
  token_expired: {
    title: "Access token expired",
    statement: "The access token has expired.",
    hint: "Get a new one with POST /auth/tokens/refresh, or sign in again.",
  },
  token_revoked: {
    title: "Access token revoked",
    statement: "The access token has been revoked.",
    hint:
      "Sign in again with POST /auth/tokens: a sign-out, a new password or a refresh token that " +
      "was used twice ends the tokens.",
  },
  api_key_expired: {
    title: "API key expired",
    statement: "The API key has expired.",
    hint: "Make a new key with POST /auth/keys and use it instead.",
  },
  api_key_revoked: {
    title: "API key revoked",
    statement: "The API key has been revoked.",
    hint: "Use the key that replaced it, or make a new one with POST /auth/keys.",
  },
  credential_invalid: {
    title: "Credential not valid",
    statement: "The credential is not valid.",
    hint:
      "Check that the whole token or key is sent, that it was made by this service, and that its " +
      "allowed addresses include yours. Tokens go into Authorization: Bearer, keys into X-SVC-Key.",
  },
});

export const CREDENTIAL_ERRORS = {
  ...UNAUTHORIZED_ERRORS,
  ...entries(CONFLICT, {
    insufficient_scope: {
      status: 403,
      title: "Scope missing",
      statement: "The credential does not have a scope that this needs.",
      hint: "Use a credential with the scopes that the reference names for this route.",
      example: "Invalid scope(s) provided.",
    },
    forbidden: {
      status: 403,
      title: "Forbidden",
      statement: "The account or the credential may not do this, whatever its scopes.",
      hint: "Check in the reference which type of account and kind of credential the route takes.",
      example: "Forbidden",
    },
    invalid_credentials: {
      status: 401,
      title: "Sign-in refused",
      statement: "No account has this e-mail address with this password.",
      hint: "Check e-mail and password. After many wrong passwords, wait before the next try.",
      example: "The user credentials were incorrect.",
      extra: {
        error: "invalid_credentials",
        error_description: "The user credentials were incorrect.",
      },
    },
    invalid_grant: {
      status: 401,
      title: "Refresh token not valid",
      statement: "The refresh token is unknown, was used before, has expired or was revoked.",
      hint: "Sign in again with POST /auth/tokens, and from then on use each refresh token once.",
      example: "The refresh token is invalid.",
      extra: { error: "invalid_grant", error_description: "The refresh token is invalid." },
    },
    sandbox_key_refused: {
      status: 403,
      title: "API key of the sandbox",
      statement: "The request would change what live uses too, and came with a key of the sandbox.",
      hint: "Use a live API key or a bearer token; a key of the sandbox can only read this.",
      example: "Forbidden",
    },
    key_on_token_revocation: {
      status: 400,
      title: "API key instead of a token",
      statement: "Signing out ends a bearer token, and the request came with an API key.",
      hint: "Revoke an API key with DELETE /auth/keys/{kid}.",
      example: "Token revocation is not supported for API keys. Use DELETE /auth/keys/{kid}.",
    },
    too_many_keys: {
      title: "Too many API keys",
      statement: "The account has as many active API keys as an account may have.",
      hint: "List the keys with GET /auth/keys and revoke one that is not used any more.",
      example: "An account can have at most 20 active API keys. Revoke one first.",
    },
    key_already_revoked: {
      title: "Key already revoked",
      statement: "The API key to be changed or rotated has been revoked.",
      hint: "Make a new key with POST /auth/keys.",
      example: "The API key has been revoked.",
    },
    key_already_rotated: {
      title: "Key already rotated",
      statement: "The API key to be rotated has a successor.",
      hint: "Rotate the successor; GET /auth/keys lists both.",
      example: "The API key has already been rotated.",
    },
    key_already_expired: {
      title: "Key already expired",
      statement: "The API key to be changed or rotated has expired.",
      hint: "Make a new key with POST /auth/keys.",
      example: "The API key has expired.",
    },
  }),
};

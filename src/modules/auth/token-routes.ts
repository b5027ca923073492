/**
 * Signing in, staying signed in, signing out (Interface §4.1), and looking at one's own credential.
 */

import { Type } from "typebox";
import { type Answer, ok, plainJson } from "../../infra/http/answer.ts";
import { protectedRoute, publicRoute } from "../../infra/http/route.ts";
import { ServiceError } from "../../kit/errors.ts";
import { described } from "../../kit/fields/field.ts";
import { email, text } from "../../kit/fields/text.ts";
import { isFormerName } from "../../kit/scopes.ts";
import { passwordField } from "../accounts/passwords.ts";
import { ownerOf } from "./access-token.ts";
import type { AuthContext } from "./context.ts";
import { grantTokens } from "./grant-tokens.ts";
import { ACCESS_TOKEN_SECONDS } from "./lifetimes.ts";
import type { TokenPair } from "./refresh-token.ts";
import { refreshTokens } from "./refresh-tokens.ts";
import { revokeGrant } from "./revoke-grant.ts";
import { scopesText } from "./scope-field.ts";
import { viewCaller, whoami } from "./whoami.ts";

/** Room for an access token, which somebody will send by mistake and which is no bad field. */
const REFRESH_TOKEN_LENGTH_MAX = 4_096;

const tokenAnswer = Type.Object({
  message: Type.Literal("OK"),
  token_type: Type.Literal("Bearer"),
  expires_in: Type.Literal(ACCESS_TOKEN_SECONDS),
  access_token: Type.String(),
  refresh_token: Type.String(),
});

const oauthError = Type.Object({
  message: Type.String(),
  error: Type.String(),
  error_description: Type.String(),
});

class KeyCannotBeRevokedHere extends ServiceError {
  constructor() {
    super({
      status: 400,
      code: "key_on_token_revocation",
      message: "Token revocation is not supported for API keys. Use DELETE /auth/keys/{kid}.",
    });
  }
}

export const grantRoute = publicRoute({
  method: "POST",
  path: "/auth/tokens",
  group: "Signing in",
  summary: "Sign in: exchange an e-mail and a password for tokens",
  limit: { name: "signIn", per: "address" },
  body: {
    email: described(email({ max: 320 }), "The account's e-mail address.", "merchant@example.com"),
    password: described(passwordField, "The account's password.", "Sandbox-2026"),
    scopes: scopesText,
  },
  answers: {
    200: { about: "Signed in", body: tokenAnswer },
    401: { about: "The credentials are incorrect", body: oauthError },
    403: { about: "The account may not hold one of the scopes; no token was made" },
  },
  async run(ctx: AuthContext, { body, address, texts }) {
    const answer = tokens(await grantTokens(ctx, { ...body, address }));
    noteFormerScopes(ctx, answer.servedAccount, texts().scopes ?? "");
    return answer;
  },
});

export const refreshRoute = publicRoute({
  method: "POST",
  path: "/auth/tokens/refresh",
  group: "Signing in",
  summary: "Exchange a refresh token for a new pair",
  about:
    "Works once per token and keeps the scopes. If the answer is lost, the same request within " +
    "ten seconds gives the same pair; any other reuse ends the whole sign-in.",
  limit: { name: "refresh", per: "address" },
  body: {
    refresh_token: described(
      text({ max: REFRESH_TOKEN_LENGTH_MAX }),
      "The refresh token of the last answer.",
    ),
  },
  answers: {
    200: { about: "A new pair", body: tokenAnswer },
    401: { about: "The refresh token is unknown, used, expired or revoked", body: oauthError },
    403: { about: "The account may no longer hold one of the scopes" },
  },
  async run(ctx: AuthContext, { body, address }) {
    return tokens(await refreshTokens(ctx, { refreshToken: body.refresh_token, address }));
  },
});

export const revokeRoute = protectedRoute({
  method: "DELETE",
  path: "/auth/tokens",
  group: "Signing in",
  summary: "Sign out: revoke the token and everything refreshed with it",
  access: { credentials: "either" },
  limit: { name: "revoke", per: "address" },
  answers: {
    200: { about: "Revoked, on every process", body: Type.Object({ message: Type.Literal("OK") }) },
    400: { about: "The request was authenticated with an API key" },
  },
  async run(ctx: AuthContext, _call, caller) {
    if (caller.credential.kind === "key") throw new KeyCannotBeRevokedHere();
    await revokeGrant(ctx.db, { grantId: caller.credential.grantId, because: "revoked" });
    return ok();
  },
});

export const whoamiRoute = protectedRoute({
  method: "GET",
  path: "/auth/whoami",
  group: "Signing in",
  summary: "See what the credential of this request allows",
  access: { credentials: "either" },
  answers: {
    200: {
      about: "The credential",
      body: Type.Object({ message: Type.Literal("OK"), data: whoami }),
    },
  },
  async run(_ctx: AuthContext, _call, caller) {
    return ok({ data: viewCaller(caller) });
  },
});

export const jwksRoute = publicRoute({
  method: "GET",
  path: "/.well-known/jwks.json",
  group: "Signing in",
  summary: "Public keys that verify access tokens",
  answers: {
    200: {
      about: "A JSON Web Key Set",
      body: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.String())) }),
    },
  },
  async run(ctx: AuthContext) {
    const keys = await ctx.signingKeys.published();
    return plainJson({ keys }, { "cache-control": "public, max-age=300" });
  },
});

function tokens(pair: TokenPair): Answer & { readonly servedAccount: string } {
  const answer = ok({
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    access_token: pair.accessToken,
    refresh_token: pair.refreshToken,
  });
  return { ...answer, servedAccount: ownerOf(pair.accessToken) };
}

/** Decision 0051: an operator wants to know who has to be told of the new names. */
function noteFormerScopes({ formerUse }: AuthContext, accountNumber: string, asked: string): void {
  for (const name of new Set(asked.split(" ").filter(isFormerName)))
    formerUse.note({ accountNumber, credential: undefined, name });
}

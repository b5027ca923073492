/**
 * Every route of this module, in the order of the reference: signing in, refreshing, signing out
 * (Interface §4.1), and reading the credential of the request; then those of API keys. A sign-in
 * while too many wait is refused before any other work (Decision 0075).
 */

import { type Answer, ok, plainJson } from "../../infra/http/answer.ts";
import { protectedRoute, publicRoute, type Route } from "../../infra/http/route.ts";
import { Forbidden, fixedRefusal } from "../../kit/errors.ts";
import { described, optional } from "../../kit/fields/field.ts";
import { email, text } from "../../kit/fields/text.ts";
import { said, saidOnly, saidWith, textSchema, wordSchema } from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { isV1Name } from "../../kit/scopes.ts";
import { passwordField } from "../accounts/passwords.ts";
import { ownerOf } from "./access-token.ts";
import type { AuthContext } from "./context.ts";
import { CredentialsIncorrect, grantTokens } from "./grant-tokens.ts";
import { keyRoutes } from "./key-routes.ts";
import { ACCESS_TOKEN_SECONDS } from "./lifetimes.ts";
import { RefreshTokenInvalid, refreshTokens, revokeGrant } from "./refresh-tokens.ts";
import { scopesText } from "./scope-field.ts";
import type { TokenPair } from "./token-pair.ts";
import { whoami, whoamiAnswer } from "./whoami.ts";

/** Long enough for an access token, which is sent by mistake and is no malformed field. */
const REFRESH_TOKEN_LENGTH_MAX = 4_096;

/** Longer than any code: a longer one is a wrong one. */
const OTP_LENGTH_MAX = 64;

const REFRESH_TOKEN_EXAMPLE = "svc_rt_7Qm2XvT9bLk4Rz8WcPd1Yh6NsGf3JtAe5UoVi0BxKqD";

const group = "Signing in";

const tokenAnswer = Type.Object(
  {
    message: said("OK"),
    token_type: Type.Literal("Bearer", { description: "Never another." }),
    expires_in: Type.Literal(ACCESS_TOKEN_SECONDS, {
      description: "Seconds that the access token lives.",
    }),
    access_token: textSchema(
      "A JWT, for `Authorization: Bearer`.",
      "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl",
    ),
    refresh_token: textSchema("Buys the next pair, once.", REFRESH_TOKEN_EXAMPLE),
  },
  { title: "Tokens" },
);

const oauthError = Type.Object(
  {
    message: textSchema("One sentence.", "The user credentials were incorrect."),
    error: wordSchema(["invalid_credentials", "invalid_grant"], "The kind of error."),
    error_description: textSchema("The sentence again.", "The user credentials were incorrect."),
  },
  { title: "SignInError" },
);

/** For a client that uses scope names of 1.x, here or at its 1.x path. */
const V1_SCOPES = { deprecation: "true", link: '</auth/tokens>; rel="successor-version"' };

class KeyCannotBeRevokedHere extends fixedRefusal("key_on_token_revocation") {}

const grantRoute = publicRoute({
  method: "POST",
  path: "/auth/tokens",
  group,
  summary: "Sign in: exchange an e-mail and a password for tokens",
  limit: { name: "signIn", per: "address" },
  body: {
    email: described(email({ max: 320 }), "The account's e-mail address.", "merchant@example.com"),
    password: described(passwordField, "The account's password.", "Sandbox-2026"),
    scopes: scopesText,
    otp: described(
      optional(text({ max: OTP_LENGTH_MAX })),
      "A code of the holder's authenticator app, or a recovery code. Needed where the account " +
        "asks for one; ignored elsewhere.",
    ),
  },
  answers: {
    200: { about: "Signed in", body: tokenAnswer, headers: ["Deprecation", "Link"] },
    401: {
      about: "The credentials are incorrect, the code among them, or the account allows no sign-in",
      body: oauthError,
      refusals: [new CredentialsIncorrect("")],
    },
    403: {
      about: "The account may not hold one of the scopes; no token was made",
      refusals: [new Forbidden()],
    },
  },
  refuseWhenFull: (ctx: AuthContext) => ctx.passwords.demandRoom(),
  async run(ctx: AuthContext, { body, address, texts }) {
    const answer = tokens(await grantTokens(ctx, { ...body, address }));
    const v1Names = new Set((texts().scopes ?? "").split(" ").filter(isV1Name));
    if (v1Names.size === 0) return answer;
    // Decision 0051: an operator sees which merchants still use them.
    for (const name of v1Names)
      ctx.v1Use.note({ accountNumber: answer.servedAccount, credential: undefined, name });
    return { ...answer, headers: V1_SCOPES };
  },
});

const refreshRoute = publicRoute({
  method: "POST",
  path: "/auth/tokens/refresh",
  group,
  summary: "Exchange a refresh token for a new pair",
  about:
    "Works once per token and keeps the scopes. If the answer is lost, the same request within " +
    "ten seconds gives the same pair; any other reuse ends the whole sign-in.",
  limit: { name: "refresh", per: "address" },
  body: {
    refresh_token: described(
      text({ max: REFRESH_TOKEN_LENGTH_MAX }),
      "The refresh token of the last answer.",
      REFRESH_TOKEN_EXAMPLE,
    ),
  },
  answers: {
    200: { about: "A new pair", body: tokenAnswer },
    401: {
      about: "The refresh token is unknown, used, expired or revoked",
      body: oauthError,
      refusals: [new RefreshTokenInvalid("")],
    },
    403: { about: "The account may no longer hold one of the scopes", refusals: [new Forbidden()] },
  },
  async run(ctx: AuthContext, { body, address }) {
    return tokens(await refreshTokens(ctx, { refreshToken: body.refresh_token, address }));
  },
});

const revokeRoute = protectedRoute({
  method: "DELETE",
  path: "/auth/tokens",
  group,
  summary: "Sign out: revoke the token and everything refreshed with it",
  access: { credentials: "either", changes: "nothing" },
  limit: { name: "revoke", per: "address" },
  answers: {
    200: { about: "Revoked, on every process", body: saidOnly() },
    400: {
      about: "The request was authenticated with an API key",
      refusals: [new KeyCannotBeRevokedHere()],
    },
  },
  async run(ctx: AuthContext, _call, caller) {
    if (caller.credential.kind !== "bearer") throw new KeyCannotBeRevokedHere();
    await revokeGrant(ctx.db, { grantId: caller.credential.grantId, because: "revoked" });
    return ok();
  },
});

const whoamiRoute = protectedRoute({
  method: "GET",
  path: "/auth/whoami",
  group,
  summary: "See what the credential of this request allows",
  access: { credentials: "either" },
  answers: { 200: { about: "The credential", body: saidWith(whoami) } },
  async run(_ctx: AuthContext, _call, caller) {
    return whoamiAnswer(caller);
  },
});

const JWK_EXAMPLE = {
  kty: "OKP",
  crv: "Ed25519",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  kid: "2026-11-15",
  alg: "EdDSA",
  use: "sig",
};

const jwksRoute = publicRoute({
  method: "GET",
  path: "/.well-known/jwks.json",
  group,
  summary: "Public keys that verify access tokens",
  answers: {
    200: {
      about: "A JSON Web Key Set",
      body: Type.Object({
        keys: Type.Array(Type.Record(Type.String()), {
          description: "By RFC 7517, each with its `kid`.",
          examples: [[JWK_EXAMPLE]],
        }),
      }),
      headers: ["Cache-Control"],
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

export const authRoutes: readonly Route<AuthContext>[] = [
  grantRoute,
  refreshRoute,
  revokeRoute,
  whoamiRoute,
  jwksRoute,
  ...keyRoutes,
];

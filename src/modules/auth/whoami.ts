/** What the credential of the request allows (Decision 0013). */

import { type Answer, bodyOf, JSON_TYPE, ok } from "../../infra/http/answer.ts";
import type { Caller } from "../../infra/http/caller.ts";
import {
  EXAMPLE,
  flagSchema,
  orNull,
  textSchema,
  timestampSchema,
  wordSchema,
} from "../../kit/response-schema.ts";
import { Type } from "../../kit/schema.ts";
import { COUNTRY_CODES, ENVIRONMENTS } from "../../kit/vocabulary.ts";

export const whoami = Type.Object(
  {
    account_number: textSchema("Whose it is.", EXAMPLE.accountNumber),
    account_type: wordSchema(["PERSONAL", "BUSINESS"], "Of the account.", "BUSINESS"),
    country_code: wordSchema(COUNTRY_CODES, "The account's platform.", "TT"),
    main_merchant: flagSchema("Whether the account may make others.", true),
    credential: wordSchema(["bearer", "api_key"], "How the request was authenticated."),
    kid: orNull(textSchema("The API key's, if it was one.", EXAMPLE.kid), null),
    environments: Type.Array(wordSchema(ENVIRONMENTS, "One of them."), {
      description: "Which data it reaches.",
      examples: [ENVIRONMENTS],
    }),
    scopes: Type.Array(Type.String(), {
      description: "What it allows.",
      examples: [["svc-user-all", "svc-transactions-all"]],
    }),
    expires_at: orNull(timestampSchema("When it ends.", "2026-11-16T02:03:07.000Z")),
  },
  { title: "Credential" },
);

const rendered = new WeakMap<Caller, Answer>();

/** Rendered once for each caller, which is remembered from request to request (Decision 0059). */
export function whoamiAnswer(caller: Caller): Answer {
  const known = rendered.get(caller);
  if (known !== undefined) return known;
  const answer = ok({ data: viewCaller(caller) });
  const written = { ...answer, body: bodyOf(answer), contentType: JSON_TYPE };
  rendered.set(caller, written);
  return written;
}

function viewCaller(caller: Caller) {
  const { credential } = caller;
  return {
    account_number: caller.accountNumber,
    account_type: caller.accountType,
    country_code: caller.countryCode,
    main_merchant: caller.isMainMerchant,
    credential: credential.kind === "key" ? "api_key" : "bearer",
    kid: credential.kind === "key" ? credential.kid : null,
    environments: credential.kind === "key" ? [credential.environment] : ENVIRONMENTS,
    scopes: [...caller.scopes],
    expires_at: credential.expiresAt,
  };
}

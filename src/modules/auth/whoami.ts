/** What a credential allows, told to whoever holds it (Decision 0013). */

import { Type } from "typebox";
import type { Caller } from "../../infra/http/caller.ts";

export const whoami = Type.Object({
  account_number: Type.String(),
  account_type: Type.Union([Type.Literal("PERSONAL"), Type.Literal("BUSINESS")]),
  country_code: Type.String(),
  main_merchant: Type.Boolean(),
  credential: Type.Union([Type.Literal("bearer"), Type.Literal("api_key")]),
  kid: Type.Union([Type.String(), Type.Null()]),
  environments: Type.Array(Type.Union([Type.Literal("live"), Type.Literal("sandbox")])),
  scopes: Type.Array(Type.String()),
  expires_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
});

export function viewCaller(caller: Caller) {
  const { credential } = caller;
  return {
    account_number: caller.accountNumber,
    account_type: caller.accountType,
    country_code: caller.countryCode,
    main_merchant: caller.isMainMerchant,
    credential: credential.kind === "key" ? "api_key" : "bearer",
    kid: credential.kind === "key" ? credential.kid : null,
    environments: credential.kind === "key" ? [credential.environment] : ["live", "sandbox"],
    scopes: [...caller.scopes],
    expires_at: credential.expiresAt,
  };
}

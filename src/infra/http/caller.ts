/** Who is calling, as every module sees it. Made by `modules/auth`, carried by the server. */

import type { Scope } from "../../kit/scopes.ts";
import type { AccountType, CountryCode, Environment } from "../../kit/vocabulary.ts";

type Credential =
  | { readonly kind: "bearer"; readonly grantId: string; readonly expiresAt: Date }
  | {
      readonly kind: "key";
      readonly kid: string;
      /** A key reaches this environment only; a bearer token reaches both. */
      readonly environment: Environment;
      readonly expiresAt: Date | null;
    };

export interface Caller {
  readonly accountNumber: string;
  readonly accountType: AccountType;
  readonly countryCode: CountryCode;
  readonly isMainMerchant: boolean;
  /** What the credential carries and its account may still hold. */
  readonly scopes: ReadonlySet<Scope>;
  readonly credential: Credential;
}

/** A name for the credential, for limits and the log. */
export function credentialName(
  credential: { kind: "key"; kid: string } | { kind: "bearer"; grantId: string },
): string {
  return credential.kind === "key" ? `key ${credential.kid}` : `grant ${credential.grantId}`;
}

/** Who is calling, as every module sees it. Made by `modules/auth`, carried by the server. */

import { FieldRefused, NotFound } from "../../kit/errors.ts";
import type { Scope } from "../../kit/scopes.ts";
import type { AccountType, CountryCode, Environment } from "../../kit/vocabulary.ts";

export type Credential =
  | { readonly kind: "bearer"; readonly grantId: string; readonly expiresAt: Date }
  | {
      readonly kind: "key";
      readonly kid: string;
      /** A key reaches this environment only; a bearer token reaches both. */
      readonly environment: Environment;
      readonly expiresAt: Date | null;
    }
  | {
      /** A person in the console, who reaches both environments, like a bearer token. */
      readonly kind: "session";
      readonly sessionId: string;
      readonly personId: string;
      readonly address: string;
      readonly browser: string;
      readonly expiresAt: Date;
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
  credential:
    | { kind: "key"; kid: string }
    | { kind: "bearer"; grantId: string }
    | { kind: "session"; sessionId: string },
): string {
  if (credential.kind === "key") return `key ${credential.kid}`;
  if (credential.kind === "bearer") return `grant ${credential.grantId}`;
  return `session ${credential.sessionId}`;
}

/**
 * Whose data is meant: an API key has its own environment, and who names the other one must not
 * take its figures for those; a bearer token reaches both, and means live unless it says so.
 */
export function environmentOf({ credential }: Caller, asked: Environment | undefined): Environment {
  return reachOf(credential, asked) ?? "live";
}

/** The same where the record itself has its environment: undefined is either. */
export function reachOf(
  credential: Credential,
  asked: Environment | undefined,
): Environment | undefined {
  if (credential.kind !== "key") return asked;
  if (asked !== undefined && asked !== credential.environment)
    throw new FieldRefused(`The environment must be ${credential.environment} with this API key.`, {
      code: "environment_of_key",
      field: "environment",
    });
  return credential.environment;
}

/** What is live is not there, whether a live key asks or `environment` names it. */
export function demandSandbox({ credential }: Caller, asked?: Environment): void {
  if (reachOf(credential, asked) === "live") throw new NotFound("it is of the sandbox only");
}

/**
 * Every error of the service by its code (Decision 0063): the source of `X-SVC-Error`, of
 * problem+json, of `WWW-Authenticate` and of the pages at `/docs/errors`.
 *
 * A code is part of the interface: once published it keeps its meaning and its status.
 */

import { ACCOUNT_ERRORS, WEBHOOK_ERRORS } from "./account-errors.ts";
import { CONSOLE_ERRORS } from "./console-errors.ts";
import { CREDENTIAL_ERRORS, type UNAUTHORIZED_ERRORS } from "./credential-errors.ts";
import type { ErrorEntry } from "./entry.ts";
import { FIELD_ERRORS } from "./field-errors.ts";
import { CARD_ERRORS, PAYMENT_ERRORS, WITHDRAWAL_ERRORS } from "./payment-errors.ts";
import { REQUEST_ERRORS } from "./request-errors.ts";
import { SANDBOX_ERRORS } from "./sandbox-errors.ts";

const ERRORS = {
  ...REQUEST_ERRORS,
  ...FIELD_ERRORS,
  ...CREDENTIAL_ERRORS,
  ...ACCOUNT_ERRORS,
  ...PAYMENT_ERRORS,
  ...CARD_ERRORS,
  ...WITHDRAWAL_ERRORS,
  ...WEBHOOK_ERRORS,
  ...CONSOLE_ERRORS,
  ...SANDBOX_ERRORS,
};

export type ErrorCode = keyof typeof ERRORS;
export type FieldErrorCode = keyof typeof FIELD_ERRORS;
export type UnauthorizedCode = keyof typeof UNAUTHORIZED_ERRORS;

export const CATALOGUE: Readonly<Record<ErrorCode, ErrorEntry>> = ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/** In the order in which the index page shows them. */
export const ERROR_AREAS: readonly {
  readonly title: string;
  readonly errors: Readonly<Partial<Record<ErrorCode, ErrorEntry>>>;
}[] = [
  { title: "Requests", errors: REQUEST_ERRORS },
  { title: "Fields", errors: FIELD_ERRORS },
  { title: "Credentials", errors: CREDENTIAL_ERRORS },
  { title: "Accounts", errors: ACCOUNT_ERRORS },
  { title: "Payments", errors: PAYMENT_ERRORS },
  { title: "Trusted cards", errors: CARD_ERRORS },
  { title: "Withdrawals", errors: WITHDRAWAL_ERRORS },
  { title: "Webhooks", errors: WEBHOOK_ERRORS },
  { title: "Sandbox", errors: SANDBOX_ERRORS },
  { title: "Console", errors: CONSOLE_ERRORS },
];

/** The page about an error; also the `type` of problem+json. */
export function helpPath(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}

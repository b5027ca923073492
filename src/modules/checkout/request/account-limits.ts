/**
 * Requests for an account that has limits of its own (Decision 0129). An amount that is refused by
 * the platform's limits is read again without them where the account's own may be wider; those are
 * judged where the account is read, after all fields. Every other request is read once.
 */

import type { Queryable } from "../../../infra/db/query.ts";
import { hasOwnTerms } from "../../accounts/own-terms.ts";
import { BeyondLimits } from "../../platforms/fee-quote.ts";
import type { FieldRules } from "./request-fields.ts";

type Payee = Parameters<typeof hasOwnTerms>[1];

/** Undefined: the refusal stands. */
export async function rulesForAccount(
  db: Queryable,
  error: unknown,
  { rules, payee }: { rules: FieldRules; payee: Payee | undefined },
): Promise<FieldRules | undefined> {
  if (!(error instanceof BeyondLimits) || payee === undefined) return undefined;
  return (await hasOwnTerms(db, payee)) ? { ...rules, judgesLimitsLater: true } : undefined;
}

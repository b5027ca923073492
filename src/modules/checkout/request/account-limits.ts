/**
 * Requests for an account that has limits of its own (Decision 0129). An amount that is refused by
 * the platform's limits is read again without them where the account's own may be wider; those are
 * judged where the account is read, after all fields. Every other request is read once.
 */

import type { Queryable } from "../../../infra/db/query.ts";
import type { Caller } from "../../../infra/http/caller.ts";
import type { RefusedBody } from "../../../infra/http/route.ts";
import { hasOwnTerms } from "../../accounts/own-terms.ts";
import { BeyondLimits } from "../../platforms/fee-quote.ts";
import type { FieldRules } from "./request-fields.ts";

export type Payee = Parameters<typeof hasOwnTerms>[1];

/** Where an amount is refused by these rules: by those of the account that is to be paid. */
export async function readWithAccountLimits<T>(
  db: Queryable,
  payee: Payee,
  rules: FieldRules,
  read: (by: FieldRules) => T,
): Promise<T> {
  try {
    return read(rules);
  } catch (error) {
    const again = await rulesForAccount(db, payee, rules, error);
    if (again === undefined) throw error;
    return read(again);
  }
}

/** The same for a route, which reads by itself: its hook `bodyAfterRefusal`. */
export function fieldsForAccount<P extends Payee, B>({
  rules,
  payeeOf,
  fields,
}: {
  readonly rules: FieldRules;
  payeeOf(refused: RefusedBody, caller: Caller | undefined): P | undefined;
  fields(by: FieldRules, payee: P): B;
}) {
  return async (
    { db }: { readonly db: Queryable },
    refused: RefusedBody,
    caller: Caller | undefined,
  ): Promise<B | undefined> => {
    const payee = payeeOf(refused, caller);
    if (payee === undefined) return undefined;
    const again = await rulesForAccount(db, payee, rules, refused.error);
    return again && fields(again, payee);
  };
}

/** Undefined: the refusal stands. */
async function rulesForAccount(
  db: Queryable,
  payee: Payee,
  rules: FieldRules,
  error: unknown,
): Promise<FieldRules | undefined> {
  if (!(error instanceof BeyondLimits)) return undefined;
  return (await hasOwnTerms(db, payee)) ? { ...rules, judgesLimitsLater: true } : undefined;
}

/** From when on terms of an account hold, and what they have to leave of every payment. */

import { now } from "../../../infra/db/clock.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { OperatorError } from "../../../kit/errors.ts";
import { describeMoney } from "../../../kit/money.ts";
import { feesOfRow, limitsOfRow, listOwnTerms } from "../../accounts/own-terms.ts";
import { quoteFee } from "../../platforms/fee-quote.ts";
import { paymentLimitsOf } from "../../platforms/limits.ts";
import { platformOf } from "../../platforms/platform.ts";
import { timeOption } from "../fields.ts";
import { accountRefuses, type LockedAccount } from "./account.ts";

export const fromOption = timeOption("From when on: a day of UTC, or a time; now if absent.");

/** Of a day that has begun only the rest can be meant. */
export async function termsFrom(tx: Tx, typed: Date | undefined): Promise<Date> {
  const at = await now(tx);
  const today = `${at.toISOString().slice(0, 10)}T00:00:00.000Z`;
  if (typed === undefined || typed.toISOString() === today) return at;
  if (typed < at)
    throw new OperatorError("Terms begin now or later: what was requested before has its price.");
  return typed;
}

export function demandBusiness(account: LockedAccount): void {
  if (account.account_type !== "BUSINESS")
    throw accountRefuses(account, `is ${account.account_type}: it takes no payments.`);
}

/**
 * Parts of a fee are rounded, each to the nearest cent, so a larger payment may leave up to two
 * cents less than a smaller one. Where three are left of the smallest, some are left of each.
 */
const LEFT_MINOR_MIN = 3n;
/** More than anybody schedules; earlier ones do not matter. */
const LOOKED_AT_MAX = 1_000;

/** Under all limits and fees that hold from that moment on, where the merchant pays the fee. */
export async function demandSomethingLeft(
  tx: Tx,
  { account_number: accountNumber, country_code: countryCode }: LockedAccount,
  from: Date,
): Promise<void> {
  const { limits, fees } = await listOwnTerms(tx, accountNumber, LOOKED_AT_MAX);
  const platform = platformOf(countryCode);
  for (const currency of platform.currencies)
    for (const limit of fromThenOn(
      limits.filter((one) => one.currency === currency),
      from,
    ))
      for (const fee of fromThenOn(fees, from)) {
        const { minimum } = paymentLimitsOf(currency, limitsOfRow(limit));
        const at = latest(from, limit?.valid_from, fee?.valid_from);
        const own = feesOfRow(fee);
        const feeStructure = "merchant_absorb";
        const quote = quoteFee({ platform, currency, amount: minimum, feeStructure, at, own });
        if (quote.merchant.net.minor < LEFT_MINOR_MIN)
          throw new OperatorError(
            `Nothing would be left of the smallest payment: of ${describeMoney(minimum)} the fee ` +
              `is ${describeMoney(quote.total)}.`,
          );
      }
}

interface Dated {
  readonly valid_from: Date;
}

/** Of rows newest first: those that begin later, and the one that holds then; or none. */
function fromThenOn<R extends Dated>(rows: readonly R[], from: Date): (R | undefined)[] {
  const at = rows.findIndex(({ valid_from }) => valid_from <= from);
  return at === -1 ? [...rows, undefined] : rows.slice(0, at + 1);
}

function latest(first: Date, ...others: readonly (Date | undefined)[]): Date {
  return others.reduce<Date>((last, one) => (one !== undefined && one > last ? one : last), first);
}

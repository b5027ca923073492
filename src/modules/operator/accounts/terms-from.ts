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

/**
 * At every moment from then on at which other terms begin: what the limits and the fee that hold
 * then leave of the smallest payment, where the merchant pays the fee.
 */
export async function demandSomethingLeft(
  tx: Tx,
  { account_number: accountNumber, country_code: countryCode }: LockedAccount,
  from: Date,
): Promise<void> {
  const { limits, fees } = await listOwnTerms(tx, accountNumber, LOOKED_AT_MAX);
  const begins = [...limits, ...fees].map(({ valid_from }) => valid_from);
  const moments = [from, ...begins.filter((begin) => begin > from)];
  const platform = platformOf(countryCode);
  for (const currency of platform.currencies) {
    const limitsOfCurrency = limits.filter((limit) => limit.currency === currency);
    for (const at of moments) {
      const own = feesOfRow(holdingAt(fees, at));
      const limit = limitsOfRow(holdingAt(limitsOfCurrency, at));
      const { minimum } = paymentLimitsOf(currency, limit);
      const feeStructure = "merchant_absorb";
      const quote = quoteFee({ platform, currency, amount: minimum, feeStructure, at, own });
      if (quote.merchant.net.minor < LEFT_MINOR_MIN)
        throw new OperatorError(
          `Nothing would be left of the smallest payment: of ${describeMoney(minimum)} the fee ` +
            `is ${describeMoney(quote.total)}.`,
        );
    }
  }
}

/** Of rows newest first, in which the last one set for a moment is the first of that moment. */
function holdingAt<R extends { readonly valid_from: Date }>(
  rows: readonly R[],
  at: Date,
): R | undefined {
  return rows.find(({ valid_from }) => valid_from <= at);
}

/**
 * What a payment costs and who pays it: pure integer arithmetic over the dated terms (Interface
 * §4.5 "fee breakdown", Decision 0025). Each part is rounded once, half up, to minor units;
 * everything else is a sum or a difference of rounded parts. So the parts and the two shares both
 * add up to the fee, to the cent.
 */

import { FieldRefused } from "../../kit/errors.ts";
import { labelOf } from "../../kit/fields/field.ts";
import {
  addMoney,
  type Currency,
  compareMoney,
  formatMoney,
  type Money,
  money,
  subtractMoney,
} from "../../kit/money.ts";
import { feeTermsOf, minorPerDollarOf } from "./fees.ts";
import { type PaymentLimits, paymentLimitsOf } from "./limits.ts";
import type { OwnTerms } from "./own-terms.ts";
import type { Platform } from "./platform.ts";

export const FEE_STRUCTURES = ["customer_pay", "merchant_absorb", "split"] as const;

export type FeeStructure = (typeof FEE_STRUCTURES)[number];

export interface FeeQuote {
  readonly percentage: Money;
  readonly fixed: Money;
  readonly tax: Money;
  readonly total: Money;
  readonly customer: { readonly fee: Money; readonly total: Money };
  readonly merchant: { readonly fee: Money; readonly net: Money };
}

const BASIS_POINTS = 10_000n;
const MINOR_PER_DOLLAR_OF_DOLLARS = 100n;

export function quoteFee(input: {
  platform: Platform;
  currency: Currency;
  amount: Money;
  feeStructure: FeeStructure;
  at: Date;
  /** Of the account that is paid, at that moment. */
  own?: OwnTerms | undefined;
}): FeeQuote {
  const { platform, currency, amount, at, own } = input;
  const terms = feeTermsOf(platform.countryCode, at, own);
  const part = (minor: bigint, of: bigint) => money(currency, halfUp(minor, of));
  const percentage = part(amount.minor * terms.percentage, BASIS_POINTS);
  const fixed = part(
    terms.fixed.minor * minorPerDollarOf(currency, at),
    MINOR_PER_DOLLAR_OF_DOLLARS,
  );
  // Of the rounded part, so that the lines of an invoice add up.
  const tax = part(percentage.minor * terms.tax, BASIS_POINTS);
  const total = addMoney(addMoney(percentage, fixed), tax);
  const customerFee = money(currency, customerShare(total.minor, input.feeStructure));
  const merchantFee = subtractMoney(total, customerFee);
  return {
    percentage,
    fixed,
    tax,
    total,
    customer: { fee: customerFee, total: addMoney(amount, customerFee) },
    merchant: { fee: merchantFee, net: subtractMoney(amount, merchantFee) },
  };
}

/** It is no amount of one payment: the platform's limits, or those of the account that is paid. */
export class BeyondLimits extends FieldRefused {
  constructor(field: string, { minimum, maximum }: PaymentLimits) {
    const range = `${formatMoney(minimum)} to ${formatMoney(maximum)} ${minimum.currency}`;
    super(`The ${labelOf(field)} must be from ${range}.`, {
      code: "field_out_of_range",
      field,
      hint: `Send ${field} from ${range}.`,
    });
  }
}

export function isPayable(amount: Money, own?: OwnTerms): boolean {
  const { minimum, maximum } = paymentLimitsOf(amount.currency, own);
  return compareMoney(amount, minimum) >= 0 && compareMoney(amount, maximum) <= 0;
}

/** Refuses an amount outside the limits of a payment. */
export function demandPayable(amount: Money, field: string, own?: OwnTerms): void {
  if (isPayable(amount, own)) return;
  throw new BeyondLimits(field, paymentLimitsOf(amount.currency, own));
}

function customerShare(feeMinor: bigint, structure: FeeStructure): bigint {
  switch (structure) {
    case "customer_pay":
      return feeMinor;
    case "merchant_absorb":
      return 0n;
    case "split":
      // The customer pays the odd cent.
      return (feeMinor + 1n) / 2n;
  }
}

/** Neither is ever negative, so the half is always added upwards. */
function halfUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor / 2n) / divisor;
}

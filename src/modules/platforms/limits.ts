/**
 * Minimum and maximum of a payment and the fee of a withdrawal (Interface §8). Limits belong to
 * the currency, not to the country, and are inclusive (Decision 0017).
 */

import { type Currency, type Money, money } from "../../kit/money.ts";
import type { OwnTerms } from "./own-terms.ts";

interface Terms {
  readonly paymentMinimum: bigint;
  readonly paymentMaximum: bigint;
  readonly withdrawalFee: bigint;
}

/** Minor units. */
const TERMS: Readonly<Record<Currency, Terms>> = {
  BBD: { paymentMinimum: 1_50n, paymentMaximum: 6_000_00n, withdrawalFee: 5_00n },
  GYD: { paymentMinimum: 155_00n, paymentMaximum: 627_000_00n, withdrawalFee: 500_00n },
  JMD: { paymentMinimum: 115_00n, paymentMaximum: 465_000_00n, withdrawalFee: 300_00n },
  TTD: { paymentMinimum: 5_00n, paymentMaximum: 20_400_00n, withdrawalFee: 5_00n },
  USD: { paymentMinimum: 74n, paymentMaximum: 3_000_00n, withdrawalFee: 5_00n },
  XCD: { paymentMinimum: 2_00n, paymentMaximum: 8_100_00n, withdrawalFee: 10_00n },
};

export interface PaymentLimits {
  readonly minimum: Money;
  readonly maximum: Money;
}

/** `own`: of the account that is paid, where it has any (Decision 0129). */
export function paymentLimitsOf(currency: Currency, own: OwnTerms = {}): PaymentLimits {
  const { paymentMinimum, paymentMaximum } = TERMS[currency];
  const { minimum = paymentMinimum, maximum = paymentMaximum } = own.limits?.[currency] ?? {};
  return { minimum: money(currency, minimum), maximum: money(currency, maximum) };
}

/** The fee is charged on top of the amount, so the minimum does not include it. */
export function withdrawalTermsOf(currency: Currency): { fee: Money; minimum: Money } {
  const { paymentMinimum, withdrawalFee } = TERMS[currency];
  return { fee: money(currency, withdrawalFee), minimum: money(currency, paymentMinimum) };
}

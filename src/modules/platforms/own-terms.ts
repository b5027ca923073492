/**
 * Limits and fees that an operator has set for one account (Decision 0129): those of one moment, as
 * pure data. What is absent is the platform's (`limits.ts`, `fees.ts`).
 */

import type { Currency } from "../../kit/money.ts";

export interface OwnTerms {
  /** Of one payment, in minor units. */
  readonly limits?: Readonly<Partial<Record<Currency, OwnLimits>>>;
  readonly fees?: OwnFees | undefined;
}

export interface OwnLimits {
  readonly minimum: bigint;
  readonly maximum: bigint;
}

/** The tax on the percentage part stays the platform's: it is the state's. */
export interface OwnFees {
  /** Hundredths of a percent of the amount. */
  readonly percentage: bigint;
  /** US cents, charged in the payment's currency. */
  readonly fixedCents: bigint;
}

/** As large as an amount may be that JSON keeps exactly (`kit/fields/amount.ts`). */
export const OWN_MAXIMUM_MINOR = 999_999_999_999n;
export const OWN_PERCENTAGE_MAX = 20_00n;
export const OWN_FIXED_CENTS_MAX = 100_00n;

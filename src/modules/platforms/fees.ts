/**
 * Fee terms and exchange rates by date (Interface §4.5 "fee breakdown", Decision 0017); the
 * arithmetic is in `fee-quote.ts`. To change terms, add a version that starts in the future; never
 * edit one that has started, because payments were priced by it.
 */

import { type Currency, type Money, money } from "../../kit/money.ts";
import type { CountryCode } from "../../kit/vocabulary.ts";
import { dated } from "./dated.ts";
import type { OwnTerms } from "./own-terms.ts";

/** Hundredths of a percent of the amount. */
type BasisPoints = bigint;

interface FeeTerms {
  readonly percentage: BasisPoints;
  /** Charged in the payment's currency, at the exchange rate of the same moment. */
  readonly fixed: Money;
  /** On the percentage part alone. */
  readonly tax: BasisPoints;
}

const NOTHING_FIXED = money("USD", 0n);

const termsByCountry = dated<Readonly<Record<CountryCode, FeeTerms>>>([
  {
    // The interface's first release: no payment is older.
    validFrom: new Date("2022-12-19T00:00:00Z"),
    value: {
      BB: { percentage: 380n, fixed: NOTHING_FIXED, tax: 1500n },
      GD: { percentage: 420n, fixed: NOTHING_FIXED, tax: 1500n },
      GY: { percentage: 420n, fixed: NOTHING_FIXED, tax: 1500n },
      JM: { percentage: 420n, fixed: NOTHING_FIXED, tax: 1500n },
      TT: { percentage: 350n, fixed: money("USD", 25n), tax: 0n },
    },
  },
]);

/** `own`: of the account that is paid, where it has any (Decision 0129). */
export function feeTermsOf(
  countryCode: CountryCode,
  at: Date,
  { fees: own }: OwnTerms = {},
): FeeTerms {
  const terms = termsByCountry(at)[countryCode];
  if (own === undefined) return terms;
  return { ...terms, percentage: own.percentage, fixed: money("USD", own.fixedCents) };
}

/** Minor units of the currency for one US dollar: 6.80 TTD is 680. */
const dollarRates = dated<Readonly<Record<Currency, bigint>>>([
  {
    validFrom: new Date("2022-12-19T00:00:00Z"),
    value: { BBD: 2_00n, GYD: 209_00n, JMD: 155_00n, TTD: 6_80n, USD: 1_00n, XCD: 2_70n },
  },
]);

/** Prices the fixed part of a fee only: customers' money is never exchanged. */
export function minorPerDollarOf(currency: Currency, at: Date): bigint {
  return dollarRates(at)[currency];
}

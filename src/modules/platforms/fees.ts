/**
 * What we earn on a payment, by platform and day (Interface §4.5 "fee breakdown").
 *
 * The rule that matters: terms are exact integers and dated. To change them, add a version with a
 * moment to come; never edit one that has begun, because payments were priced by it. Only terms
 * live here; the arithmetic is in `fee-quote.ts` (Decision 0017).
 */

import { type Money, money } from "../../kit/money.ts";
import type { CountryCode } from "../../kit/vocabulary.ts";
import { dated } from "./dated.ts";
import type { Platform } from "./platform.ts";

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

export function feeTermsOf(platform: Platform, at: Date): FeeTerms {
  return termsByCountry(at)[platform.countryCode];
}

/**
 * What a US dollar is in each currency, by day. It prices the fixed part of a fee and nothing else:
 * no customer's money is ever exchanged. Changed as fees are, by adding a version (Decision 0017).
 */

import type { Currency } from "../../kit/money.ts";
import { dated } from "./dated.ts";

/** Minor units of the currency for one whole US dollar: 6.80 TTD is 680. */
type MinorPerDollar = Readonly<Record<Currency, bigint>>;

const rates = dated<MinorPerDollar>([
  {
    // Together with the first fees.
    validFrom: new Date("2022-12-19T00:00:00Z"),
    value: { BBD: 2_00n, GYD: 209_00n, JMD: 155_00n, TTD: 6_80n, USD: 1_00n, XCD: 2_70n },
  },
]);

export function minorPerDollarOf(currency: Currency, at: Date): bigint {
  return rates(at)[currency];
}

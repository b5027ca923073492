/** Currencies and countries as PowerTranz writes them: three digits, zeros in front kept. */

import { iso31661Alpha2ToNumeric } from "iso-3166";
import type { Currency } from "../../../kit/money.ts";

export const CURRENCY_NUMBERS: Readonly<Record<Currency, string>> = {
  TTD: "780",
  USD: "840",
  BBD: "052",
  XCD: "951",
  JMD: "388",
  GYD: "328",
};

/** Undefined: not an ISO 3166-1 country. */
export function countryNumber(alpha2: string): string | undefined {
  const numbers: Readonly<Record<string, string>> = iso31661Alpha2ToNumeric;
  return Object.hasOwn(numbers, alpha2) ? numbers[alpha2] : undefined;
}

/** What a fee comes to is told with an amount that the form takes. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { compareMoney, parseMoney } from "../../kit/money.ts";
import { COUNTRY_CODES } from "../../kit/vocabulary.ts";
import { paymentLimitsOf } from "../../modules/platforms/limits.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import { feeExample } from "./link-words.ts";

for (const country of COUNTRY_CODES)
  test(`the example of ${country} could be asked for`, () => {
    const { localCurrency: currency } = platformOf(country);
    const [, shown = ""] = /^On [A-Z]{3}\u00a0([\d,.]+) the fee/.exec(example(country)) ?? [];
    const amount = parseMoney(currency, shown.replaceAll(",", ""));
    assert(amount !== undefined, example(country));
    const { minimum, maximum } = paymentLimitsOf(currency);
    assert(compareMoney(minimum, amount) <= 0 && compareMoney(amount, maximum) <= 0);
  });

function example(country: (typeof COUNTRY_CODES)[number]): string {
  return feeExample(platformOf(country), { at: new Date("2026-11-18T12:00:00Z"), own: {} });
}

/** The amounts that callers are held to are the published ones, to the cent. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { CURRENCIES, type Currency, compareMoney, formatMoney } from "../../kit/money.ts";
import { paymentLimitsOf, withdrawalTermsOf } from "./limits.ts";

const PUBLISHED: Readonly<Record<Currency, [minimum: string, maximum: string, fee: string]>> = {
  TTD: ["5.00", "20400.00", "5.00"],
  USD: ["0.74", "3000.00", "5.00"],
  BBD: ["1.50", "6000.00", "5.00"],
  XCD: ["2.00", "8100.00", "10.00"],
  JMD: ["115.00", "465000.00", "300.00"],
  GYD: ["155.00", "627000.00", "500.00"],
};

for (const currency of CURRENCIES) {
  const [minimum, maximum, fee] = PUBLISHED[currency];
  const payment = paymentLimitsOf(currency);
  const withdrawal = withdrawalTermsOf(currency);

  test(`a payment in ${currency} is from ${minimum} to ${maximum}`, () => {
    assert.deepEqual([payment.minimum, payment.maximum].map(formatMoney), [minimum, maximum]);
  });

  test(`a withdrawal in ${currency} costs ${fee} and is at least the smallest payment`, () => {
    assert.equal(formatMoney(withdrawal.fee), fee);
    assert.equal(compareMoney(withdrawal.minimum, payment.minimum), 0);
  });

  test(`every amount told for ${currency} is in ${currency}`, () => {
    const told = [...Object.values(payment), ...Object.values(withdrawal)];
    assert.deepEqual(new Set(told.map((each) => each.currency)), new Set([currency]));
  });
}

/**
 * Recipes move what they say and nothing else: each is a table of transfers, none has an amount of
 * zero, and what undoes another leaves every balance where it was (Decision 0023).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { CURRENCIES, formatMoney, type Money, money } from "../../kit/money.ts";
import { ledgerAccountName } from "./chart-of-accounts.ts";
import type { Transfer } from "./posting.ts";
import * as recipes from "./recipes.ts";

const accountNumber = "1234567890";
const ttd = (minor: number) => money("TTD", BigInt(minor));

const shown = (transfers: readonly Transfer[]) =>
  transfers.map((one) => `${one.debit.kind} → ${one.credit.kind} ${formatMoney(one.amount)}`);

const disputed = (amount: number, covered: number) => ({
  accountNumber,
  amount: ttd(amount),
  covered: ttd(covered),
});
const withdrawal = { accountNumber, amount: ttd(20000), fee: ttd(500) };
const refund = { accountNumber, amount: ttd(4000) };
const payment = (customerTotal: number, fee: number, tax: number, net: number) => ({
  accountNumber,
  customerTotal: ttd(customerTotal),
  fee: ttd(fee),
  tax: ttd(tax),
  net: ttd(net),
});

describe("a recipe moves", () => {
  const table: [string, Transfer[], string[]][] = [
    [
      "a payment whose customer pays the fee",
      recipes.paymentApproved(payment(10520, 520, 0, 10000)),
      ["gateway_clearing → available 100.00", "gateway_clearing → fee_income 5.20"],
    ],
    [
      "a payment whose fee is split, with tax in it",
      recipes.paymentApproved(payment(10219, 437, 57, 9782)),
      [
        "gateway_clearing → available 97.82",
        "gateway_clearing → fee_income 3.80",
        "gateway_clearing → tax 0.57",
      ],
    ],
    [
      "a payment whose merchant absorbs the fee",
      recipes.paymentApproved(payment(10000, 520, 0, 9480)),
      ["gateway_clearing → available 94.80", "gateway_clearing → fee_income 5.20"],
    ],
    ["a refund requested", recipes.refundRequested(refund), ["available → held 40.00"]],
    ["a refund paid", recipes.refundPaid(refund), ["held → gateway_clearing 40.00"]],
    ["a refund rejected", recipes.refundRejected(refund), ["held → available 40.00"]],
    [
      "a chargeback opened, covered in part",
      recipes.chargebackOpened({ accountNumber, covered: ttd(700) }),
      ["available → held 7.00"],
    ],
    ["a chargeback opened, not covered", recipes.chargebackOpened(disputed(1000, 0)), []],
    [
      "a chargeback processed, covered in part",
      recipes.chargebackProcessed(disputed(1000, 700)),
      ["held → gateway_clearing 7.00", "losses → gateway_clearing 3.00"],
    ],
    [
      "a chargeback released",
      recipes.chargebackReleased({ accountNumber, covered: ttd(700) }),
      ["held → available 7.00"],
    ],
    [
      "fraud, covered",
      recipes.fraudConfirmed(disputed(1000, 1000)),
      ["available → gateway_clearing 10.00"],
    ],
    [
      "fraud, covered in part",
      recipes.fraudConfirmed(disputed(1000, 1)),
      ["available → gateway_clearing 0.01", "losses → gateway_clearing 9.99"],
    ],
    [
      "a withdrawal requested",
      recipes.withdrawalRequested(withdrawal),
      ["available → held 200.00", "available → held 5.00"],
    ],
    [
      "a withdrawal without a fee",
      recipes.withdrawalRequested({ ...withdrawal, fee: ttd(0) }),
      ["available → held 200.00"],
    ],
    ["a withdrawal sent", recipes.withdrawalSent(withdrawal), ["held → payouts_in_transit 200.00"]],
    [
      "a withdrawal that the bank has stopped",
      recipes.withdrawalStopped(withdrawal),
      ["payouts_in_transit → held 200.00"],
    ],
    [
      "a withdrawal completed",
      recipes.withdrawalCompleted(withdrawal),
      ["payouts_in_transit → gateway_clearing 200.00", "held → fee_income 5.00"],
    ],
    [
      "a withdrawal that failed after it was sent",
      recipes.withdrawalFailed(withdrawal),
      ["payouts_in_transit → available 200.00", "held → available 5.00"],
    ],
    [
      "a withdrawal cancelled",
      recipes.withdrawalCancelled(withdrawal),
      ["held → available 200.00", "held → available 5.00"],
    ],
    [
      "a withdrawal that the bank has sent back",
      recipes.withdrawalReturned(withdrawal),
      ["gateway_clearing → available 200.00", "fee_income → available 5.00"],
    ],
    [
      "a card check charged",
      recipes.cardCheckCharged({ accountNumber, amount: ttd(73) }),
      ["gateway_clearing → card_checks 0.73"],
    ],
    [
      "a card check returned",
      recipes.cardCheckReturned({ accountNumber, amount: ttd(73) }),
      ["card_checks → gateway_clearing 0.73"],
    ],
    [
      "a sale settled, less what the acquirer keeps",
      recipes.saleSettled({ accountNumber, amount: ttd(10520), fee: ttd(263) }),
      ["bank → gateway_clearing 105.20", "acquirer_fees → bank 2.63"],
    ],
    [
      "a refund settled",
      recipes.refundSettled({ accountNumber, amount: ttd(4000), fee: ttd(0) }),
      ["gateway_clearing → bank 40.00"],
    ],
    [
      "money to begin with",
      recipes.fundsOpened({ accountNumber, amount: ttd(1000000) }),
      ["opening_funds → available 10000.00"],
    ],
  ];
  for (const [what, transfers, expected] of table)
    test(what, () => assert.deepEqual(shown(transfers), expected));
});

describe("a recipe refuses", () => {
  test("a payment whose parts do not make the total", () => {
    assert.throws(() => recipes.paymentApproved(payment(10000, 520, 0, 10000)));
  });
  test("more tax than fee, and more covered than disputed", () => {
    assert.throws(() => recipes.paymentApproved(payment(10000, 520, 521, 9480)));
    assert.throws(() => recipes.chargebackProcessed(disputed(1000, 1001)));
  });
  test("an amount below zero", () => {
    assert.throws(() => recipes.refundRequested({ accountNumber, amount: ttd(-1) }));
  });
  test("two currencies", () => {
    const mixed = { ...disputed(1000, 0), covered: money("USD", 1n) };
    assert.throws(() => recipes.fraudConfirmed(mixed));
  });
});

interface Drawn {
  readonly dispute: recipes.DisputedAmount;
  readonly withdrawn: recipes.WithdrawalAmounts;
  readonly one: recipes.AmountOf;
  readonly paid: recipes.PaymentAmounts;
}

describe("of any amounts", () => {
  const amount = fc.bigInt({ min: 0n, max: 62_700_000n });
  const parts = fc.record({
    currency: fc.constantFrom(...CURRENCIES),
    accountNumber: fc.stringMatching(/^[1-9][0-9]{9}$/),
    big: amount,
    small: amount,
    smaller: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const all = parts.map((of): Drawn => {
    const in_ = (minor: bigint): Money => money(of.currency, minor);
    const share = BigInt(Math.floor(Number(of.small) * of.smaller));
    const merchant = { accountNumber: of.accountNumber };
    const dispute = { ...merchant, amount: in_(of.big + of.small), covered: in_(of.small) };
    const withdrawn = { ...merchant, amount: in_(of.big), fee: in_(of.small) };
    const one = { ...merchant, amount: in_(of.big) };
    const paid = {
      ...merchant,
      customerTotal: in_(of.big + of.small),
      fee: in_(of.small),
      tax: in_(share),
      net: in_(of.big),
    };
    return { dispute, withdrawn, one, paid };
  });

  test("each transfer is more than nothing, between two accounts, and all add up to zero", () => {
    fc.assert(
      fc.property(all, ({ dispute, withdrawn, one, paid }) => {
        const transfers = [
          ...recipes.paymentApproved(paid),
          ...recipes.chargebackProcessed(dispute),
          ...recipes.fraudConfirmed(dispute),
          ...recipes.withdrawalRequested(withdrawn),
          ...recipes.withdrawalSent(withdrawn),
          ...recipes.withdrawalCompleted(withdrawn),
          ...recipes.refundPaid(one),
        ];
        assert(transfers.every(({ amount }) => amount.minor > 0n));
        assert(transfers.every(({ debit, credit }) => debit.kind !== credit.kind));
        const total = [...changes(transfers).values()].reduce((sum, one) => sum + one, 0n);
        assert.equal(total, 0n);
      }),
    );
  });

  const undone: [string, (of: Drawn) => Transfer[][]][] = [
    [
      "a refund requested and rejected",
      ({ one }) => [recipes.refundRequested(one), recipes.refundRejected(one)],
    ],
    [
      "a chargeback opened and released",
      ({ dispute }) => [recipes.chargebackOpened(dispute), recipes.chargebackReleased(dispute)],
    ],
    [
      "a withdrawal requested and cancelled",
      ({ withdrawn: of }) => [recipes.withdrawalRequested(of), recipes.withdrawalCancelled(of)],
    ],
    [
      "a withdrawal requested, sent and failed",
      ({ withdrawn }) => [
        recipes.withdrawalRequested(withdrawn),
        recipes.withdrawalSent(withdrawn),
        recipes.withdrawalFailed(withdrawn),
      ],
    ],
    [
      "a withdrawal requested, sent, stopped and cancelled",
      ({ withdrawn: of }) => [
        ...[recipes.withdrawalRequested(of), recipes.withdrawalSent(of)],
        ...[recipes.withdrawalStopped(of), recipes.withdrawalCancelled(of)],
      ],
    ],
    [
      "a withdrawal requested, sent, completed and returned",
      ({ withdrawn: of }) => [
        ...[recipes.withdrawalRequested(of), recipes.withdrawalSent(of)],
        ...[recipes.withdrawalCompleted(of), recipes.withdrawalReturned(of)],
      ],
    ],
    [
      "a card check charged and returned",
      ({ one }) => [recipes.cardCheckCharged(one), recipes.cardCheckReturned(one)],
    ],
  ];
  for (const [what, steps] of undone)
    test(`${what} leaves every balance where it was`, () => {
      fc.assert(
        fc.property(all, (of) => {
          const left = changes(steps(of).flat());
          assert([...left.values()].every((change) => change === 0n));
        }),
      );
    });

  test("a chargeback opened and processed ends where confirmed fraud does", () => {
    fc.assert(
      fc.property(all, ({ dispute }) => {
        const slowly = [
          ...recipes.chargebackOpened(dispute),
          ...recipes.chargebackProcessed(dispute),
        ];
        assert.deepEqual(moved(slowly), moved(recipes.fraudConfirmed(dispute)));
      }),
    );
  });
});

function changes(transfers: readonly Transfer[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { debit, credit, amount } of transfers)
    for (const [account, change] of [
      [debit, -amount.minor],
      [credit, amount.minor],
    ] as const) {
      const name = ledgerAccountName(account, { environment: "live", currency: amount.currency });
      balances.set(name, (balances.get(name) ?? 0n) + change);
    }
  return balances;
}

function moved(transfers: readonly Transfer[]): [string, bigint][] {
  return [...changes(transfers)].filter(([, change]) => change !== 0n).sort();
}

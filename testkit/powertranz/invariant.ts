/**
 * What must be true on the gateway's side at the end of every test: each sale is charged at most
 * once, refunds stay within it, and an order has one sale that stands.
 */

import assert from "node:assert/strict";
import type { TransactionTruth } from "./control-door.ts";
import type { PowertranzFake } from "./fake.ts";

export interface InvariantOptions {
  /** Which payment an order is for, when several orders may be; the order itself when absent. */
  readonly paymentOf?: (orderIdentifier: string) => string;
}

export async function assertFakeInvariant(
  fake: Pick<PowertranzFake, "control">,
  { paymentOf = (order) => order }: InvariantOptions = {},
): Promise<void> {
  const sales = await fake.control.transactions();
  const standing = new Map<string, string>();
  for (const sale of sales) {
    const { transactionIdentifier: id, amountMinor, chargeCount } = sale;
    assert.ok(chargeCount <= 1, `${id} was charged ${chargeCount} times`);
    const refunded = refundedMinor(sale);
    assert.ok(refunded <= amountMinor, `${id}: ${refunded} of ${amountMinor} was refunded`);
    assert.ok(!(sale.isVoided && refunded > 0), `${id} was voided and refunded`);
    if (!holdsMoney(sale)) continue;
    const payment = paymentOf(sale.orderIdentifier);
    const other = standing.get(payment);
    assert.equal(other, undefined, `${payment} is paid by ${id} and by ${other}`);
    standing.set(payment, id);
  }
}

/** Money was taken, and not all of it was given back. */
function holdsMoney(sale: TransactionTruth): boolean {
  return sale.isApproved && !sale.isVoided && refundedMinor(sale) < sale.amountMinor;
}

function refundedMinor({ refunds }: TransactionTruth): number {
  return refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

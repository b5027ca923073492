/** What the tests of the console's search share. */

import assert from "node:assert/strict";
import {
  type PaymentSearch,
  searchPayments,
} from "../../../src/modules/transactions/search-payments.ts";
import type { TransactionRow } from "../../../src/modules/transactions/transaction.ts";
import type { TestService } from "../../../testkit/service.ts";
import type { Shop } from "../../../testkit/transactions.ts";

export type Wanted = Partial<PaymentSearch>;

export function searchOf(shop: Shop, wanted: Wanted = {}): PaymentSearch {
  return {
    accountNumber: shop.accountNumber,
    environment: "live",
    text: undefined,
    status: undefined,
    statusDescs: undefined,
    currency: undefined,
    orderId: undefined,
    paymentLink: undefined,
    from: undefined,
    until: undefined,
    totals: undefined,
    ...wanted,
  };
}

/** What a file of payments is read with. */
export const csvSource = ({ ctx }: TestService) => ({ read: ctx.db.readFromStandby, log: ctx.log });

/** All pages, forwards; each must lead back to the one before. */
export async function walk(
  service: TestService,
  shop: Shop,
  wanted: Wanted,
  pageSize = 20,
): Promise<string[]> {
  const { db } = service.ctx;
  const search = searchOf(shop, wanted);
  const ids: string[] = [];
  let cursor: string | undefined;
  let before: readonly TransactionRow[] | undefined;
  for (;;) {
    const page = await searchPayments(db, search, { cursor, pageSize });
    assert(page.rows.length <= pageSize);
    if (before !== undefined && before.length > 0 && page.previous !== null) {
      const back = await searchPayments(db, search, { cursor: page.previous, pageSize });
      assert.deepEqual(back.rows, before);
    }
    assert.equal(cursor === undefined, page.previous === null);
    ids.push(...page.rows.map(({ transaction_id }) => transaction_id));
    if (page.next === null) return ids;
    before = page.rows;
    cursor = page.next;
  }
}

/**
 * Many paid orders in a database, through the functions that payments go through, in batches: with
 * their events and their entries in the ledger, so the books balance.
 */

import assert from "node:assert/strict";
import { openDatabase } from "../src/infra/db/database.ts";
import { createLog } from "../src/infra/log.ts";
import { postBatch } from "../src/modules/ledger/post.ts";
import {
  finaliseTransactions,
  postingOf,
} from "../src/modules/transactions/finalise-transaction.ts";
import { recordTransactions } from "./record-transaction.ts";
import { APPROVED, newPayment } from "./transactions.ts";

const AT_ONCE = 500;

export async function makePayments(
  url: string,
  { accountNumber, count }: { accountNumber: string; count: number },
): Promise<void> {
  const db = openDatabase({ url, connectionsMax: 2, log: createLog({ level: "silent" }) });
  try {
    for (let made = 0; made < count; made += AT_ONCE)
      await db.transaction(async (tx) => {
        const size = Math.min(AT_ONCE, count - made);
        const asked = Array.from({ length: size }, () =>
          newPayment({ accountNumber }, { environment: "sandbox" }),
        );
        const rows = await recordTransactions(tx, asked);
        const results = rows.map((row) => {
          assert(row !== undefined, "every order is new");
          return { ...APPROVED, transactionId: row.transaction_id };
        });
        const paid = await finaliseTransactions(tx, results, []);
        await postBatch(tx, paid.map(postingOf));
      });
  } finally {
    await db.close();
  }
}

/**
 * Money is never made or lost: 50,000 random postings give on the ledger what they give on a plain
 * model in memory, answer by answer and account by account. `npm run soak:ledger` does a million.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { expectBooksToBalance, makeMerchants, openBooks } from "../../testkit/books.ts";
import { compareWithModel } from "../../testkit/ledger-model.ts";

const OPERATIONS = 50_000;
const MERCHANTS = 60;

test(`${OPERATIONS} random postings: the ledger and the model agree on all of it`, async (t) => {
  const books = await openBooks();
  try {
    const merchants = await makeMerchants(books.db, MERCHANTS);
    const seed = randomInt(2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const counts = await compareWithModel(books.db, { operations: OPERATIONS, merchants, seed });
    t.diagnostic(JSON.stringify(counts));
    for (const answer of ["posted", "repeated", "short", "reused"] as const)
      assert(counts[answer] > 100, `${counts[answer]} were ${answer}`);
    const sums = await books.db.rows<{ total: bigint }>(sql`
      select environment, currency, sum(balance_minor)::bigint as total
      from ledger_accounts join ledger_balances using (ledger_account_id)
      group by environment, currency`);
    assert.equal(sums.length, 12);
    assert(sums.every(({ total }) => total === 0n));
    await expectBooksToBalance(books.db);
  } finally {
    await books.stop();
  }
});

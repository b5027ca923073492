/**
 * What is written in the books stays written: no row of theirs is edited, deleted or truncated, and
 * what an account is does not change (Decision 0024).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { raw } from "sql-template-tag";
import {
  type Books,
  expectBooksToBalance,
  fund,
  makeMerchants,
  openBooks,
} from "../../testkit/books.ts";

let books: Books;
before(async () => {
  books = await openBooks();
  const [shop = ""] = await makeMerchants(books.db, 1);
  await fund(books.db, shop, "10.00 TTD");
});
after(() => books.stop());

describe("what is written stays written", () => {
  const tables = ["ledger_accounts", "ledger_balances", "ledger_postings", "ledger_transfers"];
  const verbs: ((table: string) => string)[] = [
    (table) => `delete from ${table}`,
    (table) => `truncate ${table} cascade`,
  ];
  const edits = [
    "update ledger_accounts set account_number = account_number",
    "update ledger_postings set occasion = 'gift'",
    "update ledger_transfers set amount_minor = amount_minor + 1",
  ];
  for (const statement of [
    ...tables.flatMap((table) => verbs.map((verb) => verb(table))),
    ...edits,
  ])
    test(`"${statement}" is refused`, async () => {
      await assert.rejects(
        books.db.transaction((tx) => tx.run(raw(statement))),
        {
          message: /^ledger_\w+ is append-only$/,
          constraint: /^ledger_\w+_are_never_(changed|removed)$/,
        },
      );
    });
});

test("after all of it the books balance", () => expectBooksToBalance(books.db));

/**
 * The books hold against any SQL, also our own: a statement that would unbalance, overdraw, edit or
 * erase is refused by the database, under a name that says why (Decision 0024).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { money } from "../../src/kit/money.ts";
import { post } from "../../src/modules/ledger/post.ts";
import { refundRequested } from "../../src/modules/ledger/recipes.ts";
import {
  type Books,
  expectBooksToBalance,
  fund,
  makeMerchants,
  openBooks,
} from "../support/books.ts";

let books: Books;
let client: pg.Client;
before(async () => {
  books = await openBooks();
  const [shop = "", other = "", third = ""] = await makeMerchants(books.db, 3);
  for (const text of ["10.00 TTD", "5.00 TTD", "10.00 USD"]) await fund(books.db, shop, text);
  await fund(books.db, other, "7.00 TTD");
  await fund(books.db, shop, "10.00 TTD", "sandbox");
  await fund(books.db, third, "10.00 TTD");
  await books.db.transaction((tx) =>
    post(tx, {
      postingId: "a hold",
      environment: "live",
      occasion: "refund_requested",
      reference: "a refund",
      transfers: refundRequested({ accountNumber: third, amount: money("TTD", 300n) }),
    }),
  );
  client = new pg.Client({ connectionString: books.database.url });
  await client.connect();
  // What the statements below call a, b and so on.
  const ids = {
    a: `live TTD available ${shop}`,
    b: `live TTD available ${other}`,
    c: `live TTD available ${third}`,
  };
  const more = { usd: `live USD available ${shop}`, test: `sandbox TTD available ${shop}` };
  for (const [word, name] of Object.entries({ ...ids, ...more }))
    await client.query(`create temp view ${word} as select balance.* from ledger_accounts
      join ledger_balances as balance using (ledger_account_id) where name = '${name}'`);
  await client.query(`create temp view opening as select balance.* from ledger_accounts
    join ledger_balances as balance using (ledger_account_id)
    where name = 'live TTD opening_funds ${shop.slice(-1)}'`);
});
after(async () => {
  await client.end();
  await books.stop();
});

const id = (word: string) => `(select ledger_account_id from ${word})`;
const last = (word: string) => `(select entry_count from ${word})`;
const balance = (word: string) => `(select balance_minor from ${word})`;

/** A transfer of 1.00 from a to b, right in every column, but for what a case changes. */
function transfer(change: Record<string, string> = {}): string {
  const columns = {
    environment: "'live'",
    posting_id: "'by hand'",
    leg: "1",
    currency: "'TTD'",
    amount_minor: "100",
    debit_account_id: id("a"),
    debit_entry: `${last("a")} + 1`,
    debit_balance_minor: `${balance("a")} - 100`,
    credit_account_id: id("b"),
    credit_entry: `${last("b")} + 1`,
    credit_balance_minor: `${balance("b")} + 100`,
    ...change,
  };
  return `insert into ledger_transfers (${Object.keys(columns)}) select ${Object.values(columns)}`;
}
const POSTING = "insert into ledger_postings values ('live', 'by hand', 'test', 'test')";
const move = (word: string, minor: number) => `update ledger_balances
  set balance_minor = balance_minor + ${minor}, entry_count = entry_count + 1
  where ledger_account_id = ${id(word)}`;
const withMoves = (change: Record<string, string>, ...moves: [string, number][]) =>
  `with p as (${POSTING}), ${moves.map(([word, minor]) => `${word}_ as (${move(word, minor)})`)}
   ${transfer(change)}`;
const posted = (change: Record<string, string> = {}) =>
  `with p as (${POSTING}) ${transfer(change)}`;

/** c had 10.00 and gave 3.00. Here it gives 1.00 and gets 8.00, in the same two places. */
const OTHER_HISTORY = `with p as (${POSTING}), b_ as (${move("b", 100)}),
  opening_ as (${move("opening", -800)})
  ${transfer({ debit_account_id: id("c"), debit_entry: "1", debit_balance_minor: "-100" })}
  union all ${transfer({
    leg: "2",
    amount_minor: "800",
    debit_account_id: id("opening"),
    debit_entry: `${last("opening")} + 1`,
    debit_balance_minor: `${balance("opening")} - 800`,
    credit_account_id: id("c"),
    credit_entry: "2",
    credit_balance_minor: "700",
  }).replace(/^.*?\) select/, "select")}`;

const refusals: [string, [string, string, string][]][] = [
  [
    "money out of nothing",
    [
      [
        "a higher balance",
        `update ledger_balances set balance_minor = balance_minor + 100
        where ledger_account_id = ${id("a")}`,
        "a_balance_moves_only_by_transfers",
      ],
      ["a higher balance with a number", move("a", 100), "a_balance_moves_only_by_transfers"],
      ["a lower balance of the house", move("opening", -100), "a_balance_moves_only_by_transfers"],
      [
        "an earlier balance",
        `update ledger_balances set entry_count = 1, balance_minor = 1000
        where ledger_account_id = ${id("a")}`,
        "a_chain_of_balances_only_gets_longer",
      ],
      [
        "a new account with money",
        `with o as (
          insert into ledger_accounts (environment, currency, kind, stripe)
          values ('live', 'GYD', 'losses', 1) returning ledger_account_id)
        insert into ledger_balances select ledger_account_id, true, 5, 0 from o`,
        "a_balance_begins_with_nothing",
      ],
    ],
  ],
  [
    "half a transfer",
    [
      ["no balance moves", posted(), "a_transfer_moves_both_balances"],
      ["only the debit side moves", withMoves({}, ["a", -100]), "a_transfer_moves_both_balances"],
      ["only the credit side moves", withMoves({}, ["b", 100]), "a_transfer_moves_both_balances"],
      [
        "one side moves more",
        withMoves({}, ["a", -100], ["b", 101]),
        "a_transfer_moves_both_balances",
      ],
      [
        "a place is left out",
        withMoves({ debit_entry: `${last("a")} + 2` }, ["a", -100], ["b", 100]),
        "a_transfer_moves_both_balances",
      ],
      [
        "a wrong balance is noted",
        withMoves({ debit_balance_minor: `${balance("a")} - 99` }, ["a", -100], ["b", 100]),
        "a_transfer_moves_both_balances",
      ],
      ["another history beside the one there is", OTHER_HISTORY, "a_transfer_moves_both_balances"],
      [
        "it stands in a taken place",
        withMoves(
          {
            credit_account_id: id("a"),
            credit_entry: last("a"),
            debit_account_id: id("opening"),
            debit_entry: `${last("opening")} + 1`,
          },
          ["b", 100],
        ),
        "a_credit_has_its_place_in_the_chain",
      ],
    ],
  ],
  [
    "a transfer that is none",
    [
      ["of nothing", posted({ amount_minor: "0" }), "amount_is_positive"],
      ["backwards", posted({ amount_minor: "-100" }), "amount_is_positive"],
      [
        "to where it was",
        posted({ credit_account_id: id("a") }),
        "money_moves_between_two_accounts",
      ],
      ["without a posting", transfer(), "a_transfer_belongs_to_a_posting"],
      [
        "from another currency",
        posted({ debit_account_id: id("usd") }),
        "debit_side_has_this_environment_and_currency",
      ],
      [
        "to another currency",
        posted({ credit_account_id: id("usd") }),
        "credit_side_has_this_environment_and_currency",
      ],
      [
        "to the other environment",
        posted({ credit_account_id: id("test") }),
        "credit_side_has_this_environment_and_currency",
      ],
    ],
  ],
  [
    "debt",
    [
      ["a balance below zero", move("a", -1501), "balance_stays_at_or_above_zero_unless_allowed"],
      [
        "a whole transfer of more than there is",
        withMoves(
          {
            amount_minor: "1501",
            debit_balance_minor: "-1",
            credit_balance_minor: `${balance("b")} + 1501`,
          },
          ["a", -1501],
          ["b", 1501],
        ),
        "balance_stays_at_or_above_zero_unless_allowed",
      ],
      [
        "permission for a merchant",
        `update ledger_balances set may_go_below_zero = true
        where ledger_account_id = ${id("a")}`,
        "only_the_house_may_go_below_zero",
      ],
    ],
  ],
  [
    "an account that is none",
    [
      [
        "twice the same",
        `insert into ledger_accounts (environment, currency, kind, account_number)
        select environment, currency, kind, account_number from ledger_accounts
        where ledger_account_id = ${id("a")}`,
        "a_ledger_account_exists_once",
      ],
      [
        "of nobody",
        `insert into ledger_accounts (environment, currency, kind, account_number)
        values ('live', 'TTD', 'held', '9999999999')`,
        "merchants_money_belongs_to_an_account",
      ],
      [
        "of a merchant, as the house's",
        `insert into ledger_accounts
        (environment, currency, kind, stripe) values ('live', 'TTD', 'held', 1)`,
        "only_available_and_held_belong_to_a_merchant",
      ],
      [
        "in an eleventh stripe",
        `insert into ledger_accounts (environment, currency, kind, stripe)
        values ('live', 'TTD', 'tax', 10)`,
        "the_house_has_ten_stripes_and_a_merchant_none",
      ],
      [
        "of an unknown kind",
        `insert into ledger_accounts (environment, currency, kind, stripe)
        values ('live', 'TTD', 'gifts', 1)`,
        "kind_is_known",
      ],
    ],
  ],
];

interface Refusal {
  readonly constraint?: string | undefined;
  readonly message: string;
}

async function refusedBy(statement: string): Promise<Refusal> {
  await client.query("begin");
  try {
    await client.query(statement);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    return error as pg.DatabaseError;
  }
  return { message: "it was done" };
}

for (const [what, cases] of refusals)
  describe(`${what} is refused`, () => {
    for (const [how, statement, constraint] of cases)
      test(`${how}: ${constraint}`, async () => {
        const refusal = await refusedBy(statement);
        assert.equal(refusal.constraint, constraint, refusal.message);
      });
  });

test("the transfer that each case spoils is good: written whole, by hand, it is taken", async () => {
  const refusal = await refusedBy(withMoves({}, ["a", -100], ["b", 100]));
  assert.equal(refusal.message, "it was done");
});

test("after all of it the books balance", () => expectBooksToBalance(books.db));

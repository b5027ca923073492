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
} from "../../testkit/books.ts";
import {
  balance,
  id,
  last,
  move,
  OTHER_HISTORY,
  posted,
  transfer,
  twoAtOnce,
  withMoves,
} from "./by-hand.ts";

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
      ["two at once take more", twoAtOnce({ a: -250 }), "a_transfer_moves_both_balances"],
      ["two at once give more", twoAtOnce({ b: 250 }), "a_transfer_moves_both_balances"],
      ["two at once leave a place", twoAtOnce({ places: 3 }), "a_transfer_moves_both_balances"],
      [
        "it reuses a position",
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

test("the transfers that each case spoils are good: written whole, by hand, they are taken", async () => {
  for (const statement of [
    withMoves({}, ["a", -100], ["b", 100]),
    twoAtOnce().replaceAll("by hand", "again"),
  ])
    assert.equal((await refusedBy(statement)).message, "it was done");
});

test("after all of it the books balance", () => expectBooksToBalance(books.db));

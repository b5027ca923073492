/**
 * A change of the books past every rule, with the triggers off, is found: the report names the
 * account, what it should have and has, and the first broken link (Decision 0024).
 */

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import pg from "pg";
import { register } from "prom-client";
import { sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import { money } from "../../src/kit/money.ts";
import { describeDifference } from "../../src/modules/ledger/difference.ts";
import { lastReconciliations } from "../../src/modules/ledger/last-reconciliation.ts";
import { matchPostings } from "../../src/modules/ledger/match-postings.ts";
import { post } from "../../src/modules/ledger/post.ts";
import { refundRequested } from "../../src/modules/ledger/recipes.ts";
import {
  type BookedAccount,
  reconcile,
  reconcileLedger,
} from "../../src/modules/ledger/reconcile.ts";
import { walkChains } from "../../src/modules/ledger/walk-chains.ts";
import {
  type Books,
  expectBooksToBalance,
  fund,
  makeMerchants,
  openBooks,
} from "../../testkit/books.ts";

let books: Books;
let shop: string;
let other: string;
let heldId: bigint;

/** The shop has 10.00 and holds 1.00 four times; another has 10.00 as well. */
beforeEach(async () => {
  books = await openBooks();
  [shop = "", other = ""] = await makeMerchants(books.db, 2);
  await fund(books.db, shop, "10.00 TTD");
  await fund(books.db, other, "10.00 TTD");
  const amount = money("TTD", 100n);
  for (const postingId of ["hold 1", "hold 2", "hold 3", "hold 4"])
    await books.db.transaction((tx) =>
      post(tx, {
        postingId,
        environment: "live",
        occasion: "refund_requested",
        reference: "a refund",
        transfers: refundRequested({ accountNumber: shop, amount }),
      }),
    );
});
afterEach(() => books.stop());

async function tamper(statement: string): Promise<void> {
  const superuser = new pg.Client({ connectionString: books.database.url });
  await superuser.connect();
  await superuser.query("set session_replication_role = replica");
  await superuser.query(statement);
  await superuser.end();
}

const account = (name: string) =>
  `(select ledger_account_id from ledger_accounts where name = '${name}')`;
const available = () => `live TTD available ${shop}`;
const held = () => `live TTD held ${shop}`;

const cases: [string, () => string, () => string[]][] = [
  [
    "a balance",
    () => `update ledger_balances set balance_minor = 700
      where ledger_account_id = ${account(available())}`,
    () => ["live TTD: 0.00 expected, 1.00 found", `${available()}: 6.00 expected, 7.00 found`],
  ],
  [
    "an amount",
    () => "update ledger_transfers set amount_minor = 150 where posting_id = 'hold 2'",
    () => [
      `${available()}: 5.50 expected, 6.00 found, broken at entry 3 (posting hold 2, leg 1)`,
      `${held()}: 4.50 expected, 4.00 found, broken at entry 2 (posting hold 2, leg 1)`,
    ],
  ],
  [
    "a transfer that is gone from the middle",
    () => "delete from ledger_transfers where posting_id = 'hold 2'",
    () => [
      `${available()}: 7.00 expected, 6.00 found, broken at entry 4 (posting hold 3, leg 1)`,
      `${held()}: 3.00 expected, 4.00 found, broken at entry 3 (posting hold 3, leg 1)`,
      "live posting hold 2: it has no transfers",
    ],
  ],
  [
    "the last transfer, which is gone",
    () => "delete from ledger_transfers where posting_id = 'hold 4'",
    () => [
      `${available()}: 7.00 expected, 6.00 found`,
      `${held()}: 3.00 expected, 4.00 found`,
      "live posting hold 4: it has no transfers",
    ],
  ],
  [
    "the last transfer with the balances that it made",
    () => `with gone as (delete from ledger_transfers where posting_id = 'hold 4')
      update ledger_balances set entry_count = entry_count - 1, balance_minor = balance_minor + 100
      where ledger_account_id = ${account(available())}`,
    () => [
      "live TTD: 0.00 expected, 1.00 found",
      `${held()}: 3.00 expected, 4.00 found`,
      "live posting hold 4: it has no transfers",
    ],
  ],
  [
    "who gave the money",
    () => `update ledger_transfers set debit_account_id = ${account(`live TTD available ${other}`)}
      where posting_id = 'hold 3'`,
    () => [
      `${available()}: 7.00 expected, 6.00 found, broken at entry 5 (posting hold 4, leg 1)`,
      `live TTD available ${other}: 9.00 expected, 10.00 found, ` +
        "broken at entry 4 (posting hold 3, leg 1)",
    ],
  ],
  [
    "a noted balance",
    () => "update ledger_transfers set credit_balance_minor = 1 where posting_id = 'hold 4'",
    () => [`${held()}: 4.00 expected, 4.00 found, broken at entry 4 (posting hold 4, leg 1)`],
  ],
  [
    "a transfer put behind the last",
    () => `insert into ledger_transfers select environment, 'gift', 1, currency, amount_minor,
      debit_account_id, 6, 500, credit_account_id, 5, 500
      from ledger_transfers where posting_id = 'hold 4'`,
    () => [
      `${available()}: 5.00 expected, 6.00 found`,
      `${held()}: 5.00 expected, 4.00 found`,
      "live posting gift, leg 1: its posting is gone",
    ],
  ],
  [
    "an account whose balance is gone",
    () => `delete from ledger_balances where ledger_account_id = ${account(held())}`,
    () => ["live TTD: 0.00 expected, -4.00 found", `${held()}: 4.00 expected, 0.00 found`],
  ],
  [
    "a posting that is gone, though no balance tells",
    () => "delete from ledger_postings where posting_id = 'hold 2'",
    () => ["live posting hold 2, leg 1: its posting is gone"],
  ],
  [
    "a transfer under another posting",
    () => "update ledger_transfers set posting_id = 'hold 3', leg = 2 where posting_id = 'hold 2'",
    () => ["live posting hold 2: it has no transfers"],
  ],
  [
    "a transfer of another currency than its accounts",
    () => "update ledger_transfers set currency = 'USD' where posting_id = 'hold 4'",
    () => ["live posting hold 4, leg 1: its debit side is of another environment or currency"],
  ],
  [
    "an account that is gone",
    () => `delete from ledger_accounts where name = '${held()}'`,
    () => [
      "live TTD: 0.00 expected, -4.00 found",
      `ledger account ${heldId}: it has a balance and is gone`,
      ...[1, 2, 3, 4].map(
        (n) => `live posting hold ${n}, leg 1: the account of its credit side is gone`,
      ),
    ],
  ],
];

describe("the report finds", () => {
  for (const [what, statement, expected] of cases)
    test(what, async () => {
      await expectBooksToBalance(books.db);
      heldId = (
        await books.db.one<{ id: bigint }>(
          sql`select ledger_account_id as id from ledger_accounts where name = ${held()}`,
        )
      ).id;
      await tamper(statement());
      const report = await reconcile(books.db);
      assert.deepEqual(report.differences.map(describeDifference), expected());
      assert.equal(report.differenceCount, expected().length);
    });
});

test("books that balance are counted: accounts, and two sides of each transfer", async () => {
  const { accountCount, entryCount, differenceCount } = await reconcile(books.db);
  // Two merchants with one and two accounts, and one or two stripes of the opening funds.
  const stripes = new Set([shop.at(-1), other.at(-1)]).size;
  assert.deepEqual([accountCount, entryCount, differenceCount], [3 + stripes, 12, 0]);
});

test("accounts that are gone are all counted, also where few are shown", async () => {
  await tamper(`
    insert into ledger_balances (ledger_account_id, may_go_below_zero)
    select 1000000 + number, false from generate_series(1, 33) as number`);
  const { count, first } = await matchPostings(books.db);
  assert.deepEqual([count, first.length], [33, 20]);
});

test("a chain walked in pieces of any size is the chain walked at once", async () => {
  await tamper("update ledger_transfers set amount_minor = 150 where posting_id = 'hold 2'");
  const chains = await books.db.rows<BookedAccount & Record<string, unknown>>(
    sql`select ledger_account_id, entry_count from ledger_balances order by 1`,
  );
  const whole = await walkChains(books.db, chains);
  for (const size of [1, 2, 3, 4, 5, 6]) {
    const pieces = await walkChains(books.db, chains, size);
    assert.deepEqual(chains.map(pieces), chains.map(whole), `in pieces of ${size}`);
  }
});

test("postings matched in pieces of any size are the postings matched at once", async () => {
  await tamper("delete from ledger_postings where posting_id in ('hold 1', 'hold 3', 'hold 4')");
  await tamper("delete from ledger_transfers where posting_id = 'hold 2'");
  const whole = await matchPostings(books.db);
  assert.equal(whole.count, 4);
  for (const size of [1, 2, 3, 5]) assert.deepEqual(await matchPostings(books.db, size), whole);
});

test("the job reports: one line in the log, one figure", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", write: (line) => void lines.push(line) });
  const figure = async () =>
    (await register.getSingleMetric("windward_ledger_differences")?.get())?.values[0]?.value;
  const run = () => reconcileLedger.run({ db: books.db, log } as never, {});

  await run();
  assert.match(lines.at(-1) ?? "", /"the books balance"/);
  assert.equal(await figure(), 0);
  await tamper("update ledger_transfers set amount_minor = 150 where posting_id = 'hold 2'");
  await run();
  assert.match(lines.at(-1) ?? "", /"level":50.*posting hold 2, leg 1.*"the books differ"/);
  assert.equal(await figure(), 2);
  // And what a page shows of it, with a number of an entry that JSON has no word for.
  const kept = await lastReconciliations(books.db);
  assert.equal(kept[0]?.difference_count, 2n);
  assert.match(JSON.stringify(kept[0]?.differences), /"entry":"\d+"/);
});

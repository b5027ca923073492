/**
 * A posting happens whole and once, or not at all: a retry gets "repeated", and one that a balance
 * forbids is refused alone (Decision 0024).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { type Currency, money } from "../../src/kit/money.ts";
import { balancesOf, lockAvailable } from "../../src/modules/ledger/balances.ts";
import { post, postBatch } from "../../src/modules/ledger/post.ts";
import {
  InsufficientFunds,
  type Posting,
  PostingIdReused,
} from "../../src/modules/ledger/posting.ts";
import { paymentApproved, refundRequested } from "../../src/modules/ledger/recipes.ts";
import {
  type Books,
  expectBooksToBalance,
  fund,
  makeMerchants,
  openBooks,
} from "../../testkit/books.ts";
import { createPoster } from "../../testkit/poster.ts";

let books: Books;
before(async () => {
  books = await openBooks();
});
after(() => books.stop());

let made = 0;
const hold = (accountNumber: string, minor: bigint, change: Partial<Posting> = {}): Posting => ({
  postingId: `hold ${++made}`,
  environment: "live",
  occasion: "refund_requested",
  reference: "a refund",
  transfers: refundRequested({ accountNumber, amount: money("TTD", minor) }),
  ...change,
});
async function merchant(text?: string): Promise<string> {
  const [accountNumber = ""] = await makeMerchants(books.db, 1);
  if (text !== undefined) await fund(books.db, accountNumber, text);
  return accountNumber;
}
async function has(accountNumber: string, currency: Currency = "TTD") {
  const balance = (await balancesOf(books.db, accountNumber, "live")).get(currency);
  return [balance?.available.minor, balance?.held.minor];
}
const posted = (posting: Posting) => books.db.transaction((tx) => post(tx, posting));
const legsOf = (posting: Posting) =>
  books.db.rows(sql`
    select leg, moved.currency, amount_minor, debit.name as debit, debit_entry, debit_balance_minor,
      credit.name as credit, credit_entry, credit_balance_minor
    from ledger_transfers as moved
    join ledger_accounts as debit on debit.ledger_account_id = debit_account_id
    join ledger_accounts as credit on credit.ledger_account_id = credit_account_id
    where posting_id = ${posting.postingId} order by leg`);

describe("a posting", () => {
  test("opens the accounts it needs and writes down each side with its place and balance", async () => {
    const accountNumber = await merchant();
    const digit = accountNumber.slice(-1);
    const [customerTotal, fee, tax, net] = [10219n, 437n, 57n, 9782n].map((minor) =>
      money("BBD", minor),
    );
    assert(customerTotal && fee && tax && net);
    const posting = hold(accountNumber, 1n, {
      occasion: "payment_approved",
      transfers: paymentApproved({ accountNumber, customerTotal, fee, tax, net }),
    });
    assert.equal(await posted(posting), "posted");
    const side = (credit: string, credit_balance_minor: bigint) => ({
      currency: "BBD",
      amount_minor: credit_balance_minor,
      debit: `live BBD gateway_clearing ${digit}`,
      credit,
      credit_entry: 1n,
      credit_balance_minor,
    });
    assert.deepEqual(await legsOf(posting), [
      {
        leg: 1,
        ...side(`live BBD available ${accountNumber}`, 9782n),
        debit_entry: 1n,
        debit_balance_minor: -9782n,
      },
      {
        leg: 2,
        ...side(`live BBD fee_income ${digit}`, 380n),
        debit_entry: 2n,
        debit_balance_minor: -10162n,
      },
      {
        leg: 3,
        ...side(`live BBD tax ${digit}`, 57n),
        debit_entry: 3n,
        debit_balance_minor: -10219n,
      },
    ]);
  });

  test("repeated moves nothing and says so", async () => {
    const shop = await merchant("10.00 TTD");
    const posting = hold(shop, 400n);
    assert.equal(await posted(posting), "posted");
    assert.equal(await posted(posting), "repeated");
    assert.equal(await createPoster(books.db)(posting), "repeated");
    assert.deepEqual(await has(shop), [600n, 400n]);
  });

  test("of the same id is another one in the other environment", async () => {
    const shop = await merchant("10.00 TTD");
    await fund(books.db, shop, "3.00 TTD", "sandbox");
    const posting = hold(shop, 100n);
    assert.equal(await posted(posting), "posted");
    assert.equal(await posted({ ...posting, environment: "sandbox" }), "posted");
    assert.deepEqual(await has(shop), [900n, 100n]);
  });

  const changes: [string, (posting: Posting, other: string) => Partial<Posting>][] = [
    ["amount", (_, other) => ({ transfers: hold(other, 399n).transfers })],
    ["merchant", (_, other) => ({ transfers: hold(other, 400n).transfers })],
    ["occasion", () => ({ occasion: "payment_approved" })],
    ["reference", () => ({ reference: "another refund" })],
    ["number of legs", ({ transfers }) => ({ transfers: [...transfers, ...transfers] })],
  ];
  for (const [what, change] of changes)
    test(`with the id of one of another ${what} throws, and moves nothing`, async () => {
      const shop = await merchant("10.00 TTD");
      const other = what === "merchant" ? await merchant("10.00 TTD") : shop;
      const posting = hold(shop, 400n);
      await posted(posting);
      await assert.rejects(posted({ ...posting, ...change(posting, other) }), PostingIdReused);
      assert.deepEqual(await has(shop), [600n, 400n]);
      if (other !== shop) assert.deepEqual(await has(other), [1000n, 0n]);
    });

  test("without a transfer, of nothing, or from an account to itself is a mistake of ours", async () => {
    const shop = await merchant("10.00 TTD");
    const [move] = hold(shop, 1n).transfers;
    assert(move !== undefined);
    for (const transfers of [
      [],
      [{ ...move, amount: money("TTD", 0n) }],
      [{ ...move, amount: money("TTD", -1n) }],
      [{ ...move, credit: move.debit }],
    ])
      await assert.rejects(posted(hold(shop, 1n, { transfers })), { code: "ERR_ASSERTION" });
    assert.deepEqual(await has(shop), [1000n, 0n]);
  });

  test("for a merchant that does not exist is refused by the database", async () => {
    await assert.rejects(posted(hold("9999999999", 1n)), {
      constraint: "merchants_money_belongs_to_an_account",
    });
  });
});

describe("a posting that a balance forbids", () => {
  test("is refused with 422 and leaves nothing, not even its id", async () => {
    const shop = await merchant("10.00 TTD");
    const posting = hold(shop, 1001n);
    await assert.rejects(posted(posting), (error) => {
      assert(error instanceof InsufficientFunds);
      assert.deepEqual([error.status, error.message], [422, "Insufficient funds."]);
      return true;
    });
    assert.deepEqual(await has(shop), [1000n, 0n]);
    assert.deepEqual(await legsOf(posting), []);
    assert.equal(await posted({ ...posting, transfers: hold(shop, 1000n).transfers }), "posted");
    assert.deepEqual(await has(shop), [0n, 1000n]);
  });

  test("is refused whole when only its last leg is too much", async () => {
    const shop = await merchant("10.00 TTD");
    const transfers = [600n, 300n, 101n].flatMap((minor) => hold(shop, minor).transfers);
    await assert.rejects(posted(hold(shop, 1n, { transfers })), InsufficientFunds);
    assert.deepEqual(await has(shop), [1000n, 0n]);
  });

  test("leaves the tx at work: what else it does is kept", async () => {
    const shop = await merchant("10.00 TTD");
    const posting = hold(shop, 400n);
    await books.db.transaction(async (tx) => {
      await assert.rejects(post(tx, hold(shop, 1001n)), InsufficientFunds);
      await post(tx, posting);
    });
    assert.deepEqual(await has(shop), [600n, 400n]);
  });

  test("in a batch is refused alone: those before and after it happen, in their order", async () => {
    const shop = await merchant("10.00 TTD");
    const batch = [400n, 601n, 600n, 1n].map((minor) => hold(shop, minor));
    const outcomes = await books.db.transaction((tx) => postBatch(tx, batch));
    assert.deepEqual(
      outcomes.map((one) => (one instanceof InsufficientFunds ? "refused" : one)),
      ["posted", "refused", "posted", "refused"],
    );
    assert.deepEqual(await has(shop), [0n, 1000n]);
  });
});

describe("a batch", () => {
  test("posts an id that comes several times once, and reports the others as repeated", async () => {
    const shop = await merchant("10.00 TTD");
    const one = hold(shop, 400n);
    const wrong = { ...one, reference: "another" };
    const outcomes = await books.db.transaction((tx) => postBatch(tx, [one, one, wrong, one]));
    assert.deepEqual(outcomes.slice(0, 2), ["posted", "repeated"]);
    assert(outcomes[2] instanceof PostingIdReused);
    assert.equal(outcomes[3], "repeated");
    assert.deepEqual(await has(shop), [600n, 400n]);
  });

  test("of several callers has one commit, and one of them that is wrong fails alone", async () => {
    const shop = await merchant("10.00 TTD");
    const ask = createPoster(books.db);
    const answers = await Promise.allSettled([
      ask(hold(shop, 100n)),
      ask(hold(shop, 5000n)),
      ask(hold("9999999999", 1n)),
      ask(hold(shop, 200n)),
    ]);
    assert.deepEqual(
      answers.map((one) => (one.status === "fulfilled" ? one.value : one.reason.constructor.name)),
      ["posted", "InsufficientFunds", "DatabaseError", "posted"],
    );
    assert.deepEqual(await has(shop), [700n, 300n]);

    const more = Array.from({ length: 50 }, () => hold(shop, 1n));
    assert((await Promise.all(more.map(ask))).every((one) => one === "posted"));
    const commits = await books.db.rows(sql`
      select distinct xmin::text from ledger_postings
      where posting_id = any (${more.map(({ postingId }) => postingId)})`);
    assert.equal(commits.length, 1);
  });
});

test("what may be spent is locked until the tx ends, and nothing for who never had any", async () => {
  const shop = await merchant("10.00 TTD");
  const of = { accountNumber: shop, environment: "live", currency: "TTD" } as const;
  await books.db.transaction(async (tx) => {
    assert.deepEqual(await lockAvailable(tx, of), money("TTD", 1000n));
    const free = await books.db.rows(sql`
      select from ledger_accounts join ledger_balances as balance using (ledger_account_id)
      where account_number = ${shop} and kind = 'available'
      for no key update of balance skip locked`);
    assert.deepEqual(free, []);
    assert.deepEqual(await lockAvailable(tx, { ...of, currency: "USD" }), money("USD", 0n));
  });
});

test("after all of it the books balance", () => expectBooksToBalance(books.db));

/**
 * However many postings move the same money at once, no merchant's balance falls below zero, no
 * deadlock reaches a caller, and the books balance at every moment (Decision 0024).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { money } from "../../src/kit/money.ts";
import { balancesOf } from "../../src/modules/ledger/balances.ts";
import { post } from "../../src/modules/ledger/post.ts";
import { InsufficientFunds, type Posting } from "../../src/modules/ledger/posting.ts";
import { paymentApproved, refundRequested } from "../../src/modules/ledger/recipes.ts";
import { reconcile } from "../../src/modules/ledger/reconcile.ts";
import {
  type Books,
  expectBooksToBalance,
  fund,
  makeMerchants,
  openBooks,
} from "../../testkit/books.ts";
import { createPoster, type Poster } from "../../testkit/poster.ts";

const WORKERS = 32;

let books: Books;
before(async () => {
  books = await openBooks({ connectionsMax: WORKERS });
});
after(() => books.stop());

const ttd = (minor: bigint) => money("TTD", minor);
let made = 0;
const posting = (transfers: Posting["transfers"]): Posting => ({
  postingId: `race ${++made}`,
  environment: "live",
  occasion: "race",
  reference: "a race",
  transfers,
});
const between = (from: string, to: string, minor: bigint) =>
  posting([
    {
      debit: { kind: "available", accountNumber: from },
      credit: { kind: "available", accountNumber: to },
      amount: ttd(minor),
    },
  ]);
const availableOf = async (accountNumber: string) =>
  (await balancesOf(books.db, accountNumber, "live")).get("TTD")?.available.minor;

/** Each in a tx of its own; or gathered, as four processes would. */
const alone: Poster = (one) => books.db.transaction((tx) => post(tx, one));
const posters: Poster[] = [];
let turn = 0;
const together: Poster = (one) => {
  const at = turn++ % 4;
  posters[at] ??= createPoster(books.db);
  return posters[at](one);
};

/** Whatever else goes wrong reaches the test. */
async function isPosted(asked: Promise<unknown>): Promise<boolean> {
  try {
    return (await asked) === "posted";
  } catch (error) {
    if (error instanceof InsufficientFunds) return false;
    throw error;
  }
}

for (const [how, ask] of [
  ["each in a tx of its own", alone],
  ["gathered by four posters", together],
] as const)
  describe(how, () => {
    test(`${WORKERS} that want a balance whole: one gets it`, async () => {
      const [shop = ""] = await makeMerchants(books.db, 1);
      await fund(books.db, shop, "100.00 TTD");
      const asked = Array.from({ length: WORKERS }, () =>
        isPosted(ask(posting(refundRequested({ accountNumber: shop, amount: ttd(10_000n) })))),
      );
      assert.equal((await Promise.all(asked)).filter(Boolean).length, 1);
      assert.equal(await availableOf(shop), 0n);
    });

    test("several hundred that want a part: as many as there is money for", async () => {
      const [shop = ""] = await makeMerchants(books.db, 1);
      await fund(books.db, shop, "100.00 TTD");
      let done = 0;
      const worker = async () => {
        for (let turn = 0; turn < 10; turn++) {
          const part = refundRequested({ accountNumber: shop, amount: ttd(70n) });
          if (await isPosted(ask(posting(part)))) done += 1;
        }
      };
      await Promise.all(Array.from({ length: WORKERS }, worker));
      assert.equal(done, 142);
      assert.equal(await availableOf(shop), 60n);
    });

    test("A to B and B to A, crossing: every one ends, and the sum is what it was", async () => {
      const [a = "", b = ""] = await makeMerchants(books.db, 2);
      for (const one of [a, b]) await fund(books.db, one, "3.00 TTD");
      const worker = async (_: unknown, at: number) => {
        for (let turn = 0; turn < 20; turn++)
          await isPosted(ask((at + turn) % 2 === 0 ? between(a, b, 70n) : between(b, a, 90n)));
      };
      await Promise.all(Array.from({ length: WORKERS }, worker));
      const [left = -1n, right = -1n] = [await availableOf(a), await availableOf(b)];
      assert(left >= 0n && right >= 0n);
      assert.equal(left + right, 600n);
    });

    test("the first payments of merchants who had no money yet open each account once", async () => {
      const shops = await makeMerchants(books.db, 4);
      const payments = Array.from({ length: 2 * WORKERS }, (_, at) =>
        posting(
          paymentApproved({
            accountNumber: shops[at % shops.length] ?? "",
            customerTotal: money("GYD", 1000n),
            fee: money("GYD", 48n),
            tax: money("GYD", 6n),
            net: money("GYD", 952n),
          }),
        ),
      );
      const outcomes = await Promise.all(payments.map(ask));
      assert(outcomes.every((one) => one === "posted"));
      for (const shop of shops)
        assert.equal(
          (await balancesOf(books.db, shop, "live")).get("GYD")?.available.minor,
          16n * 952n,
        );
    });

    test("one posting asked for by all at once moves money once", async () => {
      const [shop = ""] = await makeMerchants(books.db, 1);
      await fund(books.db, shop, "100.00 TTD");
      const one = posting(refundRequested({ accountNumber: shop, amount: ttd(100n) }));
      const outcomes = await Promise.all(Array.from({ length: WORKERS }, () => ask(one)));
      assert.equal(outcomes.filter((each) => each === "posted").length, 1);
      assert.equal(outcomes.filter((each) => each === "repeated").length, WORKERS - 1);
      assert.equal(await availableOf(shop), 9_900n);
    });
  });

test("a reconciliation while money moves finds no difference", async () => {
  const shops = await makeMerchants(books.db, 6);
  for (const shop of shops) await fund(books.db, shop, "50.00 TTD");
  let isOver = false;
  const worker = async (_: unknown, at: number) => {
    for (let turn = at; !isOver; turn += 5) {
      const [from = "", to = ""] = [shops[turn % 6], shops[(turn + 1 + (at % 5)) % 6]];
      await isPosted((at % 4 === 0 ? alone : together)(between(from, to, BigInt(1 + (turn % 40)))));
    }
  };
  const working = Array.from({ length: 16 }, worker);
  const counts: number[] = [];
  for (let round = 0; round < 20; round++) {
    const { differences, entryCount } = await reconcile(books.db);
    assert.deepEqual(differences, []);
    counts.push(entryCount);
  }
  isOver = true;
  await Promise.all(working);
  assert((counts.at(-1) ?? 0) > (counts[0] ?? 0), "money moved meanwhile");
});

test("after all of it there was no deadlock, no balance was below zero, and the books balance", async () => {
  const { deadlocks } = await books.db.one<{ deadlocks: bigint }>(sql`
    select deadlocks from pg_stat_database where datname = current_database()`);
  assert.equal(deadlocks, 0n, "not even one that was tried again");
  const below = await books.db.rows(sql`
    select from ledger_transfers join ledger_balances on ledger_account_id = debit_account_id
    where not may_go_below_zero and debit_balance_minor < 0`);
  assert.deepEqual(below, []);
  await expectBooksToBalance(books.db);
});

/**
 * When the answer to a COMMIT is lost, the books can be asked for the true outcome, as the poster
 * of testkit does: `posted` when they have it, 503 when they do not, and never one for the other.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { Unavailable } from "../../src/kit/errors.ts";
import { money } from "../../src/kit/money.ts";
import { balancesOf } from "../../src/modules/ledger/balances.ts";
import { InsufficientFunds, PostingIdReused } from "../../src/modules/ledger/posting.ts";
import { refundRequested } from "../../src/modules/ledger/recipes.ts";
import {
  type Books,
  expectBooksToBalance,
  fund,
  makeMerchants,
  openBooks,
} from "../../testkit/books.ts";
import { type CuttingProxy, startCuttingProxy } from "../../testkit/cutting-proxy.ts";
import { createPoster, type Poster } from "../../testkit/poster.ts";
import { until } from "../../testkit/until.ts";

let books: Books;
let proxy: CuttingProxy;
let db: ReturnType<typeof openDatabase>;
let ask: Poster;
let shop: string;
before(async () => {
  books = await openBooks();
  proxy = await startCuttingProxy(books.database.url);
  db = openDatabase({ url: proxy.url, connectionsMax: 4, log: createLog({ level: "silent" }) });
  ask = createPoster(db);
  [shop = ""] = await makeMerchants(books.db, 1);
  await fund(books.db, shop, "10.00 TTD");
});
after(async () => {
  await db.close();
  await proxy.close();
  await books.stop();
});

const hold = (postingId: string, minor: bigint, poster: Poster = ask) =>
  poster({
    postingId,
    environment: "live",
    occasion: "refund_requested",
    reference: "a refund",
    transfers: refundRequested({ accountNumber: shop, amount: money("TTD", minor) }),
  });
const held = async () => (await balancesOf(books.db, shop, "live")).get("TTD")?.held.minor;

test("a commit that was made before the connection was cut is reported as made, to each caller", async () => {
  proxy.cutNextCommit("after");
  const [one, short, other] = await Promise.allSettled([
    hold("one", 100n),
    hold("short", 5000n),
    hold("other", 200n),
  ]);
  assert.deepEqual(
    [one, other].map((each) => each?.status === "fulfilled" && each.value),
    ["posted", "posted"],
  );
  assert(short?.status === "rejected" && short.reason instanceof InsufficientFunds);
  assert.equal(await held(), 300n);
  await expectBooksToBalance(books.db);
});

test("one that never reached the database is 503, and may be retried", async () => {
  proxy.cutNextCommit("before");
  await assert.rejects(hold("lost", 50n), Unavailable);
  assert.equal(await held(), 300n);
  assert.equal(await hold("lost", 50n), "posted");
  assert.equal(await hold("lost", 50n), "repeated");
  assert.equal(await held(), 350n);
  await expectBooksToBalance(books.db);
});

test("one that was rolled back is 503 to each caller but the one whose posting another process made", async () => {
  const before = (await held()) ?? 0n;
  const elsewhere = createPoster(books.db);
  proxy.cutNextCommit("before");
  const answers = Promise.allSettled([
    hold("shared", 10n),
    hold("alone", 20n),
    hold("short of what is there", 5000n),
    hold("taken", 30n),
  ]);
  await until(() => proxy.hasCut(), "the COMMIT was cut");
  assert.equal(await hold("shared", 10n, elsewhere), "posted");
  assert.equal(await hold("taken", 31n, elsewhere), "posted");
  const [shared, alone, short, taken] = await answers;
  assert.equal(shared?.status === "fulfilled" && shared.value, "posted");
  assert(alone?.status === "rejected" && alone.reason instanceof Unavailable);
  // Judged beside what was rolled back, so it says nothing.
  assert(short?.status === "rejected" && short.reason instanceof Unavailable);
  assert(taken?.status === "rejected" && taken.reason instanceof PostingIdReused);
  assert.equal(await held(), before + 41n);
  await expectBooksToBalance(books.db);
});

/**
 * The number of transactions is never counted and always right: sums and what has yet to be added
 * to them are together exactly what is there, in every snapshot (Decision 0027).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/infra/db/query.ts";
import { addUpCounts, addUpCountsJob } from "../../../src/modules/transactions/add-up-counts.ts";
import { countHistory } from "../../../src/modules/transactions/count-history.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import { recordTransaction } from "../../../testkit/record-transaction.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  fillHistory,
  finaliseTransaction,
  newPayment,
  openShop,
  pay,
  TIMED_OUT,
} from "../../../testkit/transactions.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** One statement, so one snapshot: what is there, and what the counts say, by every column. */
async function expectCountsToBeTrue(): Promise<void> {
  const wrong = await service.ctx.db.rows(sql`
    with spans as (select unnest(array['hour', 'day', 'month']) as span),
    there as (
      select account_number, environment, span, date_trunc(span, created_at, 'UTC') as starts_at,
        status, currency, count(*) as n
      from transactions cross join spans group by 1, 2, 3, 4, 5, 6
    ), told as (
      select account_number, environment, span, starts_at, status, currency, sum(n) as n
      from (
        select account_number, environment, span, starts_at, status, currency,
          transaction_count as n from transaction_counts
        union all
        select account_number, environment, span, date_trunc(span, hour, 'UTC'), status, currency,
          change from transaction_count_changes cross join spans
      ) as both_of_them
      group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0
    )
    select * from there full join told
      using (account_number, environment, span, starts_at, status, currency)
    where there.n is distinct from told.n`);
  assert.deepEqual(wrong, []);
}

test("after any payments, results and additions, in any order", async () => {
  const shops = [await openShop(service), await openShop(service)];
  const { db } = service.ctx;
  const open: string[] = [];
  const acts = fc.array(
    fc.record({
      act: fc.constantFrom("record", "record", "finalise", "undo", "add up", "later"),
      shop: fc.nat({ max: 1 }),
      amount: fc.constantFrom("10.00 TTD", "99.00 USD"),
      environment: fc.constantFrom("live" as const, "sandbox" as const),
      result: fc.constantFrom(APPROVED, DECLINED, TIMED_OUT),
    }),
    { minLength: 5, maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      for (const { act, shop, amount, environment, result } of list) {
        const who = shops[shop];
        assert(who !== undefined);
        const payment = newPayment(who, { amount, environment });
        if (act === "record") open.push((await pay(service, payment)).transaction_id);
        if (act === "add up") await addUpCounts(db);
        if (act === "later") await service.clock.advance({ hours: 5 });
        if (act === "undo")
          await assert.rejects(
            db.transaction(async (tx) => {
              await recordTransaction(tx, payment);
              throw new Error("changed my mind");
            }),
          );
        const id = act === "finalise" ? open.pop() : undefined;
        if (id !== undefined) await db.transaction((tx) => finaliseTransaction(tx, id, result));
      }
      await expectCountsToBeTrue();
    }),
    { numRuns: fuzzRuns({ usual: 8, proof: 25 }) },
  );
});

test("while eight write and two add up, at every moment", async () => {
  const who = await openShop(service);
  const { db } = service.ctx;
  let isOver = false;
  const writers = Array.from({ length: 8 }, async () => {
    for (let i = 0; i < 25; i++)
      await pay(service, newPayment(who), i % 3 === 0 ? DECLINED : APPROVED);
  });
  const adders = Array.from({ length: 2 }, async () => {
    while (!isOver) await addUpCounts(db);
  });
  const watcher = (async () => {
    while (!isOver) await expectCountsToBeTrue();
  })();
  await Promise.all(writers);
  isOver = true;
  await Promise.all([...adders, watcher]);
  await addUpCounts(db);
  await expectCountsToBeTrue();
  const left = await db.one<{ n: bigint }>(
    sql`select count(*) as n from transaction_count_changes`,
  );
  assert.equal(left.n, 0n);
  const filter = {
    accountNumber: who.accountNumber,
    environment: "live",
    status: undefined,
    currency: undefined,
    orderId: undefined,
    paymentLink: undefined,
    from: undefined,
    until: undefined,
    totals: undefined,
  } as const;
  assert.equal((await countHistory(db, filter)).total, 200);
  assert.equal((await countHistory(db, { ...filter, status: "failed" })).total, 72);
});

test("a reader who meets many changes has them added up, once for all who ask", async () => {
  const who = await openShop(service);
  const jobs = () =>
    service.ctx.db.rows(sql`
      select 1 from graphile_worker.jobs where task_identifier = 'add-up-counts'`);
  await service.ctx.db.run(sql`delete from graphile_worker._private_jobs`);
  // A change for each hour.
  const old = { rows: 1_100, until: "2026-11-01T00:00:00Z", everySeconds: 3_600 };
  await fillHistory(service, who, old);
  for (let i = 0; i < 3; i++) {
    const answer = await service.request("/transactions/", { token: who.token });
    assert.equal(answer.body.meta.total, 1_100);
  }
  assert.equal((await jobs()).length, 1);
  await addUpCountsJob.run(service.ctx, {});
  await service.ctx.db.run(sql`delete from graphile_worker._private_jobs`);
  await service.request("/transactions/", { token: who.token });
  assert.equal((await jobs()).length, 0);
});

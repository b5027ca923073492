/**
 * A payment is recorded with its price, finished once, and its money is in the books exactly when
 * its record says so (Decision 0026, Decision 0025).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/infra/db/query.ts";
import { balancesOf } from "../../../src/modules/ledger/balances.ts";
import { FEE_STRUCTURES } from "../../../src/modules/platforms/fee-quote.ts";
import {
  AccountTakesNoPayments,
  OrderIdTaken,
} from "../../../src/modules/transactions/new-transaction.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  finaliseTransaction,
  newPayment,
  openShop,
  pay,
  type Shop,
  TIMED_OUT,
} from "../../../testkit/transactions.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});

const countOf = async ({ accountNumber }: { accountNumber: string }) =>
  Number(
    (
      await service.ctx.db.one<{ n: bigint }>(sql`
        select count(*) as n from transactions where account_number = ${accountNumber}`)
    ).n,
  );
const available = async ({ accountNumber }: Shop) => {
  const balances = await balancesOf(service.ctx.db, accountNumber, "live");
  return Object.fromEntries(
    [...balances].map(([currency, balance]) => [currency, balance.available.minor]),
  );
};

describe("recording", () => {
  test("fixes the price and moves no money", async () => {
    const shop = await openShop(service);
    const row = await pay(
      service,
      newPayment(shop, { feeStructure: "split", amount: "10.00 TTD" }),
    );
    assert.deepEqual(
      [row.total_minor, row.customer_total_minor, row.fee_minor, row.tax_minor, row.net_minor],
      [1000n, 1103n, 205n, 0n, 898n],
    );
    assert.deepEqual([row.status, row.status_desc, row.message], ["incomplete", "Normal", null]);
    assert.deepEqual(await available(shop), {});
  });

  test("begins with the millisecond that its id begins with, by the database's clock", async () => {
    const shop = await openShop(service);
    const early = await pay(service, newPayment(shop));
    await service.clock.advance({ hours: 3 });
    const late = await pay(service, newPayment(shop));
    assert(early.transaction_id < late.transaction_id);
    const gap = late.created_at.getTime() - early.created_at.getTime();
    assert(gap >= 3 * 3_600_000 && gap < 3.1 * 3_600_000, `${gap} ms`);
  });

  test("takes an order once while it is open or paid, and again after it failed", async () => {
    const shop = await openShop(service);
    const order = () => newPayment(shop, { orderId: "one" });
    await pay(service, order(), DECLINED);
    await pay(service, order(), TIMED_OUT);
    const open = await pay(service, order());
    await assert.rejects(pay(service, order()), OrderIdTaken);
    await service.ctx.db.transaction((tx) =>
      finaliseTransaction(tx, open.transaction_id, APPROVED),
    );
    await assert.rejects(pay(service, order()), OrderIdTaken);
    assert.equal(await countOf(shop), 3);
    await pay(service, newPayment(shop, { orderId: "one", environment: "sandbox" }));
    await pay(service, newPayment(await openShop(service), { orderId: "one" }));
  });

  test("of one order by 32 at once opens one", async () => {
    const shop = await openShop(service);
    const all = Array.from({ length: 32 }, () =>
      pay(service, newPayment(shop, { orderId: "rush" })).then(
        () => "opened",
        (error: unknown) => (error instanceof OrderIdTaken ? "taken" : Promise.reject(error)),
      ),
    );
    const outcomes = (await Promise.all(all)).toSorted();
    assert.deepEqual(outcomes, ["opened", ...Array(31).fill("taken")]);
    assert.equal(await countOf(shop), 1);
  });

  test("is refused for an account that is closed, frozen or nobody's", async () => {
    const shop = await openShop(service);
    await service.ctx.db.run(sql`
      update accounts set status = 'frozen' where account_number = ${shop.accountNumber}`);
    await assert.rejects(pay(service, newPayment(shop)), AccountTakesNoPayments);
    const nobody = { accountNumber: "9999999999" };
    await assert.rejects(pay(service, newPayment(nobody)), AccountTakesNoPayments);
    assert.deepEqual([await countOf(shop), await countOf(nobody)], [0, 0]);
  });
});

describe("the result", () => {
  test("of success puts the net into the merchant's balance, once", async () => {
    const shop = await openShop(service);
    const made = await pay(service, newPayment(shop, { feeStructure: "merchant_absorb" }));
    const finish = () =>
      service.ctx.db.transaction((tx) => finaliseTransaction(tx, made.transaction_id, APPROVED));
    const rounds = await Promise.all(Array.from({ length: 8 }, finish));
    assert.equal(rounds.filter(({ isFirst }) => isFirst).length, 1);
    assert(rounds.every(({ transaction }) => transaction.status === "success"));
    assert.deepEqual(await available(shop), { TTD: 9480n });
  });

  for (const result of [DECLINED, TIMED_OUT])
    test(`of ${result.status} moves no money, and stays when another comes`, async () => {
      const shop = await openShop(service);
      const made = await pay(service, newPayment(shop), result);
      assert.deepEqual([made.status, made.message], [result.status, result.message]);
      const late = await service.ctx.db.transaction((tx) =>
        finaliseTransaction(tx, made.transaction_id, APPROVED),
      );
      assert.deepEqual([late.isFirst, late.transaction.status], [false, result.status]);
      assert.deepEqual(await available(shop), {});
    });

  test("of two that disagree is the first, whichever that is", async () => {
    const shop = await openShop(service);
    for (let i = 0; i < 10; i++) {
      const { transaction_id: id } = await pay(service, newPayment(shop));
      const [one, other] = await Promise.all(
        [APPROVED, DECLINED].map((result) =>
          service.ctx.db.transaction((tx) => finaliseTransaction(tx, id, result)),
        ),
      );
      assert.notEqual(one?.isFirst, other?.isFirst);
      assert.equal(one?.transaction.status, other?.transaction.status);
    }
    const paid = await service.ctx.db.one<{ net: bigint }>(sql`
      select coalesce(sum(net_minor), 0)::bigint as net from transactions
      where account_number = ${shop.accountNumber} and status = 'success'`);
    assert.equal((await available(shop)).TTD ?? 0n, paid.net);
  });

  test("leaves books that say what the records say, whatever was paid", async () => {
    const shop = await openShop(service);
    const amounts = fc.integer({ min: 500, max: 2_040_000 });
    const payments = fc.record({
      amount: amounts.map((minor) => `${(minor / 100).toFixed(2)} TTD`),
      feeStructure: fc.constantFrom(...FEE_STRUCTURES),
      result: fc.constantFrom(APPROVED, APPROVED, DECLINED),
    });
    await fc.assert(
      fc.asyncProperty(payments, async ({ result, ...payment }) => {
        await pay(service, newPayment(shop, payment), result);
      }),
      { numRuns: fuzzRuns({ usual: 20, proof: 60 }) },
    );
    const { net } = await service.ctx.db.one<{ net: bigint }>(sql`
      select sum(net_minor)::bigint as net from transactions
      where account_number = ${shop.accountNumber} and status = 'success'`);
    assert.deepEqual(await available(shop), { TTD: net });
    await expectBooksToBalance(service.ctx.db);
  });
});

test("an account with an open payment is not closed, and takes none once it is", async () => {
  const main = await service.world.mainMerchant();
  const { token } = await mintToken(service.ctx, main, ["svc-accounts-all"]);
  const shop = await service.world.merchant();
  await service.ctx.db.run(sql`
    update accounts set made_by = ${main.accountNumber}
    where account_number = ${shop.accountNumber}`);
  const close = () =>
    service.request(`/accounts/${shop.accountNumber}`, { method: "DELETE", token });
  const open = await pay(service, newPayment(shop, { environment: "sandbox" }));
  const refused = await close();
  assert.deepEqual(
    [refused.status, refused.body],
    [409, { message: "The account still has an open payment." }],
  );
  await service.ctx.db.transaction((tx) => finaliseTransaction(tx, open.transaction_id, DECLINED));
  assert.equal((await close()).status, 200);
  await assert.rejects(pay(service, newPayment(shop)), AccountTakesNoPayments);
});

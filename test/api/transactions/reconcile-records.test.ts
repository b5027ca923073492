/**
 * Records that do not agree with the books are found, whatever made them so and however well each
 * side adds up by itself: the report names the payment and what is wrong with it (Decision 0024).
 */

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { register } from "prom-client";
import { type Sql, sql } from "../../../src/infra/db/query.ts";
import { createLog } from "../../../src/infra/log.ts";
import { describeDifference } from "../../../src/modules/ledger/difference.ts";
import { reconcile } from "../../../src/modules/ledger/reconcile.ts";
import {
  openChargeback,
  settleChargeback,
} from "../../../src/modules/transactions/dispute-chargeback.ts";
import { confirmFraud } from "../../../src/modules/transactions/dispute-fraud.ts";
import { reconcileRecordsJob } from "../../../src/modules/transactions/reconcile-job.ts";
import { reconcileRecords } from "../../../src/modules/transactions/reconcile-records.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { DECLINED, newPayment, openShop, pay } from "../../../testkit/transactions.ts";
import {
  expectAllToAddUp,
  type PaidOrder,
  paidOrder,
  refundOf,
  settleAll,
} from "./refund-support.ts";

let service: TestService;
let order: PaidOrder;
let done: string;

/** A payment of 105.20 with 40.00 refunded; its merchant has a stripe of the house to itself. */
beforeEach(async () => {
  service = await startService();
  order = await paidOrder(service);
  done = await refundOf(service, order, "40.00");
  await settleAll(service);
  await expectAllToAddUp(service);
});
afterEach(() => service.stop());

const tamper = (statement: Sql) =>
  service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    assert((await tx.run(statement)) > 0, "something was changed");
  });
const found = async () => {
  const { differences, differenceCount } = await reconcileRecords(service.ctx);
  assert.equal(differences.length, differenceCount);
  return differences.map(describeDifference);
};
const name = (kind: string) =>
  `live TTD ${kind} ${order.shop.accountNumber.slice(/available|held/.test(kind) ? 0 : -1)}`;

describe("the report finds, where the books balance by themselves,", () => {
  const cases: [string, () => Sql, () => string[]][] = [
    [
      "a sum that was put back",
      () => sql`update transactions set refunded_minor = 0 where transaction_id = ${order.id}`,
      () => [
        `${order.id}: refunded, being refunded and disputed are 0.00, 0.00, 0.00; ` +
          "its records make 40.00, 0.00, 0.00",
      ],
    ],
    [
      "a refund of twice the amount",
      () => sql`update refunds set amount_minor = 8000 where refund_id = ${done}`,
      () => [
        `${order.id}: refunded, being refunded and disputed are 40.00, 0.00, 0.00; ` +
          "its records make 80.00, 0.00, 0.00",
        `${order.id}: posting refund_paid ${done} should have moved 80.00 TTD ` +
          `from ${name("held")} to ${name("gateway_clearing")}`,
        `${order.id}: posting refund_paid ${done} moved 40.00 TTD ` +
          `from ${name("held")} to ${name("gateway_clearing")}, which no record explains`,
        `${order.id}: posting refund_requested ${done} should have moved 80.00 TTD ` +
          `from ${name("available")} to ${name("held")}`,
        `${order.id}: posting refund_requested ${done} moved 40.00 TTD ` +
          `from ${name("available")} to ${name("held")}, which no record explains`,
      ],
    ],
    [
      "a success that nobody paid",
      () => sql`
        insert into transactions (transaction_id, account_number, environment, country_code,
          currency, order_id, total_minor, customer_total_minor, fee_minor, tax_minor, net_minor,
          fee_structure, method, status, message, finalised_at)
        values (${`TT-${"0".repeat(26)}`}, ${order.shop.accountNumber}, 'live', 'TT', 'TTD',
          'gift', 500, 500, 0, 0, 500, 'customer_pay', 'x', 'success', 'Yes.', app_now())`,
      () => [
        `TT-${"0".repeat(26)}: posting payment_approved TT-${"0".repeat(26)} should have moved ` +
          `5.00 TTD from ${name("gateway_clearing")} to ${name("available")}`,
      ],
    ],
    [
      "the money of a payment that did not succeed",
      () => sql`
        update transactions set status = 'failed', status_desc = 'Normal', refunded_minor = 0
        where transaction_id = ${order.id}`,
      () => [
        `${order.id}: refunded, being refunded and disputed are 0.00, 0.00, 0.00; ` +
          "its records make 40.00, 0.00, 0.00",
        `${order.id}: posting payment_approved ${order.id} moved 100.00 TTD ` +
          `from ${name("gateway_clearing")} to ${name("available")}, which no record explains`,
        `${order.id}: posting payment_approved ${order.id} moved 5.20 TTD ` +
          `from ${name("gateway_clearing")} to ${name("fee_income")}, which no record explains`,
      ],
    ],
    [
      "a payment that is gone",
      () => sql`
        with gone as (delete from refunds)
        delete from transactions where transaction_id = ${order.id}`,
      () =>
        [`payment_approved ${order.id}`, `refund_paid ${done}`, `refund_requested ${done}`].map(
          (id) => `${order.id}: posting ${id} is of a transaction that is not there`,
        ),
    ],
    [
      "a hold that nothing explains",
      () => sql`
        update disputes set state = 'open', ended_at = null where transaction_id = ${order.id}`,
      () => [
        `${order.id}: posting chargeback_released ${disputeId} moved 10.00 TTD from ` +
          `${name("held")} to ${name("available")}, which no record explains`,
        `${name("held")}: 0.00 held, 10.00 under way`,
      ],
    ],
  ];
  let disputeId = "";
  for (const [what, statement, expected] of cases)
    test(what, async () => {
      if (what.includes("hold")) {
        const signed = { transactionId: order.id, by: "ria", why: "the bank asks" };
        const amount = { currency: "TTD", minor: 1000n } as const;
        const { dispute_id } = await service.ctx.db.transaction((tx) =>
          openChargeback(tx, { ...signed, amount }),
        );
        disputeId = dispute_id;
        await service.ctx.db.transaction((tx) =>
          settleChargeback(tx, { ...signed, outcome: "released" }),
        );
        // Its amount counts again once it is open, which is not what is looked for here.
        assert.deepEqual(await found(), []);
      }
      await tamper(statement());
      const lines = (await found()).filter((line) => !/disputed are .*; its .* 10\.00$/.test(line));
      assert.deepEqual(lines, expected());
      assert.equal((await reconcile(service.ctx.db)).differenceCount, 0);
    });
});

describe("records of every kind agree with the books", () => {
  test("in pieces of any size", async () => {
    const { shop } = order;
    const signed = { by: "ria", why: "the bank asks" };
    await pay(service, newPayment(await openShop(service)), DECLINED);
    await pay(service, newPayment(shop));
    await refundOf(service, await paidOrder(service, { shop, environment: "sandbox" }), "5.00");
    for (const outcome of ["processed", "released"] as const)
      for (const funds of ["none", "500.00 TTD"]) {
        const { id } = await paidOrder(service, { funds });
        const dispute = { ...signed, transactionId: id };
        await service.ctx.db.transaction((tx) => openChargeback(tx, dispute));
        assert.deepEqual(await found(), []);
        await service.ctx.db.transaction((tx) => settleChargeback(tx, { ...dispute, outcome }));
        assert.deepEqual(await found(), []);
      }
    const poor = await paidOrder(service, { funds: "none" });
    await service.ctx.db.transaction((tx) =>
      confirmFraud(tx, { ...signed, transactionId: poor.id }),
    );
    const whole = await reconcileRecords(service.ctx);
    assert.deepEqual([whole.recordCount, whole.differenceCount], [9, 0]);
    for (const size of [1, 2, 3, 9])
      assert.deepEqual(await reconcileRecords(service.ctx, size), whole);
  });
});

test("the job reports it: one line in the log, one metric", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", write: (line) => void lines.push(line) });
  const figure = async () =>
    (await register.getSingleMetric("windward_record_differences")?.get())?.values[0]?.value;
  const run = () => reconcileRecordsJob.run({ ...service.ctx, log }, {});
  await run();
  assert.match(lines.at(-1) ?? "", /"the records agree with the books"/);
  assert.equal(await figure(), 0);
  await tamper(sql`update transactions set refunded_minor = 0`);
  await run();
  assert.match(lines.at(-1) ?? "", /"level":50.*its records make.*"the records differ/);
  assert.equal(await figure(), 1);
});

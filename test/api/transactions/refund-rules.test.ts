/**
 * What the database itself refuses about refunds, disputes and the simulator's journal, however
 * the SQL is written: each by a name that says why (Decisions 0029 and 0030).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { raw } from "sql-template-tag";
import { type Sql, sql } from "../../../src/infra/db/query.ts";
import type { Tx } from "../../../src/infra/db/transaction.ts";
import { money } from "../../../src/kit/money.ts";
import { NEXT_REFUND_STATE, type RefundState } from "../../../src/modules/transactions/refund.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { DECLINED, newPayment, pay } from "../../../testkit/transactions.ts";
import { expectAllToAddUp, type PaidOrder, paidOrder, refundOf } from "./refund-support.ts";

const STATES = Object.keys(NEXT_REFUND_STATE) as RefundState[];

class Undone extends Error {}

describe("the rules of refunds in the database", () => {
  let service: TestService;
  let order: PaidOrder;
  let refundId: string;

  before(async () => {
    service = await startService();
    order = await paidOrder(service);
    refundId = await refundOf(service, order, "40.00");
  });
  after(async () => {
    try {
      await expectAllToAddUp(service);
    } finally {
      await service.stop();
    }
  });

  /** Tries it and takes it back; gives the name of the rule, or undefined if it was let through. */
  async function ruleAgainst(...statements: readonly Sql[]): Promise<string | undefined> {
    try {
      await service.ctx.db.transaction(async (tx: Tx) => {
        for (const statement of statements) await tx.run(statement);
        throw new Undone();
      });
    } catch (error) {
      if (error instanceof Undone) return undefined;
      const { constraint, message } = error as Error & { constraint?: string };
      return constraint ?? message;
    }
    return undefined;
  }

  const moveTo = (state: RefundState) => {
    const isOver = state === "refunded" || state === "rejected";
    return sql`
      update refunds set state = ${state},
        attempt_count = ${state === "requested" ? 0 : 1},
        ended_at = case when ${isOver} then app_now() end,
        next_try_at = case when not ${isOver} then app_now() end,
        rejected_because = ${state === "rejected" ? "No." : null}
      where refund_id = ${refundId}`;
  };
  /** How a refund comes to each state by legal moves. */
  const WAY: Record<RefundState, readonly RefundState[]> = {
    requested: [],
    submitted: ["submitted"],
    unknown: ["submitted", "unknown"],
    refunded: ["submitted", "refunded"],
    rejected: ["submitted", "rejected"],
  };

  for (const from of STATES)
    for (const to of STATES.filter((state) => state !== from)) {
      const isLegal = (NEXT_REFUND_STATE[from] as readonly string[]).includes(to);
      test(`${from} → ${to} is ${isLegal ? "let through" : "refused"}`, async () => {
        const rule = await ruleAgainst(...WAY[from].map(moveTo), moveTo(to));
        assert.equal(rule, isLegal ? undefined : "a_refund_moves_along_its_table");
      });
    }

  const insert = (minor: number, state = "requested") => sql`
    insert into refunds (transaction_id, amount_minor, state, attempt_count)
    values (${order.id}, ${minor}, ${state}, ${state === "requested" ? 0 : 1})`;
  const set = (what: Sql) => sql`update refunds set ${what} where refund_id = ${refundId}`;
  const dispute = (kind: string, minor: number, covered: number, state = "open") => sql`
    insert into disputes (transaction_id, kind, amount_minor, covered_minor, state, ended_at)
    values (${order.id}, ${kind}, ${minor}, ${covered}, ${state},
      case when ${state} <> 'open' then app_now() end)`;

  const cases: [string, () => Sql[], string][] = [
    ["more than was paid", () => [insert(6521)], "no_more_goes_back_than_was_paid"],
    [
      "a refund and a dispute over it",
      () => [insert(6520), dispute("chargeback", 1, 0)],
      "no_more_goes_back_than_was_paid",
    ],
    [
      "a dispute over the rest",
      () => [dispute("chargeback", 6521, 0)],
      "no_more_goes_back_than_was_paid",
    ],
    ["nothing", () => [insert(0)], "amount_is_positive"],
    ["less than nothing", () => [insert(-500)], "amount_is_positive"],
    [
      "one that begins in the middle",
      () => [insert(100, "submitted")],
      "a_refund_begins_requested",
    ],
    ["another amount", () => [set(sql`amount_minor = 1`)], "what_was_asked_for_is_never_changed"],
    [
      "another payment",
      () => [set(sql`transaction_id = 'x'`)],
      "what_was_asked_for_is_never_changed",
    ],
    [
      "refunded without an end",
      () => [moveTo("submitted"), set(sql`state = 'refunded', next_try_at = null`)],
      "ended_at_is_set_exactly_when_ended",
    ],
    [
      "ended and to be tried",
      () => [moveTo("submitted"), set(sql`state = 'refunded', ended_at = app_now()`)],
      "next_try_at_is_set_exactly_while_under_way",
    ],
    [
      "rejected without a reason",
      () => [set(sql`state = 'rejected', ended_at = app_now(), next_try_at = null`)],
      "rejected_because_is_set_exactly_when_rejected",
    ],
    [
      "submitted without a try",
      () => [set(sql`state = 'submitted'`)],
      "only_what_was_tried_has_left_the_house",
    ],
    [
      "a refund removed",
      () => [sql`delete from refunds where refund_id = ${refundId}`],
      "refunds_are_never_removed",
    ],
    [
      "an ended refund changed",
      () => [moveTo("submitted"), moveTo("rejected"), set(sql`rejected_because = 'Other.'`)],
      "an_ended_refund_never_changes",
    ],
    [
      "an end at another time",
      () => [moveTo("submitted"), moveTo("refunded"), set(sql`ended_at = '2020-01-01'`)],
      "an_ended_refund_never_changes",
    ],
    [
      "a try unsaid",
      () => [moveTo("submitted"), set(sql`attempt_count = 3`), set(sql`attempt_count = 2`)],
      "tries_are_only_added",
    ],
    [
      "a dispute that begins released",
      () => [dispute("chargeback", 1, 0, "released")],
      "a_dispute_does_not_begin_released",
    ],
    ...["refunded_minor", "refund_pending_minor", "disputed_minor"].map(
      (sum): [string, () => Sql[], string] => [
        `another ${sum} by hand`,
        () => [sql`update transactions set ${raw(sum)} = 1 where transaction_id = ${order.id}`],
        "sums_move_only_with_refunds_and_disputes",
      ],
    ),
    [
      "a second open dispute",
      () => [dispute("chargeback", 1, 0), dispute("chargeback", 1, 0)],
      "a_transaction_has_one_dispute_at_a_time",
    ],
    [
      "a chargeback about nothing",
      () => [dispute("chargeback", 0, 0)],
      "a_chargeback_is_about_money",
    ],
    [
      "covered by more than it is",
      () => [dispute("chargeback", 1, 2)],
      "the_merchant_covers_at_most_the_amount",
    ],
    ["fraud that is open", () => [dispute("fraud", 1, 0)], "fraud_is_processed_at_once"],
    [
      "a dispute that ends twice",
      () => [dispute("chargeback", 1, 0, "processed"), sql`update disputes set state = 'released'`],
      "a_dispute_ends_once",
    ],
    [
      "a disputed amount changed",
      () => [dispute("chargeback", 1, 0), sql`update disputes set amount_minor = 2`],
      "what_is_disputed_is_never_changed",
    ],
    [
      "a dispute removed",
      () => [dispute("chargeback", 1, 0), sql`delete from disputes`],
      "disputes_are_never_removed",
    ],
  ];
  for (const [what, statements, rule] of cases)
    test(`${what}: refused as ${rule}`, async () => {
      assert.equal(await ruleAgainst(...statements()), rule);
    });

  const describedAs = (words: string) =>
    sql`update transactions set status_desc = ${words} where transaction_id = ${order.id}`;
  const atCommit: [string, () => Sql[], string][] = [
    [
      "refunded without the money",
      () => [moveTo("submitted"), moveTo("refunded")],
      "an_ended_refund_has_its_posting",
    ],
    ["rejected without the money", () => [moveTo("rejected")], "an_ended_refund_has_its_posting"],
    [
      "a chargeback without a dispute",
      () => [describedAs("Chargeback Pending")],
      "a_dispute_stands_behind_its_status_desc",
    ],
    [
      "a chargeback whose dispute has ended",
      () => [dispute("chargeback", 1, 0, "processed"), describedAs("Chargeback Pending")],
      "a_dispute_stands_behind_its_status_desc",
    ],
    [
      "a processed chargeback whose dispute is open",
      () => [
        dispute("chargeback", 1, 0),
        describedAs("Chargeback Pending"),
        describedAs("Chargeback Processed"),
      ],
      "a_dispute_stands_behind_its_status_desc",
    ],
    [
      "fraud without a dispute",
      () => [describedAs("Fraud Confirmed")],
      "a_dispute_stands_behind_its_status_desc",
    ],
    [
      "fraud for a chargeback",
      () => [dispute("chargeback", 1, 0, "processed"), describedAs("Fraud Confirmed")],
      "a_dispute_stands_behind_its_status_desc",
    ],
  ];
  const COMMITTING = sql`set constraints all immediate`;
  for (const [what, statements, rule] of atCommit)
    test(`${what}: let through and refused at COMMIT as ${rule}`, async () => {
      assert.equal(await ruleAgainst(...statements()), undefined);
      assert.equal(await ruleAgainst(...statements(), COMMITTING), rule);
    });

  test("words that have their dispute are taken at COMMIT, also where they move on in one tx", async () => {
    const pending = [dispute("chargeback", 1, 0), describedAs("Chargeback Pending")];
    assert.equal(await ruleAgainst(...pending, COMMITTING), undefined);
    const ended = sql`
      update disputes set state = 'processed', ended_at = app_now()
      where transaction_id = ${order.id}`;
    const moved = [...pending, ended, describedAs("Chargeback Processed")];
    assert.equal(await ruleAgainst(...moved, COMMITTING), undefined);
  });

  test("a refund of what was not paid: refused", async () => {
    const { transaction_id } = await pay(service, newPayment(order.shop), DECLINED);
    const rule = await ruleAgainst(sql`
      insert into refunds (transaction_id, amount_minor) values (${transaction_id}, 100)`);
    assert.equal(rule, "only_what_was_paid_goes_back");
  });

  test("the simulator does one reference once, refuses it for another order, and keeps its word", async () => {
    const gateway = service.ctx.gateways.sandbox;
    assert(gateway !== undefined);
    const [reference, transactionId] = [refundId, order.id];
    const sold = { transactionId, saleReference: null };
    const wanted = { reference, ...sold, amount: money("TTD", 4000n) };
    assert.deepEqual(await gateway.refundOutcome(reference), { outcome: "never seen" });
    const tried = Array.from({ length: 8 }, () => gateway.refund(wanted));
    assert((await Promise.all(tried)).every(({ outcome }) => outcome === "refunded"));
    assert.deepEqual(await gateway.refundOutcome(reference), { outcome: "refunded" });
    await assert.rejects(
      gateway.refund({ ...wanted, amount: money("TTD", 4001n) }),
      /another order/,
    );
    const word = sql`update simulator_refunds set outcome = 'rejected'`;
    assert.equal(await ruleAgainst(word), "what_the_simulator_did_stays_done");
    const gone = await ruleAgainst(sql`delete from simulator_refunds`);
    assert.equal(gone, "simulator_refunds_are_never_removed");
  });
});

/**
 * The guarantee (Decision 0119): whatever decides an approval at the same moment, the money moves
 * at most once, the request ends once, and the books balance. Each race is made certain: both sides
 * wait for the row that they decide.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import type { Tab } from "../../testkit/console.ts";
import { untilWaiting } from "../../testkit/lock-waits.ts";
import { operator, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { act, makeOperator, saidAfter, signInOperator } from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";
import { expectAllToAddUp } from "../../testkit/withdrawals.ts";

const service = await startService();
const { db } = service.ctx;
let asker: Tab;
let two: Tab;
let three: Tab;
before(async () => {
  const people = ["finance", "finance", "admin"] as const;
  const tabs: Tab[] = [];
  for (const role of people)
    tabs.push(await signInOperator(service, await makeOperator(service, role)));
  [asker, two, three] = tabs as [Tab, Tab, Tab];
});
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

/** A live payment of 8,000, and a refund of 6,000 that waits for a second person. */
async function askRefund() {
  const shop = await openShop(service);
  const { transaction_id: id } = await pay(
    service,
    newPayment(shop, { amount: "8000.00 TTD" }),
    APPROVED,
  );
  const answer = await act(asker, "refund-payment", { transaction_id: id, amount: "6000.00" });
  assert.match(await saidAfter(asker, answer), /^Waiting for approval: /);
  const { approval_id: approvalId } = await db.one<{ approval_id: string }>(sql`
    select approval_id from approvals where transaction_id = ${id}`);
  return { id, approvalId };
}

const decide = (tab: Tab, command: "approve" | "reject", approvalId: string) =>
  act(tab, command, { approval_id: approvalId }, "looked at it");

/** Both begin while the row is locked by somebody else, and go on when it is free. */
async function atOnce<T>(approvalId: string, deciding: readonly (() => Promise<T>)[]) {
  const { started } = await db.transaction(async (tx) => {
    await tx.run(sql`select from approvals where approval_id = ${approvalId} for update`);
    const all = Promise.all(deciding.map((one) => one()));
    await untilWaiting(db, deciding.length);
    // In an object: the row is free before it is waited for.
    return { started: all };
  });
  return started;
}

async function outcomeOf({ id, approvalId }: { id: string; approvalId: string }) {
  const { state } = await db.one<{ state: string }>(sql`
    select state from approvals where approval_id = ${approvalId}`);
  const refunds = await db.rows<{ amount_minor: bigint }>(sql`
    select amount_minor from refunds where transaction_id = ${id}`);
  const decisions = await db.rows<{ action: string }>(sql`
    select action from audit_entries
    where detail ->> 'approval_id' = ${approvalId}
      and action in ('approval_given', 'approval_rejected', 'approval_refused')`);
  return {
    state,
    refunded: refunds.map(({ amount_minor }) => Number(amount_minor)),
    decisions: decisions.map(({ action }) => action),
  };
}

const DONE = { state: "approved", refunded: [600_000], decisions: ["approval_given"] };
const REJECTED = { state: "rejected", refunded: [], decisions: ["approval_rejected"] };

describe("decisions at the same moment", () => {
  test("two approve: one refund is made", async () => {
    const asked = await askRefund();
    const { approvalId } = asked;
    const answers = await atOnce(approvalId, [
      () => decide(two, "approve", approvalId),
      () => decide(three, "approve", approvalId),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 409]);
    assert.deepEqual(await outcomeOf(asked), DONE);
  });

  test("one approves and another rejects: one of them has decided, and the other reads so", async () => {
    for (const commands of [["approve", "reject"] as const, ["reject", "approve"] as const]) {
      const asked = await askRefund();
      const { approvalId } = asked;
      const [first, second] = await atOnce(approvalId, [
        () => decide(two, commands[0], approvalId),
        () => decide(three, commands[1], approvalId),
      ]);
      const isFirst = first?.status === 303;
      const loser = isFirst ? second : first;
      assert.equal(loser?.status, 409);
      assert.match(loser.text, /It was decided before: it is (approved|rejected)\./);
      const winner = isFirst ? commands[0] : commands[1];
      assert.deepEqual(await outcomeOf(asked), winner === "approve" ? DONE : REJECTED);
    }
  });

  test("the asker takes it back while another approves: it is done or not, never half", async () => {
    const asked = await askRefund();
    const { approvalId } = asked;
    const [taken, approved] = await atOnce(approvalId, [
      () => decide(asker, "reject", approvalId),
      () => decide(two, "approve", approvalId),
    ]);
    assert.deepEqual([taken?.status, approved?.status].toSorted(), [303, 409]);
    assert.deepEqual(await outcomeOf(asked), approved?.status === 303 ? DONE : REJECTED);
  });

  test("one approves at a page and another at a terminal: one refund is made", async () => {
    const asked = await askRefund();
    const { approvalId } = asked;
    const [page, terminal] = await atOnce<unknown>(approvalId, [
      () => decide(two, "approve", approvalId),
      () => operator(service, ["approve", approvalId, ...SIGNED]),
    ]);
    const isPage = (page as { status: number }).status === 303;
    assert.equal((terminal as { code: number }).code, isPage ? 1 : 0);
    assert.deepEqual(await outcomeOf(asked), DONE);
  });
});

describe("approved after the state changed", () => {
  test("what was refunded meanwhile is not refunded again, and the request ends", async () => {
    const asked = await askRefund();
    const { id, approvalId } = asked;
    await operatorJson(service, ["refund-payment", id, "--amount", "3000.00", ...SIGNED]);
    const said = await saidAfter(two, await decide(two, "approve", approvalId));
    assert.match(said, /its request has ended\. .*more than is left to refund/);
    assert.deepEqual(await outcomeOf(asked), {
      state: "refused",
      refunded: [300_000],
      decisions: ["approval_refused"],
    });
  });

  test("all that is left is not taken when it is another amount by then", async () => {
    const shop = await openShop(service);
    const order = newPayment(shop, { amount: "8000.00 TTD" });
    const { transaction_id: id } = await pay(service, order, APPROVED);
    const asked = await act(asker, "open-chargeback", { transaction_id: id });
    assert.match(await saidAfter(asker, asked), /^Waiting for approval: /);
    const { approval_id: approvalId } = await db.one<{ approval_id: string }>(sql`
      select approval_id from approvals where transaction_id = ${id}`);
    const direct = { transaction_id: id, amount: "1000.00" };
    assert.match(await saidAfter(two, await act(two, "refund-payment", direct)), /is requested/);
    const said = await saidAfter(two, await decide(two, "approve", approvalId));
    assert.match(said, /It would move another amount by now: ask for it again\./);
    const { refunded, state } = await outcomeOf({ id, approvalId });
    assert.deepEqual([state, refunded], ["refused", [100_000]]);
    assert.equal((await db.rows(sql`select from disputes where transaction_id = ${id}`)).length, 0);
  });

  test("two approve what is not possible any more: it is refused once", async () => {
    const asked = await askRefund();
    const { id, approvalId } = asked;
    await operatorJson(service, ["refund-payment", id, "--amount", "3000.00", ...SIGNED]);
    const answers = await atOnce(approvalId, [
      () => decide(two, "approve", approvalId),
      () => decide(three, "approve", approvalId),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 409]);
    assert.deepEqual(await outcomeOf(asked), {
      state: "refused",
      refunded: [300_000],
      decisions: ["approval_refused"],
    });
  });

  test("a refund at the same moment as the approval: no more than was paid goes back", async () => {
    const asked = await askRefund();
    const { id, approvalId } = asked;
    const { started } = await db.transaction(async (tx) => {
      await tx.run(sql`select from transactions where transaction_id = ${id} for update`);
      const all = Promise.all([
        decide(two, "approve", approvalId),
        operator(service, ["refund-payment", id, "--amount", "3000.00", ...SIGNED]),
      ]);
      await untilWaiting(db, 2);
      return { started: all };
    });
    const [, direct] = await started;
    const outcome = await outcomeOf(asked);
    if (direct.code === 1) assert.deepEqual(outcome, DONE);
    else assert.deepEqual([outcome.state, outcome.refunded], ["refused", [300_000]]);
  });
});

/**
 * However many ask at once, no more is held than there is, the same request has one effect, of a
 * cancel and a dispatch exactly one happens, and the bank pays once however many loops there are
 * (Decisions 0045 and 0046).
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  lockWithdrawal,
  moveWithdrawal,
} from "../../../src/modules/withdrawals/move-withdrawal.ts";
import { isBeingTold } from "../../../src/modules/withdrawals/payout.ts";
import { payOut } from "../../../src/modules/withdrawals/payouts/pay-out.ts";
import { claimDue, claimPending } from "../../../src/modules/withdrawals/payouts/payout-loop.ts";
import type { TestAnswer } from "../../../testkit/service.ts";
import { sweepPayouts } from "../../../testkit/sweeps.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import {
  askUntilAnswered,
  cancel,
  eventsOf,
  expectAllToAddUp,
  fundsOf,
  journal,
  NORMAL,
  openOwner,
  pausedWorker,
  settleAll,
  statusOf,
  withdraw,
} from "../../../testkit/withdrawals.ts";

const two = await startTwoServices();
const { service } = two;

/** A withdrawal whose payout a worker has claimed, and which has not read on yet. */
async function claimedAndPaused() {
  const owner = await openOwner(service);
  const id = await withdraw(service, owner, { amount: "10.00" });
  await service.clock.advance({ seconds: 6 });
  const claimed = await claimPending(service.ctx);
  assert(claimed?.transaction_id === id);
  return { id, claimed };
}

const countOf = (answers: readonly TestAnswer[], status: number) =>
  answers.filter((one) => one.status === status).length;

describe("32 at once", () => {
  test("of the full balance under different keys: one is taken", async () => {
    const owner = await openOwner(service, "merchant", { funds: "105.00 TTD" });
    const answers = await two.atOnce(32, (one) => askUntilAnswered(one, owner));
    assert.deepEqual([countOf(answers, 201), countOf(answers, 422)], [1, 31]);
    assert.equal(await fundsOf(service, owner), "0.00 + 105.00");
    await expectAllToAddUp(service);
  });

  test("under the same key: one effect, the same bytes", async () => {
    const owner = await openOwner(service, "merchant", { funds: "5000.00 TTD" });
    const key = randomUUID();
    const answers = await two.atOnce(32, (one) => askUntilAnswered(one, owner, NORMAL, key));
    assert.deepEqual(
      [...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length,
      1,
    );
    assert.equal(countOf(answers, 201), 32);
    assert.equal(await fundsOf(service, owner), "4895.00 + 105.00");
    await expectAllToAddUp(service);
  });

  test("of one withdrawal's cancellation: one is told yes, the money is back once", async () => {
    const owner = await openOwner(service, "merchant", { funds: "105.00 TTD" });
    const id = await withdraw(service, owner);
    const answers = await two.atOnce(32, (one) => cancel(one, owner, id));
    assert.deepEqual([countOf(answers, 200), countOf(answers, 409)], [1, 31]);
    assert.equal(await fundsOf(service, owner), "105.00 + 0.00");
    await expectAllToAddUp(service);
  });
});

describe("cancel against dispatch at once", () => {
  test("exactly one of them happens, over and over", async () => {
    const owner = await openOwner(service);
    const ended = { cancelled: 0, completed: 0 };
    for (let round = 0; round < 24; round++) {
      const id = await withdraw(service, owner, { amount: "10.00" });
      await service.clock.advance({ seconds: 6 });
      const pause = async () => {
        for (let trip = 0; trip < round % 6; trip++) await statusOf(service, id);
      };
      const [answer] = await Promise.all([
        round % 2 === 0
          ? cancel(service, owner, id)
          : pause().then(() => cancel(service, owner, id)),
        round % 2 === 0
          ? pause().then(() => sweepPayouts(two.sibling.ctx))
          : sweepPayouts(two.sibling.ctx),
      ]);
      const status = await statusOf(service, id);
      assert.equal(status, answer.status === 200 ? "cancelled" : "completed", answer.text);
      assert.equal((await journal(service, id)).length, answer.status === 200 ? 0 : 1);
      ended[status as keyof typeof ended] += 1;
    }
    assert(ended.cancelled > 0 && ended.completed > 0, JSON.stringify(ended));
    await expectAllToAddUp(service);
  });
});

describe("two loops", () => {
  test("share the work: each withdrawal is told to the bank once", async () => {
    const owner = await openOwner(service);
    const ids: string[] = [];
    for (let at = 0; at < 20; at++) ids.push(await withdraw(service, owner, { amount: "10.00" }));
    await service.clock.advance({ seconds: 6 });
    await Promise.all(
      [0, 1, 2, 3].map((at) => sweepPayouts(at % 2 ? service.ctx : two.sibling.ctx)),
    );
    for (const id of ids) {
      assert.deepEqual(await journal(service, id), [{ outcome: "paid", call_count: 1 }]);
      assert.deepEqual(await eventsOf(service, id), ["pending", "processing", "completed"]);
    }
    await expectAllToAddUp(service);
  });

  for (const [amount, end] of [
    ["10.00", "completed"],
    ["10.98", "failed"],
    ["10.93", "held"],
  ] as const)
    test(`one paused past its lease before it calls: ${end}, and one payout at most`, async () => {
      const owner = await openOwner(service);
      const id = await withdraw(service, owner, { amount });
      await service.clock.advance({ seconds: 6 });
      const worker = await pausedWorker(service, id);
      await service.clock.advance({ seconds: 31 });
      await sweepPayouts(two.sibling.ctx);
      assert.equal(await statusOf(service, id), end);
      await worker.letGo();
      assert.equal(await statusOf(service, id), end);
      const [entry] = await journal(service, id);
      assert.equal(
        entry?.outcome ?? null,
        { completed: "paid", failed: "rejected", held: null }[end],
      );
      assert.deepEqual(await eventsOf(service, id), ["pending", "processing", end]);
      await expectAllToAddUp(service);
    });

  test("one paused past its lease sends nothing, though nobody has asked since", async () => {
    const { id, claimed } = await claimedAndPaused();
    await service.clock.advance({ seconds: 21 });
    await payOut(service.ctx, claimed);
    assert.deepEqual(await journal(service, id), []);
    await service.clock.advance({ seconds: 31 });
    await sweepPayouts(two.sibling.ctx);
    assert.deepEqual(await journal(service, id), [{ outcome: "paid", call_count: 1 }]);
    await expectAllToAddUp(service);
  });

  test("one paused until an operator gave the withdrawal up sends nothing", async () => {
    const { id, claimed } = await claimedAndPaused();
    await service.clock.advance({ seconds: 31 });
    await service.ctx.db.transaction((tx) =>
      moveWithdrawal(tx, id, { to: "failed", reason: "never sent" }),
    );
    await payOut(service.ctx, claimed);
    assert.equal(await statusOf(service, id), "failed");
    assert.deepEqual(await journal(service, id), []);
    await expectAllToAddUp(service);
  });

  test("an answer about a payout that has ended changes nothing of the next one", async () => {
    const owner = await openOwner(service);
    const id = await withdraw(service, owner, { amount: "10.92" });
    await service.clock.advance({ seconds: 6 });
    const release = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let answered = 0;
    const ctx = {
      ...service.ctx,
      async failpoint(step: string) {
        if (step !== "pay: answered" || answered++ > 0) return;
        reached.resolve();
        await release.promise;
      },
    };
    const claimed = await claimPending(ctx);
    assert(claimed !== undefined);
    // Learns that the bank holds it, and is paused before it can write that down.
    const first = payOut(ctx, claimed);
    await reached.promise;
    await service.clock.advance({ seconds: 31 });
    await settleAll(two.sibling);
    assert.equal(await statusOf(service, id), "completed");
    release.resolve();
    await first;
    assert.equal(await statusOf(service, id), "completed");
    assert.deepEqual((await journal(service, id))[0]?.outcome, "paid");
    await expectAllToAddUp(service);
  });
});

test("nobody begins to talk to the bank while an operator gives a withdrawal up", async () => {
  const owner = await openOwner(service);
  const id = await withdraw(service, owner, { amount: "10.00" });
  await service.clock.advance({ seconds: 6 });
  assert(await claimPending(service.ctx));
  await service.clock.advance({ seconds: 31 });
  await service.ctx.db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, id);
    assert.equal(await isBeingTold(tx, row), false);
    for (let turn = 0; turn < 8; turn++)
      assert.notEqual((await claimDue(two.sibling.ctx.db))?.transaction_id, id);
    await moveWithdrawal(tx, id, { to: "failed", reason: "never sent" });
  });
  await sweepPayouts(two.sibling.ctx);
  assert.deepEqual(await journal(service, id), []);
  await expectAllToAddUp(service);
});

describe("the database refuses", () => {
  const refused: [string, string, string][] = [
    [
      "a move that is not in the table",
      "status = 'failed', status_reason = 'x'",
      "a_withdrawal_moves_along_its_table",
    ],
    ["another amount", "amount_minor = amount_minor + 1", "what_was_asked_for_is_never_changed"],
    ["another payee", "name_in_bank = 'Somebody Else'", "what_was_asked_for_is_never_changed"],
    [
      "other numbers",
      "numbers_sealed = numbers_sealed || 'x'::bytea",
      "what_was_asked_for_is_never_changed",
    ],
    ["another key", "wrapping_key_id = 'other'", "what_was_asked_for_is_never_changed"],
    [
      "a move without its money",
      "status = 'cancelled', deleted_at = app_now()",
      "a_moved_withdrawal_has_its_posting",
    ],
    ["a payout that nobody began", "payout_count = 1", "a_payout_is_counted_as_it_begins"],
  ];
  for (const [what, change, constraint] of refused)
    test(`${what}, by name`, async () => {
      const owner = await openOwner(service);
      const id = await withdraw(service, owner);
      const statement = { name: randomUUID(), values: [id] };
      const text = `update withdrawals set ${change} where transaction_id = $1`;
      await assert.rejects(
        service.ctx.db.transaction((tx) => tx.run({ ...statement, text })),
        { constraint },
      );
      assert.equal(await statusOf(service, id), "pending");
    });

  test("that a withdrawal is there without what it holds", async () => {
    const owner = await openOwner(service);
    const id = await withdraw(service, owner);
    const copy = service.ctx.db.transaction((tx) =>
      tx.run(sql`
        insert into withdrawals (transaction_id, account_number, environment, country_code,
          withdrawal_type, currency, amount_minor, fee_minor, bank_name, bank_account_last_four,
          name_in_bank, numbers_sealed, wrapping_key_id)
        select left(transaction_id, 6) || repeat('0', 26), account_number, environment,
          country_code, withdrawal_type, currency, amount_minor, fee_minor, bank_name,
          bank_account_last_four, name_in_bank, numbers_sealed, wrapping_key_id
        from withdrawals where transaction_id = ${id}`),
    );
    await assert.rejects(copy, { constraint: "a_new_withdrawal_has_its_posting" });
    await expectAllToAddUp(service);
  });
});

/**
 * The guarantee, whatever runs at the same moment: a withdrawal is in one file or none, cancelled
 * or in a file, completed or failed; and the books balance.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { MadeFile } from "../../../src/modules/withdrawals/bank-files/make-bank-file.ts";
import {
  lockWithdrawal,
  moveWithdrawal,
} from "../../../src/modules/withdrawals/move-withdrawal.ts";
import { mistakesIn } from "../../../testkit/check-credit-transfer.ts";
import { untilWaiting } from "../../../testkit/lock-waits.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  cancel,
  eventsOf,
  expectAllToAddUp,
  type Owner,
  statusOf,
} from "../../../testkit/withdrawals.ts";
import {
  endToEndIdOf,
  liveOwner,
  makeFile,
  readAnswer,
  statusFile,
  waitingOnes,
} from "./bank-files-support.ts";

let service: TestService;
let owners: Owner[];
before(async () => {
  service = await startService();
  owners = await Promise.all([liveOwner(service), liveOwner(service), liveOwner(service)]);
});
after(() => service.stop());

async function waitingOfAll(each: number): Promise<{ id: string; owner: Owner }[]> {
  const asked = Array.from({ length: each }, () => ({ amount: "10.00" }));
  const lists = await Promise.all(
    owners.map(async (owner) =>
      (await waitingOnes(service, owner, asked)).map((id) => ({ id, owner })),
    ),
  );
  return lists.flat();
}

/** The files that were made; every other call must have reported that there is nothing. */
async function makeAtOnce(count: number): Promise<MadeFile[]> {
  const makers = Array.from({ length: count }, () => makeFile(service));
  const ends = await Promise.allSettled(makers);
  return ends.flatMap((end) => {
    if (end.status === "fulfilled") return [end.value];
    assert.match(String(end.reason), /waits to be paid/);
    return [];
  });
}

const idsIn = ({ file }: MadeFile) =>
  [...file.toString().matchAll(/<InstrId>(.*)<\/InstrId>/g)].map(([, id]) => id ?? "");

test("five operators at once: every withdrawal is in exactly one file", async () => {
  for (let round = 0; round < 3; round++) {
    const wanted = (await waitingOfAll(8)).map(({ id }) => id);
    const files = await makeAtOnce(5);
    assert.deepEqual(files.flatMap(idsIn).sort(), wanted.sort());
    for (const made of files) assert.deepEqual(mistakesIn(made.file.toString()), []);
  }
  await expectAllToAddUp(service);
});

test("cancelled while a file is made: cancelled or in the file, never both and never neither", async () => {
  for (let round = 0; round < 3; round++) {
    const wanted = await waitingOfAll(6);
    const cancelling = wanted.map(({ id, owner }) => cancel(service, owner, id));
    await Promise.race(cancelling);
    const paid = new Set((await makeAtOnce(1)).flatMap(idsIn));
    const answers = await Promise.all(cancelling);
    for (const [at, { id }] of wanted.entries()) {
      const isPaid = paid.has(id);
      assert.equal(answers[at]?.status, isPaid ? 409 : 200);
      assert.equal(await statusOf(service, id), isPaid ? "processing" : "cancelled");
    }
  }
  await expectAllToAddUp(service);
});

test("one that is being cancelled is passed over, and nobody waits for it", async () => {
  const [one, other] = await waitingOfAll(1);
  assert(one !== undefined && other !== undefined);
  const made = await service.ctx.db.transaction(async (tx) => {
    await moveWithdrawal(tx, one.id, { to: "cancelled" });
    return makeFile(service);
  });
  assert.ok(!idsIn(made).includes(one.id) && idsIn(made).includes(other.id));
  assert.deepEqual(
    [await statusOf(service, one.id), await statusOf(service, other.id)],
    ["cancelled", "processing"],
  );
  await expectAllToAddUp(service);
});

test("cancelled while its file is being written: told that it is too late", async () => {
  const [one] = await waitingOfAll(1);
  assert(one !== undefined);
  const { db } = service.ctx;
  const { making, cancelling } = await db.transaction(async (tx) => {
    // The file waits for the money, and the cancel for the file.
    await tx.run(sql`
      select from ledger_balances join ledger_accounts using (ledger_account_id)
      where account_number = ${one.owner.accountNumber} for update of ledger_balances`);
    const making = makeFile(service);
    await untilWaiting(db, 1);
    const cancelling = cancel(service, one.owner, one.id);
    await untilWaiting(db, 2);
    return { making, cancelling };
  });
  assert.ok(idsIn(await making).includes(one.id));
  assert.equal((await cancelling).status, 409);
  assert.equal(await statusOf(service, one.id), "processing");
  await expectAllToAddUp(service);
});

for (const [winner, end] of [
  ["the operator", "failed"],
  ["the bank's file", "completed"],
] as const)
  test(`failed by an operator while the bank's file completes it: ${winner}, who came first`, async () => {
    const [one] = await waitingOfAll(1);
    assert(one !== undefined);
    const { batch } = await makeFile(service);
    const line = { id: await endToEndIdOf(service, one.id), status: "ACSC" };
    const file = statusFile({ to: batch.message_id, payments: [line] });
    const { db } = service.ctx;
    const fail = () =>
      db.transaction((tx) => moveWithdrawal(tx, one.id, { to: "failed", reason: "no" }));
    const read = () => readAnswer(service, file);
    const acts = end === "failed" ? [fail, read] : [read, fail];
    // Both stand before the row, in this order, until the test lets go of it.
    const ends = await db
      .transaction(async (tx) => {
        await lockWithdrawal(tx, one.id);
        const running: Promise<unknown>[] = [];
        for (const act of acts) {
          running.push(act());
          await untilWaiting(db, running.length);
        }
        return running;
      })
      .then((running) => Promise.allSettled(running));
    const [failed, answered] = end === "failed" ? ends : ends.toReversed();
    assert(answered?.status === "fulfilled");
    const [finding] = (answered.value as Awaited<ReturnType<typeof readAnswer>>).findings;
    assert.equal(finding?.result, end === "completed" ? "completed" : "contradiction");
    assert.equal(failed?.status, end === "failed" ? "fulfilled" : "rejected");
    assert.equal(await statusOf(service, one.id), end);
    assert.deepEqual((await eventsOf(service, one.id)).slice(2), [end]);
    await expectAllToAddUp(service);
  });

test("put into a second file while the answer to the first waits: that answer does not end it", async () => {
  const wanted = (await waitingOfAll(1)).map(({ id }) => id).sort();
  const [first = "", second = ""] = wanted;
  const { batch } = await makeFile(service);
  const payments = [{ id: await endToEndIdOf(service, second), status: "ACSC" }];
  const file = statusFile({ to: batch.message_id, payments });
  const { db } = service.ctx;
  const { reading } = await db.transaction(async (tx) => {
    await lockWithdrawal(tx, first);
    const reading = readAnswer(service, file);
    await untilWaiting(db);
    const move = { to: "held", reason: "stopped" } as const;
    await db.transaction((other) => moveWithdrawal(other, second, move));
    await db.transaction((other) => moveWithdrawal(other, second, { to: "pending" }));
    assert.deepEqual(idsIn(await makeFile(service)), [second]);
    return { reading };
  });
  assert.equal((await reading).findings[0]?.result, "contradiction");
  assert.equal(await statusOf(service, second), "processing");
  await expectAllToAddUp(service);
});

test("the same answer of the bank read by four at once moves each withdrawal once", async () => {
  const wanted = await waitingOfAll(3);
  const { batch } = await makeFile(service);
  const payments = await Promise.all(
    wanted.map(async ({ id }, at) => ({
      id: await endToEndIdOf(service, id),
      status: at % 2 === 0 ? "ACSC" : "RJCT",
    })),
  );
  const file = statusFile({ to: batch.message_id, payments });
  const reads = await Promise.all([1, 2, 3, 4].map(() => readAnswer(service, file)));
  const moved = reads.flatMap(({ findings }) =>
    findings.filter(({ result }) => result === "completed" || result === "failed"),
  );
  assert.equal(moved.length, wanted.length);
  for (const [at, { id }] of wanted.entries())
    assert.equal(await statusOf(service, id), at % 2 === 0 ? "completed" : "failed");
  await expectAllToAddUp(service);
});

/**
 * The guarantee: money that a bank sends back is in its owner's balance again, amount and fee,
 * once; and a withdrawal that was returned never changes again (Decision 0101).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  moveWithdrawal,
  WithdrawalCannotMove,
} from "../../../src/modules/withdrawals/move-withdrawal.ts";
import {
  expectRefusals,
  operatorEntries,
  operatorJson,
  SIGNED,
} from "../../../testkit/operator.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  cancel,
  dispatch,
  eventsOf,
  expectAllToAddUp,
  fundsOf,
  type Owner,
  openOwner,
  read,
  statusOf,
  withdraw,
} from "../../../testkit/withdrawals.ts";

let service: TestService;
let owner: Owner;
before(async () => {
  service = await startService();
  owner = await openOwner(service, "merchant", { funds: "1000.00 TTD" });
});
after(() => service.stop());

async function completed(amount = "100.00"): Promise<string> {
  const id = await withdraw(service, owner, { amount });
  await dispatch(service);
  assert.equal(await statusOf(service, id), "completed");
  return id;
}

const TOLD = ["--tell", "The account is closed.", ...SIGNED] as const;

describe("a completed withdrawal that the bank sends back", () => {
  test("gives amount and fee back, and tells its owner why", async () => {
    const before = await fundsOf(service, owner);
    const id = await completed();
    const { completed_at } = await read(service, owner, id);
    const done = await operatorJson(service, ["return-withdrawal", id, ...TOLD]);
    assert.deepEqual([done.action, done.status], ["withdrawal_returned", "returned"]);
    assert.equal(await fundsOf(service, owner), before);
    const record = await read(service, owner, id);
    assert.equal(record.status, "returned");
    assert.match(record.status_description, /Reason: The account is closed\.$/);
    assert.equal(record.completed_at, completed_at);
    assert.equal(record.deleted_at, null);
    assert.deepEqual(await eventsOf(service, id), [
      "pending",
      "processing",
      "completed",
      "returned",
    ]);
    const [entry] = (await operatorEntries(service)).slice(-1);
    assert.deepEqual(
      [entry?.actor, entry?.detail.transaction_id, entry?.detail.from],
      ["operator D. Joseph", id, "completed"],
    );
    const listed = await service.request("/withdrawals/?environment=sandbox&status=returned", {
      token: owner.token,
    });
    assert.deepEqual(
      listed.body.data.map((one: { transaction_id: string }) => one.transaction_id),
      [id],
    );
    await expectAllToAddUp(service);
  });

  test("comes back once, of thirty at one moment", async () => {
    const before = await fundsOf(service, owner);
    const id = await completed("200.00");
    const back = { to: "returned", reason: "Closed." } as const;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () =>
        service.ctx.db.transaction((tx) => moveWithdrawal(tx, id, back)),
      ),
    );
    const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    assert.equal(refused.length, 29);
    assert(refused.every((error) => error instanceof WithdrawalCannotMove));
    assert.equal(await fundsOf(service, owner), before);
    await expectAllToAddUp(service);
  });

  test("is final: nothing moves or changes it", async () => {
    const id = await completed();
    await operatorJson(service, ["return-withdrawal", id, ...TOLD]);
    await expectRefusals(service, [
      [
        ["return-withdrawal", id, ...TOLD],
        `${id} is returned: only one that is completed can come back.`,
      ],
      [["fail-withdrawal", id, ...TOLD], `${id} is returned, and that is the end of it.`],
    ]);
    assert.equal((await cancel(service, owner, id)).status, 409);
    for (const change of [sql`status = 'completed', status_reason = null`, sql`data = 'x'`])
      await assert.rejects(
        service.ctx.db.run(sql`update withdrawals set ${change} where transaction_id = ${id}`),
      );
    await expectAllToAddUp(service);
  });
});

test("one that is not completed cannot come back", async () => {
  const id = await withdraw(service, owner, { amount: "10.00" });
  await expectRefusals(service, [
    [
      ["return-withdrawal", id, ...TOLD],
      `${id} is pending: only one that is completed can come back.`,
    ],
  ]);
  assert.equal((await cancel(service, owner, id)).status, 200);
  await expectAllToAddUp(service);
});

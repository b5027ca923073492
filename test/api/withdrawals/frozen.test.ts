/**
 * Of a frozen account nothing goes out, however far its withdrawal is: an order that no bank has
 * seen waits until the account is active again, and what a bank has done all the same is still
 * taken (Decision 0046).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operatorJson, SIGNED } from "../../../testkit/operator.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { sweepPayouts } from "../../../testkit/sweeps.ts";
import {
  dispatch,
  expectAllToAddUp,
  journal,
  type Owner,
  openOwner,
  settleAll,
  statusOf,
  withdraw,
} from "../../../testkit/withdrawals.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(async () => {
  try {
    await expectAllToAddUp(service);
  } finally {
    await service.stop();
  }
});

const freeze = ({ accountNumber }: Owner) =>
  operatorJson(service, ["freeze-account", accountNumber, ...SIGNED]);
const unfreeze = ({ accountNumber }: Owner) =>
  operatorJson(service, ["unfreeze-account", accountNumber, ...SIGNED]);

/** Long enough that each round asks the bank again, whatever the pause has grown to. */
async function askForHours(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await service.clock.advance({ hours: 2 });
    await sweepPayouts(service.ctx);
  }
}

describe("of an account that is frozen while its payout is under way", () => {
  test("an order that was lost is not sent again until the account is active", async () => {
    const owner = await openOwner(service);
    const id = await withdraw(service, owner, { amount: "10.96" });
    await dispatch(service);
    assert.deepEqual(await journal(service, id), [{ outcome: null, call_count: 1 }]);
    await freeze(owner);
    await askForHours();
    assert.equal(await statusOf(service, id), "processing");
    assert.deepEqual(await journal(service, id), [{ outcome: null, call_count: 1 }]);
    await unfreeze(owner);
    await service.clock.advance({ hours: 2 });
    await settleAll(service);
    assert.equal(await statusOf(service, id), "completed");
    assert.deepEqual(await journal(service, id), [{ outcome: "paid", call_count: 2 }]);
  });

  test("the first order is not sent either, when the freeze comes after the claim", async () => {
    const owner = await openOwner(service);
    const id = await withdraw(service, owner, { amount: "10.00" });
    await service.clock.advance({ seconds: 6 });
    const failpoint = async (step: string) => {
      if (step === "dispatch: claimed") await freeze(owner);
    };
    await sweepPayouts({ ...service.ctx, failpoint });
    await askForHours();
    assert.equal(await statusOf(service, id), "processing");
    assert.deepEqual(await journal(service, id), []);
    await unfreeze(owner);
    await service.clock.advance({ hours: 2 });
    await settleAll(service);
    assert.deepEqual(await journal(service, id), [{ outcome: "paid", call_count: 1 }]);
  });

  test("what the bank has paid is still recorded", async () => {
    const owner = await openOwner(service);
    const id = await withdraw(service, owner, { amount: "10.97" });
    await dispatch(service);
    assert.equal(await statusOf(service, id), "processing");
    await freeze(owner);
    await askForHours();
    assert.equal(await statusOf(service, id), "completed");
    assert.deepEqual(await journal(service, id), [{ outcome: "paid", call_count: 1 }]);
  });

  test("an operator may hold what waits, and reads that in the list", async () => {
    const owner = await openOwner(service);
    const id = await withdraw(service, owner, { amount: "10.96" });
    await dispatch(service);
    await freeze(owner);
    await askForHours();
    const { withdrawals } = await operatorJson(service, [
      "stuck-withdrawals",
      ...["--hours", "0", "--environment", "sandbox"],
    ]);
    const found = withdrawals.find((one: { transaction_id: string }) => one.transaction_id === id);
    assert.equal(found?.next, "unfreeze-account or hold-withdrawal");
    await service.clock.advance({ minutes: 1 });
    const told = ["--tell", "We look at it", "--not-paid"];
    await operatorJson(service, ["hold-withdrawal", id, ...told, ...SIGNED]);
    assert.equal(await statusOf(service, id), "held");
  });
});

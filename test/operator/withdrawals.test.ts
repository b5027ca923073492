/**
 * The guarantee: an operator holds, releases, fails and lists withdrawals, signed and written down;
 * what a bank may have paid is given back only when somebody says that it has not; and every
 * refusal says what to do next and changes nothing.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { auditOf, expectRefusals, operator, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import {
  cancel,
  dispatch,
  eventsOf,
  expectAllToAddUp,
  fundsOf,
  type Owner,
  openOwner,
  pausedWorker,
  read,
  statusOf,
  withdraw,
} from "../../testkit/withdrawals.ts";
import { liveOwner, makeFile, waitingOnes } from "../api/withdrawals/bank-files-support.ts";

let service: TestService;
let owner: Owner;
before(async () => {
  service = await startService();
  owner = await liveOwner(service);
});
after(() => service.stop());

const TOLD = ["--tell", "We look at it"] as const;
const waiting = async () => (await waitingOnes(service, owner, [{ amount: "10.00" }]))[0] ?? "";

async function sent(): Promise<string> {
  const id = await waiting();
  await makeFile(service);
  return id;
}

describe("a withdrawal", () => {
  test("is held, tells its owner why, cannot be cancelled, and goes on when released", async () => {
    const before = await fundsOf(service, owner, "TTD", "live");
    const id = await waiting();
    const held = await operatorJson(service, ["hold-withdrawal", id, ...TOLD, ...SIGNED]);
    assert.deepEqual([held.action, held.status], ["withdrawal_held", "held"]);
    assert.match((await read(service, owner, id)).status_description, /Reason: We look at it$/);
    assert.equal((await cancel(service, owner, id)).status, 409);
    const released = await operatorJson(service, ["release-withdrawal", id, ...SIGNED]);
    assert.deepEqual([released.action, released.status], ["withdrawal_released", "pending"]);
    assert.deepEqual(await eventsOf(service, id), ["pending", "held", "released"]);
    assert.equal((await cancel(service, owner, id)).status, 200);
    assert.equal(await fundsOf(service, owner, "TTD", "live"), before);
    const [hold, release] = (await auditOf(service)).slice(-2);
    assert.deepEqual(
      [hold, release].map((one) => [one?.actor, one?.detail.why, one?.detail.transaction_id]),
      [
        ["operator D. Joseph", "ticket 4711", id],
        ["operator D. Joseph", "ticket 4711", id],
      ],
    );
    await expectAllToAddUp(service);
  });

  test("that is held fails with a reason, and amount and fee are back", async () => {
    const before = await fundsOf(service, owner, "TTD", "live");
    const id = await waiting();
    await operatorJson(service, ["hold-withdrawal", id, ...TOLD, ...SIGNED]);
    const args = ["fail-withdrawal", id, "--tell", "The name is wrong", ...SIGNED];
    assert.equal((await operatorJson(service, args)).status, "failed");
    assert.match((await read(service, owner, id)).status_description, /The name is wrong$/);
    assert.equal(await fundsOf(service, owner, "TTD", "live"), before);
    await expectAllToAddUp(service);
  });

  test("that a bank was told of is held or failed only with the word that it is not paid", async () => {
    const one = await sent();
    const other = await sent();
    const asks = (id: string, status: string) =>
      `${id} is ${status}, and a bank was told to pay it. Ask the bank; if it has not paid it ` +
      "and never will, say so with --not-paid.";
    await expectRefusals(service, [
      [["fail-withdrawal", one, ...TOLD, ...SIGNED], asks(one, "processing")],
      [["hold-withdrawal", other, ...TOLD, ...SIGNED], asks(other, "processing")],
    ]);
    await operatorJson(service, ["fail-withdrawal", one, ...TOLD, "--not-paid", ...SIGNED]);
    await operatorJson(service, ["hold-withdrawal", other, ...TOLD, "--not-paid", ...SIGNED]);
    await expectRefusals(service, [
      [["fail-withdrawal", other, ...TOLD, ...SIGNED], asks(other, "held")],
    ]);
    await operatorJson(service, ["fail-withdrawal", other, ...TOLD, "--not-paid", ...SIGNED]);
    assert.deepEqual(
      [await statusOf(service, one), await statusOf(service, other)],
      ["failed", "failed"],
    );
    assert.equal((await auditOf(service)).at(-1)?.detail.not_paid, true);
    await expectAllToAddUp(service);
  });

  test("is neither held nor failed while a worker may be telling its bank", async () => {
    const other = await openOwner(service);
    const id = await withdraw(service, other, { amount: "10.00" });
    await service.clock.advance({ seconds: 6 });
    const worker = await pausedWorker(service, id);
    const words =
      `${id} is being told to its bank at this moment. Wait a minute, ask the bank again, and ` +
      "repeat.";
    await expectRefusals(service, [
      [["fail-withdrawal", id, ...TOLD, "--not-paid", ...SIGNED], words],
      [["hold-withdrawal", id, ...TOLD, "--not-paid", ...SIGNED], words],
    ]);
    await worker.letGo();
    assert.equal(await statusOf(service, id), "completed");
    await expectAllToAddUp(service);
  });

  test("that its bank holds is given up at once: the bank has answered", async () => {
    const other = await openOwner(service);
    const before = await fundsOf(service, other);
    const id = await withdraw(service, other, { amount: "10.93" });
    await dispatch(service);
    assert.equal(await statusOf(service, id), "held");
    await operatorJson(service, ["fail-withdrawal", id, ...TOLD, "--not-paid", ...SIGNED]);
    assert.equal(await fundsOf(service, other), before);
    await expectAllToAddUp(service);
  });

  test("refuses what its status does not allow, and says what would help", async () => {
    const id = await waiting();
    const nobody = "TT-01ARZ3NDEKTSV4RRFFQ69G5FAV";
    await expectRefusals(service, [
      [
        ["fail-withdrawal", id, ...TOLD, ...SIGNED],
        `${id} is pending: hold it first with hold-withdrawal, so that nobody pays it.`,
      ],
      [["release-withdrawal", id, ...SIGNED], `${id} is not held: it is pending.`],
      [["hold-withdrawal", nobody, ...TOLD, ...SIGNED], `There is no withdrawal ${nobody}.`],
      [["show-withdrawal", nobody], `There is no withdrawal ${nobody}.`],
      [
        ["hold-withdrawal", "4711", ...TOLD, ...SIGNED],
        "The transaction id must look like TT-01ARZ3NDEKTSV4RRFFQ69G5FAV.",
      ],
    ]);
    await cancel(service, owner, id);
    await expectRefusals(service, [
      [
        ["hold-withdrawal", id, ...TOLD, ...SIGNED],
        "The withdrawal cannot be held: its status is cancelled.",
      ],
      [
        ["fail-withdrawal", id, ...TOLD, ...SIGNED],
        `${id} is cancelled, and that is the end of it.`,
      ],
    ]);
  });

  test("never shows a card number that an operator typed", async () => {
    const id = await waiting();
    const told = ["--tell", "card 4111111111111111"];
    await operatorJson(service, ["hold-withdrawal", id, ...told, ...SIGNED]);
    assert.doesNotMatch((await read(service, owner, id)).status_description, /4111111111111111/);
    await operatorJson(service, ["fail-withdrawal", id, ...TOLD, ...SIGNED]);
  });
});

describe("what is stuck", () => {
  test("is listed with what to do about it, the oldest first, and not what is fresh", async () => {
    const cold = await liveOwner(service);
    const held = await waiting();
    await operatorJson(service, ["hold-withdrawal", held, ...TOLD, ...SIGNED]);
    const filed = await sent();
    const pending = await waiting();
    const [frozen = ""] = await waitingOnes(service, cold, [{ amount: "10.00" }]);
    await operatorJson(service, ["freeze-account", cold.accountNumber, ...SIGNED]);
    const fresh = await operatorJson(service, ["stuck-withdrawals"]);
    assert.deepEqual(fresh.withdrawals, []);
    // A clock that was set back makes them younger than new.
    await service.clock.advance({ hours: -1 });
    const all = await operatorJson(service, ["stuck-withdrawals", "--hours", "0"]);
    await service.clock.advance({ hours: 1 });
    const steps = new Map(
      all.withdrawals.map((one: { transaction_id: string; next: string }) => [
        one.transaction_id,
        one.next,
      ]),
    );
    assert.deepEqual(
      [held, filed, pending, frozen].map((id) => steps.get(id)),
      [
        "release-withdrawal or fail-withdrawal",
        "read-bank-status",
        "make-bank-file",
        "unfreeze-account or hold-withdrawal",
      ],
    );
    assert.deepEqual([...steps.keys()].slice(-4), [held, filed, pending, frozen]);
    const { withdrawals } = await operatorJson(service, [
      "stuck-withdrawals",
      ...["--hours", "0", "--environment", "sandbox"],
    ]);
    assert.deepEqual(withdrawals, []);
    const other = await openOwner(service);
    const fake = await withdraw(service, other, { amount: "10.00" });
    for (const [environment, id, settings] of [
      ["sandbox", fake, {}],
      ["live", pending, { LIVE_PAYOUTS: "simulator" }],
    ] as const) {
      const args = ["stuck-withdrawals", "--hours", "0", "--environment", environment];
      const listed = (await operatorJson(service, args, { settings })).withdrawals;
      const found = listed.find((one: { transaction_id: string }) => one.transaction_id === id);
      assert.equal(found?.next, "is a worker running?");
    }
    const wrong = await operator(service, ["stuck-withdrawals", "--hours", "many"]);
    assert.equal(wrong.stderr, "The --hours must be a whole number from 0 to 10000.\n");
  });
});

/**
 * What the sandbox's bank is asked for it does by itself, by cents or by account number; every end
 * has its money and its events, and the bank pays at most once (Decisions 0046 and 0047).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Tx } from "../../../src/infra/db/transaction.ts";
import { moveWithdrawal } from "../../../src/modules/withdrawals/move-withdrawal.ts";
import { longestDueOf } from "../../../src/modules/withdrawals/payouts/payout-loop.ts";
import { createBanks } from "../../../src/modules/withdrawals/payouts/sandbox-bank.ts";
import { fund } from "../../../testkit/books.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { sweepPayouts } from "../../../testkit/sweeps.ts";
import {
  dispatch,
  eventsOf,
  expectAllToAddUp,
  type Fields,
  fundsOf,
  journal,
  type Owner,
  openOwner,
  read,
  SUB_BANKED,
  SUB_UNBANKED,
  settleAll,
  statusOf,
  withdraw,
} from "../../../testkit/withdrawals.ts";

let service: TestService;
let main: Owner;

before(async () => {
  service = await startService();
  main = await openOwner(service, "mainMerchant");
});
after(async () => {
  try {
    await expectAllToAddUp(service);
  } finally {
    await service.stop();
  }
});

const PAID = ["pending", "processing", "completed"];
const FAILED = ["pending", "processing", "failed"];

describe("the sandbox's bank", () => {
  const table: [string, Fields, string[], string | null][] = [
    ["pays", { amount: "10.00" }, PAID, "paid"],
    ["pays abroad", { amount: "10.00", currency: "USD" }, PAID, "paid"],
    ["pays another's account", { ...SUB_BANKED, amount: "10.00" }, PAID, "paid"],
    ["pays a person", { ...SUB_UNBANKED, amount: "10.00" }, PAID, "paid"],
    ["rejects", { amount: "10.98" }, FAILED, "rejected"],
    ["pays and loses its answer", { amount: "10.97" }, PAID, "paid"],
    ["loses the order once", { amount: "10.96" }, PAID, "paid"],
    ["does not know for a while", { amount: "10.94" }, PAID, "paid"],
    [
      "holds it and lets it go by itself",
      { amount: "10.92" },
      ["pending", "processing", "held", "released", "processing", "completed"],
      "paid",
    ],
    [
      "rejects by account number",
      { ...SUB_BANKED, amount: "10.00", bank_account: "0012349998" },
      FAILED,
      "rejected",
    ],
    [
      "does what the cents say before what the number says",
      { ...SUB_BANKED, amount: "10.97", bank_account: "0012349998" },
      PAID,
      "paid",
    ],
  ];
  for (const [what, fields, events, outcome] of table)
    test(`${what}: ${events.at(-1)}`, async () => {
      const id = await withdraw(service, main, fields);
      await settleAll(service);
      // What the bank has stopped it is still asked about.
      for (let round = 0; round < 6 && (await statusOf(service, id)) === "held"; round++) {
        await service.clock.advance({ seconds: 15 });
        await settleAll(service);
      }
      assert.deepEqual(await eventsOf(service, id), events);
      const [entry] = await journal(service, id);
      assert.equal(entry?.outcome, outcome);
      const record = await read(service, main, id);
      assert.equal(record.completed_at !== null, outcome === "paid");
    });

  test("the slow one pays, and the answer counts when it comes", async () => {
    const id = await withdraw(service, main, { amount: "10.95" });
    await settleAll(service);
    assert.equal(await statusOf(service, id), "completed");
  });

  test("what it holds waits for a person, and is paid when it is told once more", async () => {
    const owner = await openOwner(service, "merchant", { funds: "115.93 TTD" });
    const id = await withdraw(service, owner, { amount: "110.93" });
    await dispatch(service);
    assert.equal(await fundsOf(service, owner), "0.00 + 115.93");
    const held = await read(service, owner, id);
    assert.deepEqual(
      [held.status, held.status_description],
      [
        "held",
        "Stopped until somebody has looked at it. Reason: The bank is looking at the payment.",
      ],
    );
    await service.clock.advance({ hours: 10 });
    await sweepPayouts(service.ctx);
    assert.equal(await statusOf(service, id), "held");
    await service.ctx.db.transaction((tx) => moveWithdrawal(tx, id, { to: "pending" }));
    await dispatch(service);
    assert.equal(await statusOf(service, id), "completed");
    assert.equal(await fundsOf(service, owner), "0.00 + 0.00");
    assert.deepEqual(await journal(service, id), [{ outcome: "paid", call_count: 2 }]);
  });

  test("what it holds may fail instead, and amount and fee are back", async () => {
    const owner = await openOwner(service, "merchant", { funds: "115.93 TTD" });
    const id = await withdraw(service, owner, { amount: "110.93" });
    await dispatch(service);
    const reason = "The account is closed.";
    await service.ctx.db.transaction((tx) => moveWithdrawal(tx, id, { to: "failed", reason }));
    assert.equal(await fundsOf(service, owner), "115.93 + 0.00");
    assert.match((await read(service, owner, id)).status_description, /closed\.$/);
    assert.deepEqual(await journal(service, id), [{ outcome: null, call_count: 1 }]);
  });
});

describe("the money of a withdrawal", () => {
  test("stays the merchant's until the bank is told, and the fee until it has paid", async () => {
    const owner = await openOwner(service, "merchant", { funds: "200.00 TTD" });
    const id = await withdraw(service, owner, { amount: "100.94" });
    assert.equal(await fundsOf(service, owner), "94.06 + 105.94");
    await dispatch(service);
    assert.equal(await statusOf(service, id), "processing");
    assert.equal(await fundsOf(service, owner), "94.06 + 5.00");
    await settleAll(service);
    assert.equal(await fundsOf(service, owner), "94.06 + 0.00");
  });

  test("comes back with the fee when the bank rejects it", async () => {
    const owner = await openOwner(service, "merchant", { funds: "200.00 TTD" });
    const id = await withdraw(service, owner, { amount: "100.98" });
    await settleAll(service);
    assert.equal(await fundsOf(service, owner), "200.00 + 0.00");
    const { status_description } = await read(service, owner, id);
    assert.equal(
      status_description,
      "Not paid. Amount and fee are back in the balance. Reason: The bank rejected the payment.",
    );
  });

  test("of live waits for a bank file: no bank is called", async () => {
    await fund(service.ctx.db, main.accountNumber, "105.00 TTD", "live");
    const id = await withdraw(service, main, { environment: "live" });
    await service.clock.advance({ hours: 1 });
    await sweepPayouts(service.ctx);
    assert.equal(await statusOf(service, id), "pending");
    assert.deepEqual(await journal(service, id), []);
  });

  test("of live is paid by the simulated bank where it is told to", async () => {
    await fund(service.ctx.db, main.accountNumber, "105.00 TTD", "live");
    const id = await withdraw(service, main, { environment: "live" });
    await service.clock.advance({ seconds: 6 });
    const withdrawals = { livePaidBy: "simulator", perDayMax: 1 } as const;
    const config = { ...service.ctx.config, withdrawals };
    const { db } = service.ctx;
    await sweepPayouts({ ...service.ctx, config, banks: createBanks({ db, config }) });
    assert.equal(await statusOf(service, id), "completed");
  });

  test("of a frozen account waits until it is active again", async () => {
    const owner = await openOwner(service, "merchant");
    const id = await withdraw(service, owner, { amount: "10.00" });
    const move = (status: string) =>
      service.ctx.db.run(sql`
        update accounts set status = ${status} where account_number = ${owner.accountNumber}`);
    await move("frozen");
    await dispatch(service);
    assert.equal(await statusOf(service, id), "pending");
    await move("active");
    await dispatch(service);
    assert.equal(await statusOf(service, id), "completed");
  });

  test("is left alone for five seconds, so that its owner can think again", async () => {
    const id = await withdraw(service, main, { amount: "10.00" });
    await sweepPayouts(service.ctx);
    assert.equal(await statusOf(service, id), "pending");
    await dispatch(service);
    assert.equal(await statusOf(service, id), "completed");
  });
});

test("the longest due one is the first that the index has, however many wait", async () => {
  const { text, values } = longestDueOf("sandbox");
  const plan = await service.ctx.db.transaction(async (tx) => {
    // So that a small table is read as a large one is.
    await tx.run(sql`
      select set_config(name, 'off', true)
      from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) as name`);
    return tx.rows({ name: "explain-longest-due", text: `explain ${text}`, values });
  });
  const shown = JSON.stringify(plan);
  assert.match(shown, /Index Scan using withdrawals_to_dispatch/);
  assert.doesNotMatch(shown, /Sort/);
});

test("a claim that fails does not leave those before it to wait out their lease", async () => {
  const ids = [await withdraw(service, main), await withdraw(service, main)];
  await service.clock.advance({ seconds: 6 });
  let txs = 0;
  const db = Object.create(service.ctx.db, {
    transaction: {
      value(work: (tx: Tx) => Promise<unknown>) {
        txs += 1;
        // The first one is claimed and taken down; then comes the claim of the second.
        if (txs === 3) return lost();
        return service.ctx.db.transaction(work);
      },
    },
  });
  await assert.rejects(sweepPayouts({ ...service.ctx, db }));
  assert.equal(await statusOf(service, ids[0] ?? ""), "completed");
  await sweepPayouts(service.ctx);
  assert.equal(await statusOf(service, ids[1] ?? ""), "completed");
});

describe("asking again", () => {
  test("comes after a growing while, always about the same reference", async () => {
    const id = await withdraw(service, main, { amount: "10.96" });
    await service.clock.advance({ seconds: 6 });
    const waits: number[] = [];
    const silent = { pay: lost, outcomeOf: lost };
    const ctx = { ...service.ctx, banks: { live: undefined, sandbox: silent } };
    for (let round = 0; round < 4; round++) {
      await sweepPayouts(ctx);
      const { wait } = await service.ctx.db.one<{ wait: number }>(sql`
        select extract(epoch from next_ask_at - app_now())::float8 as wait
        from payouts where transaction_id = ${id} and is_open`);
      waits.push(wait);
      await service.clock.advance({ seconds: wait + 0.1 });
    }
    const expected = [2, 4, 8, 16];
    for (const [at, wait] of waits.entries())
      assert(Math.abs(wait - (expected[at] ?? 0)) <= (expected[at] ?? 0) * 0.2 + 0.1, `${waits}`);
    assert.equal(await statusOf(service, id), "processing");
    await settleAll(service);
    assert.equal(await statusOf(service, id), "completed");
  });
});

async function lost(): Promise<never> {
  throw new Error("lost");
}

/**
 * kill -9 at every named step of a withdrawal: it is asked for wholly or not at all, ends once, the
 * books balance, and the bank's journal has one payout at most (Decisions 0045 and 0046).
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { after, afterEach, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sql } from "../../src/infra/db/query.ts";
import type { Scope } from "../../src/kit/scopes.ts";
import { WITHDRAWAL_STEPS, type WithdrawalStep } from "../../src/modules/withdrawals/context.ts";
import { mintToken } from "../../testkit/credentials.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import {
  cancel,
  dispatch,
  eventsOf,
  expectAllToAddUp,
  fundsOf,
  journal,
  type Owner,
  openOwner,
  settleAll,
  statusOf,
  withdraw,
} from "../../testkit/withdrawals.ts";

const VICTIM = fileURLToPath(new URL("withdrawal-victim.ts", import.meta.url));

interface Case {
  readonly amount: string;
  readonly steps: readonly WithdrawalStep[];
  readonly end: "completed" | "failed";
  /** Whether the bank has been told before, so that the victim asks. */
  readonly isAsked?: true;
}

const OUTCOME: readonly WithdrawalStep[] = [
  "outcome: taken up",
  "outcome: withdrawal held",
  "outcome: moved",
  "outcome: kept",
];
const PAYOUTS: Readonly<Record<string, Case>> = {
  "pay it out": {
    amount: "100.00",
    steps: ["dispatch: moved", "dispatch: claimed", "pay: ordered", "pay: answered", ...OUTCOME],
    end: "completed",
  },
  "learn that it was rejected": { amount: "100.98", steps: ["outcome: moved"], end: "failed" },
  "lose the answer": { amount: "100.97", steps: ["pay: answer lost"], end: "completed" },
  "ask about it": {
    amount: "100.94",
    steps: ["ask: due", "outcome: moved"],
    end: "completed",
    isAsked: true,
  },
};

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());
afterEach(() => expectAllToAddUp(service));

interface Victim extends Owner {
  readonly grantId: string;
}

async function openVictim(): Promise<Victim> {
  const owner = await openOwner(service, "merchant", { funds: "105.98 TTD" });
  const scopes = owner.allScopes.split(" ") as Scope[];
  return { ...owner, ...(await mintToken(service.ctx, owner, scopes)) };
}

async function run(task: string, who: Victim, id: string, step: string): Promise<unknown> {
  const { accountNumber, grantId } = who;
  const asked = JSON.stringify({ accountNumber, grantId });
  const args = [VICTIM, service.database.url, task, asked, id, step];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const [code, signal] = await once(child, "exit");
  return signal ?? code;
}

describe("kill -9 of a process that would ask for a withdrawal", () => {
  for (const step of ["create: written", "create: told", "create: money held"])
    test(`at "${step}": nothing is there and nothing is held`, async () => {
      const who = await openVictim();
      assert.equal(await run("create", who, "", step), "SIGKILL");
      assert.equal(await fundsOf(service, who), "105.98 + 0.00");
      const rows = await service.ctx.db.rows(sql`
        select from withdrawals where account_number = ${who.accountNumber}`);
      assert.equal(rows.length, 0);
      assert.equal(await run("create", who, "", "nowhere"), 0);
      assert.equal(await fundsOf(service, who), "0.98 + 105.00");
    });
});

describe("kill -9 of a process that would cancel", () => {
  test("leaves it pending with its money, to be cancelled again", async () => {
    const who = await openVictim();
    const id = await withdraw(service, who);
    assert.equal(await run("cancel", who, id, "cancel: moved"), "SIGKILL");
    assert.equal(await statusOf(service, id), "pending");
    assert.equal(await fundsOf(service, who), "0.98 + 105.00");
    assert.equal((await cancel(service, who, id)).status, 200);
    assert.equal(await fundsOf(service, who), "105.98 + 0.00");
  });
});

describe("kill -9 of a loop", () => {
  for (const [task, { amount, steps, end, isAsked }] of Object.entries(PAYOUTS))
    for (const step of steps)
      test(`that would ${task}, at "${step}": ${end} once`, async () => {
        // Whatever the tests before have left is done first: the loop takes all that is due.
        await settleAll(service);
        const who = await openVictim();
        const id = await withdraw(service, who, { amount });
        if (isAsked) await dispatch(service);
        await service.clock.advance({ seconds: 6 });
        assert.equal(await run("sweep", who, id, step), "SIGKILL");
        await settleAll(service);
        assert.equal(await statusOf(service, id), end);
        assert.deepEqual(await eventsOf(service, id), ["pending", "processing", end]);
        const entries = await journal(service, id);
        assert.equal(entries.length, 1);
        assert.equal(entries[0]?.outcome, end === "completed" ? "paid" : "rejected");
        if (end === "failed") assert.equal(await fundsOf(service, who), "105.98 + 0.00");
      });

  test("that is left alone pays by itself, so the deaths above are the steps' own", async () => {
    const who = await openVictim();
    const id = await withdraw(service, who);
    await service.clock.advance({ seconds: 6 });
    assert.equal(await run("sweep", who, id, "nowhere"), 0);
    assert.equal(await statusOf(service, id), "completed");
  });

  test("died at every step that there is", () => {
    const died = new Set<string>(Object.values(PAYOUTS).flatMap(({ steps }) => steps));
    const left = WITHDRAWAL_STEPS.filter((step) => !died.has(step));
    assert.deepEqual(left, [
      "create: written",
      "create: told",
      "create: money held",
      "cancel: moved",
    ]);
  });
});

/**
 * kill -9 of a worker between any two steps of a refund leaves the books balanced, and the refund
 * is ended later, exactly once by the gateway's own journal (Decision 0029).
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { RefundState } from "../../../src/modules/transactions/refund.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  expectAllToAddUp,
  fundsOf,
  journal,
  paidOrder,
  refundOf,
  refundRow,
  settleAll,
} from "./refund-support.ts";

const VICTIM = fileURLToPath(new URL("refund-victim.ts", import.meta.url));

/** Where it dies, what is left of the refund, and whether the money had been sent by then. */
const STEPS: readonly [string, RefundState, boolean][] = [
  ["before the claim", "requested", false],
  ["before the commit of the claim", "requested", false],
  ["after the claim", "submitted", false],
  ["before the gateway does it", "submitted", false],
  ["after the gateway did it", "submitted", true],
  ["before the outcome", "submitted", true],
  ["before the commit of the outcome", "submitted", true],
  ["after the outcome", "refunded", true],
];

describe("kill -9 of a worker at a refund", () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  async function dieAt(step: string, refundId: string): Promise<string | number | null> {
    const child = spawn(process.execPath, [VICTIM, service.database.url, refundId, step], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [code, signal] = await once(child, "exit");
    return signal ?? code;
  }

  for (const [step, state, isDone] of STEPS)
    test(`${step}: the books balance, and the refund is ended once`, async () => {
      const order = await paidOrder(service);
      const refundId = await refundOf(service, order, "40.00");
      assert.equal(await dieAt(step, refundId), "SIGKILL");
      assert.equal((await refundRow(service, refundId)).state, state);
      const entries = await journal(service, order.id);
      assert.equal(entries.filter(({ outcome }) => outcome === "refunded").length, isDone ? 1 : 0);
      const funds = state === "refunded" ? "1060.00 + 0.00" : "1060.00 + 40.00";
      assert.equal(await fundsOf(service, order), funds);
      await settleAll(service);
      assert.equal((await refundRow(service, refundId)).state, "refunded");
      assert.equal(await fundsOf(service, order), "1060.00 + 0.00");
      const [entry, ...more] = await journal(service, order.id);
      assert.deepEqual(more, []);
      assert.deepEqual([entry?.outcome, entry?.call_count], ["refunded", 1]);
      await expectAllToAddUp(service);
    });

  test("a worker that is left alone ends it by itself, so the deaths above are the steps' own", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "40.00");
    assert.equal(await dieAt("nowhere", refundId), 0);
    assert.equal((await refundRow(service, refundId)).state, "refunded");
    await expectAllToAddUp(service);
  });
});

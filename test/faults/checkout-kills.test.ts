/**
 * kill -9 between a submitted card and the redirect, at every named step, also while the gateway
 * loses orders and answers: one charge, one posting, one result, the books balanced, and nothing
 * undecided a minute after somebody is there again (Decision 0040).
 */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { STEPS, type Step } from "../../src/modules/checkout/session/context.ts";
import { returnUrl } from "../../src/modules/checkout/session/end-sessions.ts";
import {
  auditOf,
  CARDS,
  eventsOf,
  expectAllToAddUp,
  journal,
  look,
  type Order,
  openOrder,
  payment,
  states,
  submit,
  sweep,
} from "../../testkit/checkout-sessions.ts";
import { deliverReceipts, mailReasons } from "../../testkit/receipts.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { ANSWER, runVictim, settle } from "./run-victim.ts";

/** What is done, and the steps of it at which the process dies. */
const TASKS: Readonly<Record<string, readonly Step[]>> = {
  pay: [
    "submit: card read",
    "submit: attempt kept",
    "sale: about to be sent",
    "sale: answered",
    ...ANSWER,
    "result: shown",
  ],
  "pay after waiting": ["submit: session held", "submit: attempt written", ...ANSWER],
  "lose the answer": ["sale: answer lost", "answer: attempt moved", "answer: kept"],
  "lose the order": ["sale: answer lost", "answer: attempt moved", "answer: kept"],
  "come back": [
    "challenge: back",
    "challenge: session held",
    "challenge: back written",
    "challenge: back kept",
    "challenge: completed",
    "end: session ended",
  ],
  sweep: ["ask: claimed", "ask: answered", "end: payment ended"],
};

const UNDOING: readonly Step[] = ["void: claimed", "void: done"];
const EXPIRY: readonly Step[] = ["end: session ended", "end: payment ended"];

const REPLACING: readonly Step[] = ["replace: older ended", "replace: newer opened"];

let service: TestService;

before(async () => {
  service = await startService();
});
after(() => service.stop());
afterEach(() => expectAllToAddUp(service));

const run = (task: string, order: Order, step: string) => runVictim(service, { task, order, step });

/** An order as it is before the task. */
async function prepare(task: string): Promise<Order> {
  const order = await openOrder(service);
  if (task === "sweep") {
    await submit(service, order, CARDS.unknownThenApproved);
    await service.clock.advance({ seconds: 6 });
  }
  if (task === "come back") {
    await submit(service, order, CARDS.asked);
    const { step } = await look(service, order);
    assert(step.kind === "challenge");
    const form = { result: "passed" };
    await service.request(`/sandbox/acs/${step.token}`, { method: "POST", form });
  }
  return order;
}

async function expectPaidOnce(order: Order): Promise<void> {
  assert.equal((await payment(service, order)).status, "success");
  const charged = (await journal(service, order)).filter(
    ({ outcome, is_void }) => outcome === "approved" && !is_void,
  );
  assert.equal(charged.length, 1);
  assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.success"]);
  const { count } = await service.ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from ledger_postings where reference = ${order.id}`);
  assert.equal(count, 1);
  const back = await returnUrl(service.ctx, await look(service, order));
  assert.match(back ?? "", /status=success/);
  // Decision 0098: whichever process was killed, the customer is owed one receipt.
  await deliverReceipts(service);
  assert.deepEqual(await mailReasons(service, order.id), [`receipt ${order.id}`]);
}

describe("kill -9 of a process at a checkout", () => {
  for (const [task, steps] of Object.entries(TASKS))
    for (const step of steps)
      test(`that would ${task}, at "${step}": the customer pays once`, async () => {
        const order = await prepare(task);
        assert.equal(await run(task, order, step), "SIGKILL");
        await settle(service, order);
        const { step: now } = await look(service, order);
        // Nothing was charged, or the bank still asks: the customer goes on where the page stands.
        if (now.kind === "card") await submit(service, order, CARDS.approved);
        if (now.kind === "challenge") await run("come back", order, "nowhere");
        await expectPaidOnce(order);
      });

  for (const step of UNDOING)
    test(`that would undo a late approval, at "${step}": it is undone once`, async () => {
      const order = await openOrder(service);
      await submit(service, order, CARDS.late);
      for (const seconds of [180, 30]) {
        await service.clock.advance({ seconds });
        await sweep(service);
      }
      await service.clock.advance({ minutes: 60 });
      assert.equal(await run("sweep", order, step), "SIGKILL");
      await settle(service, order);
      assert.deepEqual(await states(service, order), ["voided"]);
      assert.equal((await payment(service, order)).status, "error");
      assert.deepEqual(await auditOf(service, order), ["late_approval", "late_approval_voided"]);
      assert.equal((await eventsOf(service, order)).at(-1), "payment.late_approval_voided");
      assert.equal((await eventsOf(service, order)).length, 3);
    });

  for (const step of EXPIRY)
    test(`that would end what nobody paid, at "${step}": each ends once, all the same`, async () => {
      const orders = [await openOrder(service), await openOrder(service)] as const;
      await service.clock.advance({ seconds: 181 });
      assert.equal(await run("sweep", orders[0], step), "SIGKILL");
      for (const order of orders)
        assert.equal((await payment(service, order)).status, "incomplete");
      // Until the dead process's rows are let go.
      const isOver = async () => (await payment(service, orders[1])).status === "failed";
      for (let turn = 0; turn < 50 && !(await isOver()); turn++) await sweep(service);
      for (const order of orders)
        assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.failed"]);
    });

  for (const step of REPLACING)
    test(`that would replace an open payment, at "${step}": it stays and is paid`, async () => {
      const order = await openOrder(service);
      assert.equal(await run("replace", order, step), "SIGKILL");
      assert.deepEqual(await eventsOf(service, order), ["payment.created"]);
      assert.equal((await look(service, order)).step.kind, "card");
      await submit(service, order, CARDS.approved);
      await expectPaidOnce(order);
    });

  test("that is left alone replaces an open payment", async () => {
    const order = await openOrder(service);
    assert.equal(await run("replace", order, "nowhere"), 0);
    const { status, message } = await payment(service, order);
    assert.deepEqual([status, message], ["failed", "[3-R97]: Replaced by a newer request."]);
    assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.failed"]);
  });

  test("that is left alone pays by itself, so the deaths above are the steps' own", async () => {
    for (const task of Object.keys(TASKS)) {
      const order = await prepare(task);
      assert.equal(await run(task, order, "nowhere"), 0);
      await settle(service, order);
      if (task === "lose the order") await submit(service, order, CARDS.approved);
      await expectPaidOnce(order);
    }
  });

  test("dies at every step that there is, and at more than twenty", () => {
    const died = new Set([...Object.values(TASKS).flat(), ...UNDOING, ...EXPIRY, ...REPLACING]);
    assert.deepEqual(
      STEPS.filter((step) => !died.has(step)),
      [],
    );
    assert(died.size >= 20);
  });
});

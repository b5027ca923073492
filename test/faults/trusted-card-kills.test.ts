/**
 * kill -9 while a card is saved or charged: the bank's answer reaches the next process, the
 * card is there exactly when its amount was charged, and nothing of it is kept when it was not
 * (Decision 0043).
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sql } from "../../src/infra/db/query.ts";
import type { Step } from "../../src/modules/checkout/session/context.ts";
import { journal, type Order, payment, sweep } from "../../testkit/checkout-sessions.ts";
import { startService } from "../../testkit/service.ts";
import {
  askToCharge,
  askToSave,
  closeService,
  openShop,
  remove,
  savedOf,
  tidyUp,
  verifiedCard,
  verify,
} from "../../testkit/trusted-cards.ts";

const VICTIM = fileURLToPath(new URL("checkout-victim.ts", import.meta.url));

const service = await startService();
const { db } = service.ctx;
after(() => closeService(service));
const shop = await openShop(service);

async function die(order: Order, step: Step): Promise<void> {
  const args = [VICTIM, service.database.url, "pay", order.token, step];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const [, signal] = await once(child, "exit");
  assert.equal(signal, "SIGKILL");
}

/** Somebody is there again, and asks until the time is over. */
async function settle(): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    await sweep(service);
    await service.clock.advance({ seconds: 60 });
  }
  await sweep(service);
}

const approved = async (order: Order) =>
  (await journal(service, order)).filter(
    ({ outcome, is_void }) => outcome === "approved" && !is_void,
  ).length;

describe("a process that saves a card dies", () => {
  const STEPS: readonly [Step, count: number][] = [
    ["submit: attempt written", 0],
    ["submit: attempt kept", 0],
    ["sale: answered", 1],
    ["end: payment ended", 1],
    ["answer: kept", 1],
  ];
  for (const [step, count] of STEPS)
    test(`at "${step}": ${count === 0 ? "no card, and nothing of it" : "one card"}`, async () => {
      const order = await askToSave(service, shop);
      await die(order, step);
      await settle();
      assert.equal(await approved(order), count);
      const cards = await db.rows(sql`
        select 1 from trusted_cards where transaction_id = ${order.id}`);
      assert.equal(cards.length, count);
      const { is_kept, status } = await db.one<{ is_kept: boolean; status: string }>(sql`
        select card_box is not null as is_kept, status from card_checks
        where transaction_id = ${order.id}`);
      assert.deepEqual([is_kept, status], [false, count === 0 ? "failed" : "success"]);
      if (count === 0) return;
      const card = await savedOf(service, order);
      assert.equal((await verify(service, card, card.amount)).status, 200);
      for (let tries = 0; tries < 3; tries += 1) {
        await tidyUp(service);
        await service.clock.advance({ seconds: 30 });
      }
    });
});

describe("a process that charges a card dies", () => {
  const STEPS: readonly [Step, status: string][] = [
    ["submit: attempt kept", "failed"],
    ["sale: answered", "success"],
  ];
  for (const [step, status] of STEPS)
    test(`at "${step}": ${status}, and the card can be deleted only then`, async () => {
      const card = await verifiedCard(service, { shop });
      const order = await askToCharge(service, card);
      await die(order, step);
      assert.equal((await remove(service, card)).status, 409);
      await settle();
      assert.equal((await payment(service, order)).status, status);
      assert.equal(await approved(order), status === "success" ? 1 : 0);
      assert.equal((await remove(service, card)).status, 200);
      await tidyUp(service);
    });
});

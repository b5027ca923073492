/**
 * Which card a payment is of cannot be changed, and one that is another merchant's is never
 * charged, not even after a direct write to the database (Decision 0044).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { CARDS, journal, payment } from "../../../testkit/checkout-sessions.ts";
import { startService } from "../../../testkit/service.ts";
import {
  alarms,
  askToCharge,
  closeService,
  openShop,
  payWithCode,
  type SavedCard,
  verifiedCard,
} from "../../../testkit/trusted-cards.ts";

const service = await startService();
const { ctx } = service;
after(() => closeService(service));
const shop = await openShop(service);

describe("a charge that was moved to another merchant's card", () => {
  test("cannot be: which card is meant is never changed", async () => {
    const order = await askToCharge(service, await verifiedCard(service, { shop }));
    const other = await verifiedCard(service, { number: CARDS.mastercard });
    await assert.rejects(
      ctx.db.run(sql`
        update card_charges set card_uuid = ${other.uuid} where transaction_id = ${order.id}`),
      /card_charges/,
    );
    await assert.rejects(
      ctx.db.run(sql`delete from card_charges where transaction_id = ${order.id}`),
      /card_charges/,
    );
  });

  const OTHERS: Record<string, () => Promise<SavedCard>> = {
    "of another account": () => verifiedCard(service, { number: CARDS.mastercard }),
    "of the other environment": () => verifiedCard(service, { shop, environment: "live" }),
  };
  /** As somebody who may switch triggers off. */
  const move = (id: string, uuid: string) =>
    ctx.db.transaction(async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      await tx.run(sql`update card_charges set card_uuid = ${uuid} where transaction_id = ${id}`);
    });
  for (const [what, make] of Object.entries(OTHERS)) {
    test(`(${what}) charges nobody: it ends, with an alarm`, async () => {
      const order = await askToCharge(service, await verifiedCard(service, { shop }));
      await move(order.id, (await make()).uuid);
      const before = await alarms();
      await payWithCode(service, order);
      assert.deepEqual(await journal(service, order), []);
      const { status, message } = await payment(service, order);
      assert.deepEqual([status, message], ["failed", "[2-R93]: The saved card cannot be used."]);
      assert.equal((await alarms()) - before, 1);
    });

    test(`(${what}) in the last moment is not opened, with an alarm`, async () => {
      const order = await askToCharge(service, await verifiedCard(service, { shop }));
      const { uuid } = await make();
      const before = await alarms();
      const failpoint = async (point: string) => {
        if (point === "submit: attempt kept") await move(order.id, uuid);
      };
      await payWithCode({ ...service, ctx: { ...ctx, failpoint } }, order);
      assert.deepEqual(await journal(service, order), []);
      assert.equal((await payment(service, order)).status, "incomplete");
      assert.equal((await alarms()) - before, 1);
    });
  }
});

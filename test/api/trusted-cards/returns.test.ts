/**
 * The small amount goes back once, however the gateway answers: asked about until it is known,
 * an alarm when it is refused, and waiting where there is nobody to ask (Decision 0043).
 */

import assert from "node:assert/strict";
import { after, describe, mock, test } from "node:test";
import { register } from "prom-client";
import { sql } from "../../../src/infra/db/query.ts";
import type { Gateway, RefundAnswer } from "../../../src/modules/gateway/port.ts";
import { returnCheck } from "../../../src/modules/trusted-cards/return-check.ts";
import type { Order } from "../../../testkit/checkout-sessions.ts";
import { startService } from "../../../testkit/service.ts";
import { returnChecks } from "../../../testkit/sweeps.ts";
import {
  closeService,
  openShop,
  refundsOf,
  returnOf,
  type SavedCard,
  tidyUp,
  verifiedCard,
} from "../../../testkit/trusted-cards.ts";
import { until } from "../../../testkit/until.ts";

const service = await startService();
const { ctx } = service;
after(() => closeService(service));
const shop = await openShop(service);

/** The cents say nothing of such a return. Here they do, so that each trouble can be asked for. */
const real = ctx.gateways.sandbox;
assert(real !== undefined);
const byCents: Gateway = {
  ...real,
  refund: ({ isCardCheck: _, ...order }) => real.refund(order),
};
Object.assign(ctx.gateways, { sandbox: byCents });

const REJECTED = "windward_card_returns_rejected_total";
const DUE = "windward_card_returns_due";
const metric = async (name: string) => {
  const text = await register.getSingleMetricAsString(name);
  return Number(text.split(/\s/).filter(Boolean).at(-1));
};
/** How often it was claimed. */
const countOf = async ({ id }: Order) => {
  const row = await ctx.db.one<{ return_count: number }>(sql`
    select return_count from card_checks where transaction_id = ${id}`);
  return row.return_count;
};

const withGateway = (change: Partial<Gateway>) => ({
  ...ctx,
  gateways: { live: undefined, sandbox: { ...byCents, ...change } },
});

/** A worker has claimed it and gets no answer; the lease ends, and the next one is refused. */
async function rejectedMeanwhile(card: SavedCard) {
  const { promise, resolve: answer } = Promise.withResolvers<RefundAnswer>();
  const waiting = returnCheck(withGateway({ refund: () => promise }), card.id);
  await until(async () => (await countOf(card)) === 1, "it is claimed");
  await service.clock.advance({ minutes: 1 });
  await tidyUp(service);
  assert.equal(await returnOf(service, card), "rejected");
  return { answer, waiting };
}

test("an amount that chance has chosen goes back at once, whatever its cents", async () => {
  for (const cents of [94, 95, 96, 97, 98]) {
    const card = await verifiedCard(service, { shop, cents });
    await returnCheck(withGateway(real), card.id);
    assert.equal(await returnOf(service, card), "returned");
    assert.deepEqual(await refundsOf(service, card), [`refunded 0.${cents}`]);
  }
});

describe("a return", () => {
  /** What the simulator does with a refund of so many cents. */
  const TROUBLE: Record<string, number> = {
    "whose answer is lost": 97,
    "whose order is lost": 96,
    "of which the gateway itself does not know": 94,
  };
  for (const [what, cents] of Object.entries(TROUBLE))
    test(`${what} is asked about until it is done, once`, async () => {
      const card = await verifiedCard(service, { shop, cents });
      await tidyUp(service);
      assert.equal(await returnOf(service, card), "due");
      for (let count = 0; count < 4; count += 1) {
        await service.clock.advance({ minutes: 1 });
        await tidyUp(service);
      }
      assert.equal(await returnOf(service, card), "returned");
      assert.deepEqual(await refundsOf(service, card), [`refunded 0.${cents}`]);
    });

  test("that the gateway rejects stays owed in the books, with an alarm", async () => {
    const card = await verifiedCard(service, { shop, cents: 98 });
    const before = service.logged.length;
    await tidyUp(service);
    assert.equal(await returnOf(service, card), "rejected");
    const lines = service.logged.slice(before).join("\n");
    assert.match(lines, /a card's amount could not be returned/);
    const rows = await ctx.db.rows(sql`
      select 1 from audit_entries where action = 'card_return_rejected'
        and detail ->> 'transaction_id' = ${card.id}`);
    assert.equal(rows.length, 1);
  });

  test("that was rejected stays rejected, and what the gateway says later is an alarm", async () => {
    const card = await verifiedCard(service, { shop, cents: 98 });
    const { answer, waiting } = await rejectedMeanwhile(card);
    const [before, rejected] = [service.logged.length, await metric(REJECTED)];
    answer({ outcome: "refunded" });
    await waiting;
    assert.equal(await returnOf(service, card), "rejected");
    const lines = service.logged.slice(before).join("\n");
    assert.match(lines, /the gateway contradicts a card's return/);
    assert.equal(await metric(REJECTED), rejected);
  });

  test("that was rejected and is rejected again is told once", async () => {
    const card = await verifiedCard(service, { shop, cents: 98 });
    const { answer, waiting } = await rejectedMeanwhile(card);
    const [before, rejected] = [service.logged.length, await metric(REJECTED)];
    answer({ outcome: "rejected", reason: "again" });
    await waiting;
    assert.equal(await metric(REJECTED), rejected);
    assert.doesNotMatch(service.logged.slice(before).join("\n"), /card's (amount|return)/);
  });

  test("without a gateway waits for one: nothing is claimed, and the gauge tells of it", async () => {
    const card = await verifiedCard(service, { shop });
    const without = { ...ctx, gateways: { live: undefined, sandbox: undefined } };
    for (let count = 0; count < 3; count += 1) {
      await returnCheck(without, card.id);
      await returnChecks(without);
      await service.clock.advance({ minutes: 1 });
    }
    assert.equal(await countOf(card), 0);
    assert.equal(await metric(DUE), 1);
    await tidyUp(service);
    assert.equal(await returnOf(service, card), "returned");
    assert.equal(await metric(DUE), 0);
  });

  test("whose late answer cannot be written down is told, and asked about again", async () => {
    const card = await verifiedCard(service, { shop });
    const { promise, resolve: answer } = Promise.withResolvers<RefundAnswer>();
    const asked = Promise.withResolvers<void>();
    const slow = withGateway({
      refund() {
        asked.resolve();
        return promise;
      },
    });
    const db = { ...ctx.db };
    mock.timers.enable({ apis: ["setTimeout"] });
    const returning = returnCheck({ ...slow, db }, card.id);
    // By then the limit of its time is set; that it was claimed is written before that.
    await asked.promise;
    mock.timers.tick(20_000);
    mock.timers.reset();
    await returning;
    db.transaction = () => Promise.reject(new Error("the database is away"));
    answer({ outcome: "refunded" });
    const isTold = () => service.logged.some((line) => line.includes("a late answer about a card"));
    await until(async () => isTold(), "it is told");
    assert.equal(await returnOf(service, card), "due");
    await service.clock.advance({ minutes: 1 });
    await tidyUp(service);
    assert.equal(await returnOf(service, card), "returned");
  });

  test("that waits for its next try is counted as due", async () => {
    const card = await verifiedCard(service, { shop, cents: 97 });
    await tidyUp(service);
    assert.equal(await returnOf(service, card), "due");
    await tidyUp(service);
    assert.equal(await metric(DUE), 1);
    await service.clock.advance({ minutes: 5 });
    await tidyUp(service);
    assert.equal(await metric(DUE), 0);
  });
});

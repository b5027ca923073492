/**
 * The guarantee: the call that charges is made for the token that the sale asked with, and once,
 * whatever the page around it lets through.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { untilWaiting } from "../../../testkit/lock-waits.ts";
import { newSale, outcomeOf, prepare, startLive } from "./support.ts";

const live = await startLive();
const { gateway, fake, service } = live;
after(() => live.close());

async function chargesSent(reference: string): Promise<number> {
  const calls = await fake.control.calls("spi/payment");
  return calls.filter(({ transactionIdentifier }) => transactionIdentifier === reference).length;
}

test("a token that was made up completes nothing, and the right one still does", async () => {
  const [sale, other] = [newSale(), newSale()];
  const { token, posted } = await prepare(live, sale);
  const foreign = await prepare(live, other);
  for (const wrong of ["made-up", "", foreign.token])
    await assert.rejects(gateway.completeChallenge(sale.reference, wrong, posted), /no such/);
  assert.equal((await fake.control.transaction(sale.reference)).chargeCount, 0);
  const decided = await gateway.completeChallenge(sale.reference, token, posted);
  assert.equal(decided.outcome, "approved");
  assert.equal((await fake.control.transaction(sale.reference)).chargeCount, 1);
});

test("two that read the sale before either completes it send one call that charges", async () => {
  const sale = newSale();
  const { token, posted } = await prepare(live, sale);
  const complete = () => gateway.completeChallenge(sale.reference, token, posted);
  const ends = await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`
      select from powertranz_sales where reference = ${sale.reference} for update`);
    const both = Promise.allSettled([complete(), complete()]);
    await untilWaiting(service.ctx.db, 2);
    return { both };
  });
  const decided = (await ends.both).flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  assert.deepEqual(
    decided.map(({ outcome }) => outcome),
    ["approved"],
  );
  assert.equal(await chargesSent(sale.reference), 1);
  assert.equal(await outcomeOf(live, sale), "approved");
});

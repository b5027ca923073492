/** Sessions that cannot be ended hold up no other, and are ended once they can be. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  createCheckoutBatches,
  EXPIRED_MAX,
} from "../../../src/modules/checkout/session/checkout-batches.ts";
import { createCheckoutSweep } from "../../../src/modules/checkout/session/sweep.ts";
import {
  expectAllToAddUp,
  type Order,
  openOrder,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";
import { until } from "../../../testkit/until.ts";

const TIMED_OUT = "failed, [3-R98]: Transaction timed out.";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** The same service, in which payments of these ids cannot get a result. */
function withStuck(ids: ReadonlySet<string>) {
  const { purposes } = service.ctx;
  const { payment } = purposes;
  const end: typeof payment.end = async (ctx, tx, ends) => {
    if (ends.some(({ session }) => ids.has(session.transaction_id))) throw new Error("no result");
    return payment.end(ctx, tx, ends);
  };
  const ctx = { ...service.ctx, purposes: { ...purposes, payment: { ...payment, end } } };
  return { ...ctx, batches: createCheckoutBatches(ctx) };
}

test("as many as are ended at once cannot be, and a later one is all the same", async (t) => {
  const shop = await openShop(service);
  const first: Order[] = [];
  while (first.length < EXPIRED_MAX) first.push(await openOrder(service, { shop }));
  await service.clock.advance({ seconds: 1 });
  const later = await openOrder(service, { shop });
  await service.clock.advance({ seconds: 200 });

  const ids = new Set(first.map(({ id }) => id));
  const sweep = createCheckoutSweep(withStuck(ids));
  t.after(() => sweep.stop());
  sweep.start();
  await until(async () => (await told(service, later)) === TIMED_OUT, "the later one ended");
  for (const order of first.slice(0, 3))
    assert.equal(await told(service, order), "incomplete, null");

  ids.clear();
  await until(async () => {
    const { length } = await service.ctx.db.rows(sql`
      select from transactions
      where account_number = ${shop.accountNumber} and status || ', ' || message = ${TIMED_OUT}`);
    return length === EXPIRED_MAX + 1;
  }, "the first ones ended");
  await expectAllToAddUp(service);
});

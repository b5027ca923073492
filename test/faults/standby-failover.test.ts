/**
 * Reads from a standby after a failover (Decision 0125). The old primary and one standby are cut
 * off from the other standby, which is promoted: on its new timeline positions mean something else,
 * so a standby of the old one is further and lacks what was told.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clean } from "../../testkit/database-owners.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import {
  readOutcomes,
  type Standby,
  serviceOn,
  startPair,
  startStandby,
  untilCounted,
} from "../../testkit/standby.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../testkit/transactions.ts";

let pair: Awaited<ReturnType<typeof startPair>>;
let promoted: Standby;
let shop: Shop;
before(async () => {
  pair = await startPair();
  promoted = await startStandby(pair.primary);
  const service = await startService(pair.options);
  shop = await openShop(service);
  await pay(service, newPayment(shop), APPROVED);
  await service.stop();
  await promoted.catchUp();
});
after(async () => {
  await promoted.stop();
  await pair.standby.stop();
  await clean();
});

async function newest(from: TestService): Promise<string> {
  const { status, body, text } = await from.request("/transactions/", shop);
  assert.equal(status, 200, text);
  return body.data[0].order_id;
}

test("a standby that is promoted while it is read from is not read from any more", async () => {
  const service = await startService(serviceOn(pair.primary, promoted.url));
  try {
    await untilCounted("served", () => newest(service));
    await promoted.promote();
    await untilCounted("unrelated", async () => {
      const { order_id: orderId } = await pay(service, newPayment(shop), APPROVED);
      assert.equal(await newest(service), orderId);
    });
  } finally {
    await service.stop();
  }
});

test("a standby of the former timeline is not read from, however far it is", async () => {
  const filler = "create table filler as select repeat('x', 1000) from generate_series(1, 5000)";
  await pair.primary.query(filler);
  await pair.standby.catchUp();
  const service = await startService(serviceOn(promoted, pair.standby.url));
  try {
    const { served = 0 } = await readOutcomes();
    await untilCounted("unrelated", async () => {
      const { order_id: orderId } = await pay(service, newPayment(shop), APPROVED);
      assert.equal(await newest(service), orderId);
    });
    assert.equal((await readOutcomes()).served, served);
  } finally {
    await service.stop();
  }
});

test("a standby that followed to the new timeline is read from, once its disk says so", async () => {
  const follower = await startStandby(promoted);
  const service = await startService(serviceOn(promoted, follower.url));
  try {
    await promoted.query("checkpoint");
    await follower.catchUp();
    await follower.query("checkpoint");
    await untilCounted("served", async () => {
      const { order_id: orderId } = await pay(service, newPayment(shop), APPROVED);
      assert.equal(await newest(service), orderId);
    });
  } finally {
    await service.stop();
    await follower.stop();
  }
});

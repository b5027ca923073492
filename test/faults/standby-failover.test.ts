/**
 * Reads from a standby after a failover (Decision 0125). One of two standbys is promoted while the
 * old primary goes on: a standby that is further may have gone another way, and lack what was told.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clean } from "../../testkit/database-owners.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import {
  readOutcomes,
  type Server,
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

/** All is read from the primary, though the standby has come further than that. */
async function expectUnrelated(primary: Server, standby: Standby): Promise<void> {
  const service = await startService(serviceOn(primary, standby.url));
  try {
    const { served = 0 } = await readOutcomes();
    await untilCounted("unrelated", async () => {
      const { order_id: orderId } = await pay(service, newPayment(shop), APPROVED);
      assert.equal(await newest(service), orderId);
    });
    assert.equal((await readOutcomes()).served, served);
    const [{ lsn } = {}] = await primary.query("select pg_current_wal_flush_lsn() as lsn");
    const look = `select pg_last_wal_replay_lsn() > '${lsn}' as is_further`;
    assert.equal((await standby.query(look))[0]?.is_further, true);
  } finally {
    await service.stop();
  }
}

async function writeMuch(on: Server, name: string): Promise<void> {
  await on.query(`create table ${name} as select repeat('x', 900) from generate_series(1, 9000)`);
}

test("a standby of the former primary is not read from, however far it is", async () => {
  await writeMuch(pair.primary, "much");
  await pair.standby.catchUp();
  await expectUnrelated(promoted, pair.standby);
});

test("a standby that follows to the new primary is read from", async () => {
  const follower = await startStandby(promoted);
  const service = await startService(serviceOn(promoted, follower.url));
  try {
    await untilCounted("served", async () => {
      const { order_id: orderId } = await pay(service, newPayment(shop), APPROVED);
      assert.equal(await newest(service), orderId);
    });
  } finally {
    await service.stop();
    await follower.stop();
  }
});

test("two timelines of one number are not taken for each other", async () => {
  const { standby: second } = pair;
  const follower = await startStandby(second);
  try {
    await second.promote();
    await writeMuch(second, "more");
    await follower.catchUp();
    const name = "select left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline";
    assert.deepEqual(await second.query(name), await promoted.query(name));
    await expectUnrelated(promoted, follower);
  } finally {
    await follower.stop();
  }
});

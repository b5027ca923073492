/**
 * An endpoint whose row is locked delays no other and loses nothing itself, and endpoints are
 * locked before their deliveries, so that there is no deadlock.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { beginAttempts } from "../../src/modules/webhooks/begin-attempts.ts";
import {
  claimEndpoints,
  releaseEndpoints,
  renewClaims,
} from "../../src/modules/webhooks/claim-endpoint.ts";
import { makeOwed } from "../../src/modules/webhooks/fan-out.ts";
import { stopEndpoint } from "../../src/modules/webhooks/stop-endpoint.ts";
import { untilWaiting } from "../../testkit/lock-waits.ts";
import { until } from "../../testkit/until.ts";
import { newEvent, recordAll, setScene, type TestEndpoint } from "../../testkit/webhooks.ts";

const scene = await setScene();
const { service } = scene;
const { db } = service.ctx;

/** Locks the endpoint's row as a change does, while the work runs. */
async function whileLocked<T>({ endpointId }: TestEndpoint, work: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.run(sql`select from webhook_endpoints where endpoint_id = ${endpointId} for update`);
    return work();
  });
}

async function statesOf({ endpointId }: TestEndpoint): Promise<string[]> {
  const rows = await db.rows<{ state: string }>(sql`
    select state from webhook_deliveries where endpoint_id = ${endpointId}`);
  return rows.map(({ state }) => state);
}

/** To wait for the lock is an error after 2 s, so this is for a busy machine. */
const PATIENCE_MS = 4000;

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const beganAt = performance.now();
  const result = await work;
  const took = performance.now() - beganAt;
  assert(took < ms, `it took ${took} ms`);
  return result;
}

describe("an endpoint that is locked", () => {
  test("keeps no other from being claimed, renewed, begun or released", async () => {
    const locked = await scene.endpoint();
    const free = await scene.endpoint();
    for (const one of [locked, free]) await scene.tell(one);
    const ids = [locked.endpointId, free.endpointId];
    const views = await whileLocked(locked, () => within(PATIENCE_MS, claimEndpoints(db, ids)));
    assert.deepEqual(
      views.map((one) => one?.claim.endpointId),
      [undefined, free.endpointId],
    );
    const [first] = await claimEndpoints(db, ids);
    const claims = [first, views[1]].flatMap((view) => (view === undefined ? [] : [view]));
    assert.equal(claims.length, 2);
    const wanted = claims.flatMap(({ claim, due: [next] }) =>
      next === undefined ? [] : [{ claim, deliveryId: next.deliveryId }],
    );
    await whileLocked(locked, async () => {
      const renewing = claims.map(({ claim }) => claim);
      await within(PATIENCE_MS, renewClaims(db, renewing));
      const begun = await within(PATIENCE_MS, beginAttempts(service.ctx, wanted));
      assert.deepEqual(
        begun.map((one) => (one instanceof Error ? one : one?.endpoint_id)),
        [undefined, free.endpointId],
      );
      const releases = claims.map(({ claim, wakeCount }) => ({
        ...claim,
        wakeCount,
        restSeconds: -1,
      }));
      const released = await within(PATIENCE_MS, releaseEndpoints(db, releases));
      assert.deepEqual(released, [false, true]);
    });
  });

  test("does not delay the numbering and sending of other events; its own follow, in order", async () => {
    const locked = await scene.endpoint();
    const free = await scene.endpoint();
    const resource = "one payment";
    const [first = ""] = await whileLocked(locked, async () => {
      const ids = await recordAll(service.ctx, [
        newEvent(locked, { resource }),
        newEvent(free, {}),
      ]);
      await within(1_800, service.numberEvents());
      return ids;
    });
    assert.deepEqual([await statesOf(locked), await statesOf(free)], [[], ["waiting"]]);
    const { numbered } = await db.one<{ numbered: boolean }>(sql`
      select sequence is not null as numbered from events where event_id = ${first}`);
    assert(numbered);
    // The next turn makes what is owed before its own.
    const [second = ""] = await scene.tell(locked, [{ resource }]);
    await scene.deliver(locked);
    assert.deepEqual(
      locked.receiver.received.map(({ id }) => id),
      [first, second],
    );
  });

  test("gets what it is owed a moment later, once, and nothing after a delete", async () => {
    const kept = await scene.endpoint();
    const deleted = await scene.endpoint();
    for (const one of [kept, deleted])
      await whileLocked(one, async () => {
        await recordAll(service.ctx, [newEvent(one, {})]);
        await service.numberEvents();
      });
    await db.transaction((tx) => stopEndpoint(tx, deleted.endpointId, { status: "deleted" }));
    await whileLocked(kept, () => within(PATIENCE_MS, makeOwed(db)));
    assert.deepEqual(await statesOf(kept), []);
    await Promise.all([makeOwed(db), makeOwed(db)]);
    await makeOwed(db);
    assert.deepEqual([await statesOf(kept), await statesOf(deleted)], [["waiting"], []]);
    await scene.deliver(kept);
    assert.equal(kept.receiver.begunCount(), 1);
    const owed = await db.rows(sql`select from webhook_deliveries_to_make`);
    assert.equal(owed.length, 0);
  });

  test("is passed by, and found by the next look", async () => {
    const shop = await scene.endpoint();
    const [eventId = ""] = await scene.tell(shop);
    const { messenger } = service.ctx;
    await whileLocked(shop, () => within(PATIENCE_MS, messenger.claim()));
    assert.equal((await scene.delivery(shop, eventId)).attempt_count, 0);
    await messenger.claim();
    await until(
      async () => (await scene.delivery(shop, eventId)).state === "delivered",
      "it is sent",
    );
  });
});

test("a claim that reaches further than any lease, because the clock was set back, counts as none", async () => {
  const shop = await scene.endpoint();
  await scene.tell(shop);
  const [dead] = await claimEndpoints(db, [shop.endpointId]);
  assert(dead !== undefined);
  await service.clock.advance({ hours: -1 });
  try {
    const [eventId = ""] = await scene.tell(shop);
    await scene.deliver(shop);
    assert.deepEqual([...shop.receiver.ids], [eventId]);
  } finally {
    await service.clock.advance({ hours: 1 });
  }
});

describe("the endpoint comes before its deliveries", () => {
  test("a resend waits for the endpoint without holding its delivery", async () => {
    const { accountNumber, signIn } = await service.world.merchant();
    const { access_token: token } = await signIn();
    const shop = await scene.endpoint({ of: { accountNumber, environment: "live" } });
    const [eventId = ""] = await scene.tell(shop);
    const { delivery_id } = await scene.delivery(shop, eventId);
    const path = `/webhooks/${shop.endpointId}/deliveries/${delivery_id}/resend`;
    let resending: ReturnType<typeof service.request> | undefined;
    await db.transaction(async (tx) => {
      // As the end of an attempt does when the endpoint's health changes.
      await tx.run(sql`
        select from webhook_endpoints where endpoint_id = ${shop.endpointId} for no key update`);
      resending = service.request(path, { method: "POST", token });
      await untilWaiting(db);
      await tx.run(sql`
        select from webhook_deliveries where delivery_id = ${delivery_id} for update nowait`);
    });
    assert.equal((await resending)?.status, 202);
  });

  test("replays of one endpoint go one after the other", async () => {
    const { accountNumber, signIn } = await service.world.merchant();
    const { access_token: token } = await signIn();
    const shop = await scene.endpoint({ of: { accountNumber, environment: "live" } });
    const [eventId = ""] = await scene.tell(shop);
    const { delivery_id } = await scene.delivery(shop, eventId);
    const json = { since: "2020-01-01T00:00:00Z" };
    let replaying: ReturnType<typeof service.request> | undefined;
    await db.transaction(async (tx) => {
      await tx.run(sql`
        select from webhook_endpoints where endpoint_id = ${shop.endpointId} for no key update`);
      replaying = service.request(`/webhooks/${shop.endpointId}/replay`, {
        method: "POST",
        token,
        json,
      });
      await untilWaiting(db);
      await tx.run(sql`
        select from webhook_deliveries where delivery_id = ${delivery_id} for update nowait`);
    });
    assert.equal((await replaying)?.status, 202);
  });
});

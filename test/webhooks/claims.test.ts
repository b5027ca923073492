/**
 * One process at a time sends to an endpoint, whatever dies, sleeps or comes twice: nothing is
 * lost, what arrives twice has the same id, and after a delete was answered nothing begins.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/infra/db/query.ts";
import { beginAttempts } from "../../src/modules/webhooks/begin-attempts.ts";
import {
  claimEndpoints,
  releaseEndpoints,
  renewClaims,
  viewClaims,
} from "../../src/modules/webhooks/claim-endpoint.ts";
import { endAttempts } from "../../src/modules/webhooks/end-attempts.ts";
import { createMessenger } from "../../src/modules/webhooks/messenger.ts";
import { stopEndpoint } from "../../src/modules/webhooks/stop-endpoint.ts";
import { wakeEndpoint } from "../../src/modules/webhooks/wake-endpoint.ts";
import { until } from "../../testkit/until.ts";
import { setScene, type TestEndpoint } from "../../testkit/webhooks.ts";

describe("a claim", async () => {
  const scene = await setScene();
  const {
    ctx,
    ctx: { db, messenger },
  } = scene.service;
  const { clock } = scene.service;
  const rested = { restSeconds: -1 };

  async function claim({ endpointId }: TestEndpoint) {
    return (await claimEndpoints(db, [endpointId]))[0];
  }
  async function begin(by: NonNullable<Awaited<ReturnType<typeof claim>>>, deliveryId: string) {
    const [begun] = await beginAttempts(ctx, [{ claim: by.claim, deliveryId }]);
    assert(!(begun instanceof Error));
    return begun;
  }

  test("is given to one of 32 concurrent requests", async () => {
    const shop = await scene.endpoint();
    await scene.tell(shop);
    const claims = await Promise.all(Array.from({ length: 32 }, () => claim(shop)));
    assert.equal(claims.filter((one) => one !== undefined).length, 1);
  });

  test("is not given when nothing is due, before it is due, or of an endpoint that is not active", async () => {
    const shop = await scene.endpoint();
    assert.equal(await claim(shop), undefined);
    await scene.tell(shop);
    await db.run(sql`
      update webhook_endpoints set next_due_at = app_now() + interval '1 minute'
      where endpoint_id = ${shop.endpointId}`);
    assert.equal(await claim(shop), undefined);
    await clock.advance({ minutes: 2 });
    await db.transaction((tx) => stopEndpoint(tx, shop.endpointId, { status: "deleted" }));
    assert.equal(await claim(shop), undefined);
  });

  test("of a process that died takes nothing from the schedule: the failure after nine is the first", async () => {
    const shop = await scene.endpoint({ behaviour: 500 });
    const [eventId = ""] = await scene.tell(shop);
    const { delivery_id: deliveryId } = await scene.delivery(shop, eventId);
    for (let death = 0; death < 9; death++) {
      const dying = await claim(shop);
      assert(dying !== undefined);
      assert.equal((await begin(dying, deliveryId))?.attempt, death + 1);
      await clock.advance({ seconds: 11 });
    }
    await scene.deliver(shop);
    const after = await scene.delivery(shop, eventId);
    const { state, attempt_count, round_attempt_count } = after;
    assert.deepEqual([state, attempt_count, round_attempt_count], ["waiting", 10, 1]);
  });

  test("that ran out goes to another, and its number fences off the first", async () => {
    const shop = await scene.endpoint();
    const [eventId = ""] = await scene.tell(shop, [{}, {}]);
    const first = await claim(shop);
    assert(first !== undefined);
    await clock.advance({ seconds: 9 });
    assert.equal(await claim(shop), undefined, "its lease runs");
    await renewClaims(db, [first.claim]);
    await clock.advance({ seconds: 9 });
    assert.equal(await claim(shop), undefined, "it was renewed");
    await clock.advance({ seconds: 2 });
    const second = await claim(shop);
    assert(second !== undefined && second.claim.claimCount > first.claim.claimCount);
    const { delivery_id: deliveryId } = await scene.delivery(shop, eventId);
    assert.equal(await begin(first, deliveryId), undefined);
    assert.deepEqual(await viewClaims(db, [first.claim]), [undefined]);
    await renewClaims(db, [first.claim]);
    assert.deepEqual(await releaseEndpoints(db, [{ ...first.claim, ...rested, wakeCount: 1n }]), [
      false,
    ]);
    assert.equal((await scene.delivery(shop, eventId)).attempt_count, 0);
    assert.equal((await begin(second, deliveryId))?.attempt, 1);
  });

  test("is kept when the endpoint was woken since the last look, and no wake-up is lost", async () => {
    const shop = await scene.endpoint();
    const [eventId = ""] = await scene.tell(shop);
    const held = await claim(shop);
    assert(held !== undefined);
    const { delivery_id: deliveryId } = await scene.delivery(shop, eventId);
    const begun = await begin(held, deliveryId);
    assert(begun !== undefined);
    const verdict = { state: "delivered" } as const;
    await endAttempts(db, [{ ...begun, verdict, durationMs: 1 }]);
    // Committed after the holder looked; its tx was open while the holder let go.
    let commit = () => {};
    const open = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let isOpen = false;
    const waking = db.transaction(async (tx) => {
      await tx.run(sql`
        update webhook_deliveries
        set state = 'waiting', due_at = app_now(), ended_at = null, round_attempt_count = 0
        where delivery_id = ${deliveryId}`);
      await wakeEndpoint(tx, shop.endpointId);
      isOpen = true;
      await open;
    });
    await until(() => isOpen, "the waking tx is open");
    const release = { ...held.claim, ...rested, wakeCount: held.wakeCount };
    assert.deepEqual(await releaseEndpoints(db, [release]), [false]);
    commit();
    await waking;
    const [view] = await viewClaims(db, [held.claim]);
    assert.deepEqual(
      view?.due.map((one) => one.deliveryId),
      [deliveryId],
    );
  });

  test("of a process that died is given to another after its lease, and its attempts begin anew", async () => {
    const shop = await scene.endpoint();
    const [eventId = ""] = await scene.tell(shop);
    const dead = await claim(shop);
    assert(dead !== undefined);
    const { delivery_id: deliveryId } = await scene.delivery(shop, eventId);
    await beginAttempts(ctx, [{ claim: dead.claim, deliveryId }]);
    await messenger.claim();
    assert.equal(shop.receiver.begunCount(), 0, "the lease holds");
    await clock.advance({ seconds: 11 });
    await messenger.claim();
    await until(
      async () => (await scene.delivery(shop, eventId)).state === "delivered",
      "another one sends it",
    );
    assert.deepEqual(
      shop.receiver.received.map(({ id }) => id),
      [eventId],
    );
    const { state, attempt_count } = await scene.delivery(shop, eventId);
    assert.deepEqual({ state, attempt_count }, { state: "delivered", attempt_count: 2 });
    const [first, second] = await scene.attempts(shop);
    assert.deepEqual([first?.duration_ms === null, second?.response_status], [true, 204]);
  });

  test("late ends count for success only: a late failure says nothing about the next attempt", async () => {
    const shop = await scene.endpoint();
    const [eventId = ""] = await scene.tell(shop);
    const { delivery_id: deliveryId } = await scene.delivery(shop, eventId);
    const beginAndSleep = async () => {
      const held = await claim(shop);
      assert(held !== undefined);
      const begun = await begin(held, deliveryId);
      assert(begun !== undefined);
      await clock.advance({ seconds: 11 });
      return begun;
    };
    const sleeper = await beginAndSleep();
    const successor = await beginAndSleep();
    await endAttempts(db, [{ ...sleeper, verdict: { state: "failed" }, durationMs: 1 }]);
    assert.equal((await scene.delivery(shop, eventId)).state, "waiting");
    await endAttempts(db, [{ ...sleeper, verdict: { state: "delivered" }, durationMs: 1 }]);
    assert.equal((await scene.delivery(shop, eventId)).state, "delivered");
    const verdict = { state: "waiting", afterSeconds: 5 } as const;
    await endAttempts(db, [{ ...successor, verdict, durationMs: 1 }]);
    assert.equal((await scene.delivery(shop, eventId)).state, "delivered");
  });

  test("two processes, one asleep past its lease: all arrives, twice only under the same id", async () => {
    const shop = await scene.endpoint({
      behaviour: (_request, response) => void setTimeout(() => response.writeHead(204).end(), 150),
    });
    const other = createMessenger(ctx);
    const ids = await scene.tell(
      shop,
      Array.from({ length: 40 }, () => ({})),
    );
    const sleeping = scene.deliver(shop);
    await until(() => shop.receiver.received.length > 3, "the first one is at it");
    // What the others see of a process that sleeps: nobody renews its lease.
    await clock.advance({ seconds: 20 });
    await other.deliver(shop.endpointId);
    await sleeping;
    await scene.deliver(shop);
    await other.stop();
    const arrived = shop.receiver.received.map(({ id }) => id);
    assert.deepEqual(new Set(arrived), new Set(ids));
    assert(arrived.length <= ids.length + 5, `${arrived.length} attempts for ${ids.length} events`);
    for (const id of ids) assert.equal((await scene.delivery(shop, id)).state, "delivered");
  });
});

describe("deleting and disabling", async () => {
  const scene = await setScene();
  const { db } = scene.service.ctx;

  for (const stop of [{ status: "deleted" }, { status: "disabled", because: "asked" }] as const)
    test(`once ${stop.status} is answered no attempt begins, in the middle of sending`, async () => {
      const shop = await scene.endpoint();
      const ids = await scene.tell(
        shop,
        Array.from({ length: 200 }, () => ({})),
      );
      const sending = scene.deliver(shop);
      await until(() => shop.receiver.begunCount() > 10, "it is being sent to");
      await db.transaction((tx) => stopEndpoint(tx, shop.endpointId, stop));
      const { begun } = await db.one<{ begun: number }>(sql`
        select coalesce(sum(attempt_count), 0)::int as begun from webhook_deliveries
        where endpoint_id = ${shop.endpointId}`);
      await sending;
      await sleep(100);
      await scene.deliver(shop);
      await scene.service.ctx.messenger.claim();
      const attempts = await scene.attempts(shop);
      assert.equal(attempts.length, begun);
      assert.equal(shop.receiver.begunCount(), begun);
      assert(begun < ids.length);
      const states = await Promise.all(ids.map((id) => scene.delivery(shop, id)));
      assert.deepEqual(
        new Set(states.map(({ state }) => state)),
        new Set(["delivered", "cancelled"]),
      );
    });

  test("an attempt that wants to begin while a stop is under way does not, then or later", async () => {
    const shop = await scene.endpoint();
    // More than a stop cancels at once, so that the last of them is kept back by the lock alone.
    const ids = await scene.tell(
      shop,
      Array.from({ length: 1_200 }, () => ({})),
    );
    const eventId = ids.at(-1) ?? "";
    const held = await claimEndpoints(db, [shop.endpointId]);
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let isStopped = false;
    const stopping = db.transaction(async (tx) => {
      await stopEndpoint(tx, shop.endpointId, { status: "disabled", because: "asked" });
      isStopped = true;
      await finished;
    });
    await until(() => isStopped, "the stop is under way");
    const { delivery_id: deliveryId } = await scene.delivery(shop, eventId);
    const claim = held[0]?.claim ?? { endpointId: shop.endpointId, claimCount: 0n };
    const begun = await beginAttempts(scene.service.ctx, [{ claim, deliveryId }]);
    assert.deepEqual(begun, [undefined]);
    finish();
    await stopping;
    assert.deepEqual(await scene.attempts(shop), []);
  });
});

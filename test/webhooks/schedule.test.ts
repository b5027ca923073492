/**
 * When a delivery is tried again, when it is given up, and what becomes of an endpoint that keeps
 * failing. The clock is moved instead of waited for.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { judgeEndpoint } from "../../src/modules/webhooks/failing.ts";
import { WAITS_SECONDS } from "../../src/modules/webhooks/retry-schedule.ts";
import { type Scene, setScene, type TestEndpoint } from "../../testkit/webhooks.ts";

const HOUR = 3_600;

describe("retries", async () => {
  const scene = await setScene();
  const { clock } = scene.service;
  const { db } = scene.service.ctx;

  /** Seconds from now, by the service's clock; null when it does not wait. */
  async function dueIn(shop: TestEndpoint): Promise<number | null> {
    const found = await db.one<{ seconds: number | null }>(sql`
      select extract(epoch from min(due_at) - app_now())::float8 as seconds
      from webhook_deliveries where endpoint_id = ${shop.endpointId}`);
    return found.seconds;
  }

  test("follow the schedule, each within a fifth, ten attempts in all, then it is failed", async () => {
    const shop = await scene.endpoint({ behaviour: 500 });
    const [eventId = ""] = await scene.tell(shop);
    for (const [index] of WAITS_SECONDS.entries()) {
      await scene.deliver(shop);
      assert.equal(shop.receiver.received.length, index + 1);
      const wait = WAITS_SECONDS[index + 1];
      const seconds = await dueIn(shop);
      if (wait === undefined) break;
      assert(seconds !== null && seconds > 0.8 * wait - 2 && seconds < 1.2 * wait + 2);
      // Not a moment before it is due.
      await clock.advance({ seconds: 0.8 * wait - 3 });
      await scene.deliver(shop);
      assert.equal(shop.receiver.received.length, index + 1);
      await clock.advance({ seconds: 0.4 * wait + 6 });
    }
    const { state, attempt_count } = await scene.delivery(shop, eventId);
    assert.deepEqual({ state, attempt_count }, { state: "failed", attempt_count: 10 });
    await clock.advance({ hours: 48 });
    await scene.deliver(shop);
    assert.equal(shop.receiver.received.length, 10);
    assert.equal(new Set(shop.receiver.received.map(({ id }) => id)).size, 1);
  });

  const failures: [why: string, behaviour: Parameters<Scene["endpoint"]>[0], told: RegExp][] = [
    ["a 404", { behaviour: 404 }, /^404$/],
    ["a redirect, which is not followed", { behaviour: "redirects" }, /^302$/],
    ["a 304", { behaviour: 304 }, /^304$/],
    ["a reset", { behaviour: "resets" }, /^connection_lost: /],
  ];
  for (const [why, options, told] of failures)
    test(`come after ${why}, and the reason is kept`, async () => {
      const shop = await scene.endpoint(options);
      const [eventId = ""] = await scene.tell(shop);
      await scene.deliver(shop);
      assert.equal((await scene.delivery(shop, eventId)).state, "waiting");
      const [attempt] = await scene.attempts(shop);
      assert.match(String(attempt?.response_status ?? attempt?.failure), told);
      assert.notEqual(attempt?.duration_ms, null);
      assert.equal(shop.receiver.begunCount(), 1);
    });

  for (const status of [200, 202, 204, 299])
    test(`do not come after ${status}`, async () => {
      const shop = await scene.endpoint({ behaviour: status });
      const [eventId = ""] = await scene.tell(shop);
      await scene.deliver(shop);
      const { state, due_at } = await scene.delivery(shop, eventId);
      assert.deepEqual({ state, due_at }, { state: "delivered", due_at: null });
    });

  const retryAfters: [value: string, status: number, from: number, to: number][] = [
    ["5", 429, 3.5, 6],
    ["3600", 503, 3_590, 3_600],
    ["1000000000", 503, 24 * HOUR - 10, 24 * HOUR],
    ["soon", 429, 3.5, 6],
    ["3600", 500, 3.5, 6],
  ];
  for (const [value, status, from, to] of retryAfters)
    test(`wait ${from} to ${to} s after ${status} with Retry-After: ${value}`, async () => {
      const shop = await scene.endpoint({
        behaviour: (_request, response) =>
          void response.writeHead(status, { "retry-after": value }).end(),
      });
      await scene.tell(shop);
      await scene.deliver(shop);
      const seconds = await dueIn(shop);
      assert(seconds !== null && seconds >= from && seconds <= to, `${seconds}`);
    });

  test("wait until the date in Retry-After", async () => {
    const { now } = await db.one<{ now: Date }>(sql`select app_now() as now`);
    const date = new Date(now.getTime() + 2 * HOUR * 1_000).toUTCString();
    const shop = await scene.endpoint({
      behaviour: (_request, response) =>
        void response.writeHead(503, { "retry-after": date }).end(),
    });
    await scene.tell(shop);
    await scene.deliver(shop);
    const seconds = (await dueIn(shop)) ?? 0;
    assert(Math.abs(seconds - 2 * HOUR) < 10, `${seconds}`);
  });
});

describe("an endpoint that keeps failing", async () => {
  const scene = await setScene();
  const { clock } = scene.service;
  const { db } = scene.service.ctx;

  interface State {
    readonly status: string;
    readonly disabled_because: string | null;
    readonly next_due_at: Date | null;
  }
  const stateOf = ({ endpointId }: TestEndpoint) =>
    db.one<State>(sql`
      select status, disabled_because, next_due_at from webhook_endpoints
      where endpoint_id = ${endpointId}`);
  const noticesOf = async ({ accountNumber }: TestEndpoint) => {
    const rows = await db.rows<{ event: string }>(sql`
      select event from events
      where account_number = ${accountNumber} and event like 'webhook.%'
      order by occurred_at`);
    return rows.map(({ event }) => event);
  };
  const fail = async (shop: TestEndpoint, hours: number) => {
    await clock.advance({ hours });
    await scene.tell(shop);
    await scene.deliver(shop);
  };

  test("is told of after 24 hours and disabled after 120, with an event for each", async () => {
    const shop = await scene.endpoint({ behaviour: 500, events: ["payment.success"] });
    const watcher = await scene.endpoint({
      of: shop,
      events: ["webhook.failing", "webhook.disabled"],
    });
    await fail(shop, 0);
    await fail(shop, 23.9);
    assert.deepEqual(await noticesOf(shop), []);
    await fail(shop, 0.2);
    assert.deepEqual(await noticesOf(shop), ["webhook.failing"]);
    await fail(shop, 95.8);
    assert.equal((await stateOf(shop)).status, "active");
    await fail(shop, 0.2);
    assert.deepEqual(await stateOf(shop), {
      status: "disabled",
      disabled_because: "failing",
      next_due_at: null,
    });
    assert.deepEqual(await noticesOf(shop), ["webhook.failing", "webhook.disabled"]);
    const sentBefore = shop.receiver.begunCount();
    await fail(shop, 1);
    assert.equal(shop.receiver.begunCount(), sentBefore);
    await scene.service.numberEvents();
    await scene.deliver(watcher);
    const bodies = watcher.receiver.received.map(({ body }) => JSON.parse(body));
    assert.deepEqual(
      bodies.map(({ event, data }) => [event, data.id, data.status]),
      [
        ["webhook.failing", shop.endpointId, "active"],
        ["webhook.disabled", shop.endpointId, "disabled"],
      ],
    );
    const waiting = await db.rows(sql`
      select from webhook_deliveries where endpoint_id = ${shop.endpointId} and state = 'waiting'`);
    assert.equal(waiting.length, 0);
  });

  test("begins anew with one success", async () => {
    const shop = await scene.endpoint({ behaviour: 500 });
    await fail(shop, 0);
    await fail(shop, 25);
    shop.receiver.behave("well");
    await fail(shop, 90);
    shop.receiver.behave(500);
    await fail(shop, 1);
    await fail(shop, 23);
    assert.equal((await stateOf(shop)).status, "active");
    assert.deepEqual(await noticesOf(shop), ["webhook.failing"]);
  });

  test("is disabled at once when it answers 410, and what waits is cancelled", async () => {
    const shop = await scene.endpoint({ behaviour: 410 });
    const resource = "one after the other";
    const ids = await scene.tell(shop, [{ resource }, { resource }, { resource }]);
    await scene.deliver(shop);
    assert.equal(shop.receiver.begunCount(), 1);
    assert.deepEqual(await stateOf(shop), {
      status: "disabled",
      disabled_because: "gone",
      next_due_at: null,
    });
    for (const id of ids) assert.equal((await scene.delivery(shop, id)).state, "cancelled");
    assert.deepEqual(await noticesOf(shop), ["webhook.disabled"]);
  });

  test("stays when the 410 comes from an earlier life of it", async () => {
    const shop = await scene.endpoint();
    await db.run(sql`
      update webhook_endpoints set life = 2 where endpoint_id = ${shop.endpointId}`);
    const health = { failingSeconds: 1, isWarned: false };
    await judgeEndpoint(db, shop.endpointId, { ...health, goneLife: 1 });
    assert.equal((await stateOf(shop)).status, "active");
    await judgeEndpoint(db, shop.endpointId, { ...health, goneLife: 2 });
    assert.equal((await stateOf(shop)).status, "disabled");
  });

  test("is told nothing more when its account is closed", async () => {
    const shop = await scene.endpoint();
    await db.run(sql`
      update accounts set status = 'closed', closed_at = app_now()
      where account_number = ${shop.accountNumber}`);
    await scene.tell(shop);
    const made = await db.rows(sql`
      select from webhook_deliveries where endpoint_id = ${shop.endpointId}`);
    assert.equal(made.length, 0);
  });

  test("is left alone for a tenth of the time it has been failing, however much waits", async () => {
    const shop = await scene.endpoint({ behaviour: 500 });
    await fail(shop, 0);
    await fail(shop, 0.1);
    const begun = shop.receiver.begunCount();
    await scene.tell(
      shop,
      Array.from({ length: 30 }, () => ({})),
    );
    await scene.deliver(shop);
    assert.equal(shop.receiver.begunCount(), begun);
    await clock.advance({ seconds: 40 });
    await scene.deliver(shop);
    assert.equal(shop.receiver.begunCount(), begun + 1);
    shop.receiver.behave("well");
    await clock.advance({ seconds: 45 });
    await scene.deliver(shop);
    assert(shop.receiver.begunCount() >= begun + 30, "well again, it gets all that is due");
  });
});

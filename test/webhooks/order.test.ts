/**
 * Who is sent what, in which order and how fast: events of one resource in the order of the feed,
 * nothing of another account or environment, and no endpoint waits for another.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { until } from "../../testkit/until.ts";
import { newEvent, recordAll, setScene } from "../../testkit/webhooks.ts";

describe("deliveries", async () => {
  const scene = await setScene();
  const { ctx } = scene.service;

  test("go to the active endpoints of that account and environment that want the event", async () => {
    const live = await scene.endpoint();
    const picky = await scene.endpoint({ of: live, events: ["payment.refunded"] });
    const sandbox = await scene.endpoint({ of: { ...live, environment: "sandbox" } });
    const stranger = await scene.endpoint();
    const disabled = await scene.endpoint({ of: live });
    await ctx.db.run(sql`
      update webhook_endpoints set status = 'disabled', disabled_because = 'asked'
      where endpoint_id = ${disabled.endpointId}`);
    const [paid, refunded] = await scene.tell(live, [{}, { event: "payment.refunded" }]);
    const [simulated] = await scene.tell(sandbox);
    const [test] = await scene.tell(live, [
      { event: "webhook.test", onlyEndpointId: picky.endpointId },
    ]);
    const all = [live, picky, sandbox, stranger, disabled];
    for (const one of all) await scene.deliver(one);
    assert.deepEqual(
      all.map(({ receiver }) => receiver.received.map(({ id }) => id).toSorted()),
      [[paid, refunded], [refunded, test], [simulated], [], []].map((ids) => ids.toSorted()),
    );
    const rows = await ctx.db.rows<{ crossed: number }>(sql`
      select from webhook_deliveries join events using (event_id)
        join webhook_endpoints as one using (endpoint_id)
      where one.account_number <> events.account_number
        or one.environment <> events.environment`);
    assert.equal(rows.length, 0);
  });

  test("of one resource go one after the other in the order of the feed, others beside them", async () => {
    const shop = await scene.endpoint({
      behaviour: (_request, response) => void setTimeout(() => response.writeHead(204).end(), 100),
    });
    const events = Array.from({ length: 30 }, (_, turn) => ({ resource: `card ${turn % 3}` }));
    await scene.tell(shop, events);
    await scene.deliver(shop);
    const told = shop.receiver.received.map(({ body }) => JSON.parse(body));
    assert.equal(told.length, 30);
    const byResource = Map.groupBy(told, ({ meta }) => meta.transaction_id);
    assert.equal(byResource.size, 3);
    for (const [resource, own] of byResource) {
      const sequences = own.map(({ sequence }) => sequence);
      assert.deepEqual(
        sequences,
        sequences.toSorted((a, b) => a - b),
        resource,
      );
    }
    const atOnce = Math.max(...shop.receiver.received.map((one) => one.atOnce));
    assert.equal(atOnce, 3, "one of each resource, and all three at once");
  });

  test("of one turn are due at one time, so that nothing but the feed orders them", async () => {
    const shop = await scene.endpoint();
    await scene.tell(
      shop,
      Array.from({ length: 20 }, () => ({ resource: "one payment" })),
    );
    const { times } = await ctx.db.one<{ times: number }>(sql`
      select count(distinct due_at)::int as times from webhook_deliveries
      where endpoint_id = ${shop.endpointId}`);
    assert.equal(times, 1);
    // Whatever order they were written in.
    await ctx.db.run(sql`
      update webhook_deliveries set due_at = due_at - make_interval(secs => sequence)
      where endpoint_id = ${shop.endpointId}`);
    await scene.deliver(shop);
    const told = shop.receiver.received.map(({ body }) => JSON.parse(body).sequence);
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    );
    assert.equal(told.length, 20);
  });

  test("that failed are passed by what came later, and keep their own schedule", async () => {
    const resource = "one payment";
    let answers = 0;
    const shop = await scene.endpoint({
      behaviour: (_request, response) => void response.writeHead(++answers === 1 ? 500 : 204).end(),
    });
    const ids = await scene.tell(shop, [{ resource }, { resource }, { resource }]);
    await scene.deliver(shop);
    await until(() => shop.receiver.received.length >= 3, "the later ones arrived");
    await scene.service.clock.advance({ seconds: 7 });
    await scene.deliver(shop);
    const [first, second, third] = ids;
    assert.deepEqual(
      shop.receiver.received.map(({ id }) => id),
      [first, second, third, first],
    );
  });

  test("are at most 5 at once and, after a burst, 20 a second", async () => {
    const shop = await scene.endpoint({
      behaviour: (_request, response) => void setTimeout(() => response.writeHead(204).end(), 30),
    });
    await scene.tell(
      shop,
      Array.from({ length: 60 }, () => ({})),
    );
    const beganAt = performance.now();
    await scene.deliver(shop);
    const seconds = (performance.now() - beganAt) / 1_000;
    assert.equal(shop.receiver.received.length, 60);
    assert.equal(Math.max(...shop.receiver.received.map(({ atOnce }) => atOnce)), 5);
    assert(seconds > 1.8, `60 took ${seconds} s: 20 at once and 40 in two seconds`);
    const times = shop.receiver.received.map(({ at }) => at);
    for (const at of times) {
      const within = times.filter((other) => other >= at && other < at + 1_000).length;
      assert(within <= 42, `${within} within a second`);
    }
  });

  test("keep their pace over many claims, too", async () => {
    const shop = await scene.endpoint();
    for (let turn = 0; turn < 90; turn++) {
      await scene.tell(shop);
      await scene.deliver(shop);
    }
    const times = shop.receiver.received.map(({ at }) => at);
    assert.equal(times.length, 90);
    for (const at of times) {
      const within = times.filter((other) => other >= at && other < at + 1_000).length;
      assert(within <= 42, `${within} within a second`);
    }
  });
});

describe("an endpoint that hangs", async () => {
  const scene = await setScene();
  const { ctx } = scene.service;

  test("delays no other, and is itself sent to beside what hangs", {
    timeout: 60_000,
  }, async () => {
    const hanging = await Promise.all(
      Array.from({ length: 8 }, () => scene.endpoint({ behaviour: "hangs" })),
    );
    const well = await Promise.all(Array.from({ length: 4 }, () => scene.endpoint()));
    const stop = await scene.work();
    await recordAll(
      ctx,
      hanging.flatMap((one) => Array.from({ length: 10 }, () => newEvent(one, {}))),
    );
    await until(() => hanging.every(({ receiver }) => receiver.begunCount() > 0), "they hang");
    for (let turn = 0; turn < 20; turn++) {
      const shop = well[turn % well.length];
      assert(shop !== undefined);
      const had = shop.receiver.received.length;
      await recordAll(ctx, [newEvent(shop, {})]);
      await until(() => shop.receiver.received.length > had, "it arrived");
    }
    assert(hanging.every(({ receiver }) => receiver.begunCount() <= 5));
    await stop();
    // Cut off by our stop: all of them hung until then, and nothing is counted against them.
    const rows = await ctx.db.rows<{ state: string; round_attempt_count: number }>(sql`
      select state, round_attempt_count from webhook_deliveries
      where endpoint_id = any(${hanging.map(({ endpointId }) => endpointId)}::uuid[])`);
    assert.equal(rows.length, 80);
    assert(rows.every((row) => row.state === "waiting" && row.round_attempt_count === 0));
    const failing = await ctx.db.rows(sql`
      select from webhook_endpoints where failing_since is not null or claimed_until is not null`);
    assert.equal(failing.length, 0);
  });
});

/** Slow endpoints, of however many accounts, delay no other endpoint. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/infra/db/query.ts";
import { makeMerchants } from "../../testkit/books.ts";
import { startReceiver } from "../../testkit/receivers.ts";
import { until } from "../../testkit/until.ts";
import { insertEndpoint, newEvent, recordAll, setScene } from "../../testkit/webhooks.ts";

const HANGING = 300;
/** An attempt that hangs takes 15 s, and a lane of jobs has room for a hundred. */
const WAIT_MS_MAX = 2_000;

test(`${HANGING} that hang beside a healthy one: it is told at once, and a stop leaves nothing claimed`, {
  timeout: 120_000,
}, async (t) => {
  const scene = await setScene();
  const { ctx } = scene.service;
  const { db, config } = ctx;
  const hanging = await startReceiver("hangs");
  t.after(() => hanging.close());
  const who = (await makeMerchants(db, HANGING)).map((accountNumber) => ({
    accountNumber,
    environment: "live" as const,
  }));
  await Promise.all(
    who.map((one, turn) =>
      insertEndpoint(db, config.wrappingKeys, { ...one, url: `${hanging.url}/${turn}` }),
    ),
  );
  const shop = await scene.endpoint();
  const stop = await scene.work();
  await recordAll(
    ctx,
    who.map((one) => newEvent(one, {})),
  );
  await until(() => hanging.begunCount() >= 100, "a hundred hang", 20);
  const waits: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const had = shop.receiver.received.length;
    const beganAt = performance.now();
    await recordAll(ctx, [newEvent(shop, {})]);
    await until(() => shop.receiver.received.length > had, "it arrived", 60);
    waits.push(performance.now() - beganAt);
    await sleep(200);
  }
  t.diagnostic(`it waited ${waits.map(Math.round).join(", ")} ms`);
  assert(Math.max(...waits) < WAIT_MS_MAX, `it waited ${waits.map(Math.round).join(", ")} ms`);
  await until(() => hanging.begunCount() >= HANGING, "all of them hang at once", 10);
  await stop();
  const { claimed, waiting } = await db.one<{ claimed: number; waiting: number }>(sql`
    select count(*) filter (where claimed_until is not null)::int as claimed,
      (select count(*) from webhook_deliveries where state = 'waiting')::int as waiting
    from webhook_endpoints`);
  assert.deepEqual({ claimed, waiting }, { claimed: 0, waiting: HANGING });
});

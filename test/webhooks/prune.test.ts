/** What ended 30 days ago is forgotten, what waits is not, and the feed keeps everything. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { pruneDeliveries } from "../../src/modules/webhooks/prune-deliveries.ts";
import { setScene } from "../../testkit/webhooks.ts";

const scene = await setScene();
const { ctx } = scene.service;
const { db } = ctx;

test("deliveries and attempts of 30 days ago go, those that wait and the events stay", async () => {
  const well = await scene.endpoint();
  const failing = await scene.endpoint({ of: well, behaviour: 500 });
  const [old = ""] = await scene.tell(well);
  await scene.deliver(well);
  await scene.deliver(failing);
  await scene.service.clock.advance({ hours: 30 * 24 - 1 });
  await pruneDeliveries.run(ctx, {});
  assert.equal((await scene.delivery(well, old)).state, "delivered");
  const [recent = ""] = await scene.tell(well);
  await scene.deliver(well);
  await scene.service.clock.advance({ hours: 2 });
  await pruneDeliveries.run(ctx, {});
  const left = await db.rows<{ endpoint_id: string; event_id: string }>(sql`
    select endpoint_id, event_id from webhook_deliveries order by sequence, endpoint_id`);
  assert.deepEqual(
    new Set(left.map((row) => `${row.endpoint_id} ${row.event_id}`)),
    new Set([
      `${failing.endpointId} ${old}`,
      `${failing.endpointId} ${recent}`,
      `${well.endpointId} ${recent}`,
    ]),
  );
  const attempts = await scene.attempts(failing);
  assert.deepEqual(attempts, []);
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int from events where event_id = any(${[old, recent]})`);
  assert.equal(count, 2);
});

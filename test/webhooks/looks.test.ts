/**
 * Decision 0137: a look claims the endpoints that are due, healthy and failing ones apart, and none
 * that this process is sending to; and it tells whether there may be more.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import {
  claimDue,
  type Release,
  releaseEndpoints,
  type View,
} from "../../src/modules/webhooks/claim-endpoint.ts";
import { until } from "../../testkit/until.ts";
import { setScene } from "../../testkit/webhooks.ts";

const scene = await setScene();
const {
  clock,
  ctx: { db, messenger },
} = scene.service;
const ROOM = { healthy: 100, failing: 100 };

const release = ({ claim, wakeCount }: View): Promise<boolean[]> => {
  const ended: Release = { ...claim, wakeCount, restSeconds: -1 };
  return releaseEndpoints(db, [ended]);
};

test("failing endpoints are claimed apart, and one's own not at all", async () => {
  const shop = await scene.endpoint({ behaviour: 500 });
  await scene.tell(shop);
  const [first, ...others] = await claimDue(db, { ...ROOM, failing: 0 }, []);
  assert.equal(first?.claim.endpointId, shop.endpointId);
  assert.deepEqual(others, []);
  assert.deepEqual(await claimDue(db, ROOM, []), [], "it is claimed");
  await release(first);
  assert.deepEqual(await claimDue(db, ROOM, [shop.endpointId]), [], "it is one's own");

  await scene.deliver(shop);
  assert.deepEqual(await claimDue(db, ROOM, []), [], "it rests after a failure");
  await clock.advance({ seconds: 7 });
  assert.deepEqual(await claimDue(db, { ...ROOM, failing: 0 }, []), [], "it counts as failing");
  const [again] = await claimDue(db, { ...ROOM, healthy: 0 }, []);
  assert(again?.failingSeconds !== undefined);
  await release(again);

  shop.receiver.behave("well");
  await scene.deliver(shop);
  const { next_due_at, claimed_until } = await db.one<Record<string, unknown>>(sql`
    select next_due_at, claimed_until from webhook_endpoints
    where endpoint_id = ${shop.endpointId}`);
  assert.deepEqual({ next_due_at, claimed_until }, { next_due_at: null, claimed_until: null });
});

test("more than fit into one look are found by the next, and each is sent once", async () => {
  const shops = await Promise.all(Array.from({ length: 105 }, () => scene.endpoint()));
  for (const shop of shops) await scene.tell(shop);
  assert.equal(await messenger.claim(), true);
  assert.equal(await messenger.claim(), false);
  assert.equal(await messenger.claim(), false);
  await until(
    () => shops.every(({ receiver }) => receiver.received.length === 1),
    "each receiver has its event",
  );
});

test("an endpoint that is sent to already keeps its drain when the clock jumps over its lease", async () => {
  let answer = () => {};
  const shop = await scene.endpoint({
    behaviour: (_request, response) => {
      answer = () => response.writeHead(204).end();
    },
  });
  const [eventId = ""] = await scene.tell(shop);
  await messenger.claim();
  await until(() => shop.receiver.begunCount() === 1, "its attempt is under way");
  await clock.advance({ hours: 1 });
  await messenger.claim();
  answer();
  await until(
    async () => (await scene.delivery(shop, eventId)).state === "delivered",
    "it is delivered",
  );
  assert.equal(shop.receiver.begunCount(), 1);
});

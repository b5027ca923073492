/**
 * Decision 0137: a look claims the endpoints that are due, healthy and failing ones apart, each
 * once and in turn, and none that this process is sending to: it tells those of what is new.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import {
  claimDue,
  findWoken,
  type Release,
  releaseEndpoints,
  type View,
} from "../../src/modules/webhooks/claim-endpoint.ts";
import type { DrainTools } from "../../src/modules/webhooks/drain-endpoint.ts";
import { Drains } from "../../src/modules/webhooks/drains.ts";
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

test("an endpoint with more to send stands behind those that wait", async () => {
  const [one, other] = await Promise.all([scene.endpoint(), scene.endpoint()]);
  await scene.tell(one, [{}, {}, {}, {}]);
  await scene.tell(other);
  const turns: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const [view] = await claimDue(db, { healthy: 1, failing: 0 }, []);
    assert(view !== undefined);
    turns.push(view.claim.endpointId);
    await release(view);
  }
  assert.deepEqual(turns, [one.endpointId, other.endpointId, one.endpointId]);
  await Promise.all([scene.deliver(one), scene.deliver(other)]);
});

test("of many looks at once each endpoint is claimed by one", async () => {
  const shops = await Promise.all(Array.from({ length: 40 }, () => scene.endpoint()));
  for (const shop of shops) await scene.tell(shop);
  const looks = Array.from({ length: 8 }, () => claimDue(db, { healthy: 15, failing: 0 }, []));
  const views = (await Promise.all(looks)).flat();
  const ids = views.map(({ claim }) => claim.endpointId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { claim } of views) assert.equal(claim.claimCount, 1n);
  assert((await Promise.all(views.map(release))).flat().every(Boolean), "each claim is held");
  await Promise.all(shops.map((shop) => scene.deliver(shop)));
});

test("a drain is told at once of what came while it waits for an answer", async () => {
  const shop = await scene.endpoint();
  const quiet = await scene.endpoint();
  for (const one of [shop, quiet]) await scene.tell(one);
  const answer = Promise.withResolvers<never>();
  const first = new Map<string, bigint>();
  const read = new Set<string>();
  const tools: DrainTools = {
    async view(claim) {
      read.add(claim.endpointId);
      const wakeCount = first.get(claim.endpointId) ?? 0n;
      return { claim, wakeCount, due: [], failingSeconds: undefined, restSeconds: -1 };
    },
    begin: () => answer.promise,
    make: () => answer.promise,
    release: async () => true,
    isBusy: () => false,
  };
  const drains = new Drains(scene.service.ctx, tools, new AbortController().signal);
  await drains.claim();
  for (const { endpointId, wakeCount } of drains.claims()) first.set(endpointId, wakeCount);
  assert.deepEqual([...first.keys()].sort(), [shop.endpointId, quiet.endpointId].sort());
  await scene.tell(shop);
  assert.deepEqual(await findWoken(db, drains.claims()), [shop.endpointId]);
  read.clear();
  await drains.claim();
  assert(read.has(shop.endpointId), "it reads");
  answer.reject(new Error("the test is over"));
  await drains.stop();
  await clock.advance({ seconds: 11 });
  await Promise.all([scene.deliver(shop), scene.deliver(quiet)]);
});

test("a drain that failed leaves its endpoint until the lease is over", async () => {
  const shop = await scene.endpoint();
  await scene.tell(shop);
  let releaseCount = 0;
  const tools: DrainTools = {
    view: async () => undefined,
    begin: async () => assert.fail("it cannot be sent to"),
    make: async () => assert.fail("nothing was begun"),
    async release() {
      releaseCount += 1;
      return true;
    },
    isBusy: () => false,
  };
  const drains = new Drains(scene.service.ctx, tools, new AbortController().signal);
  await drains.claim();
  await until(async () => drains.claims().length === 0, "it has ended");
  assert.equal(releaseCount, 0);
  assert.deepEqual(await claimDue(db, ROOM, []), []);
  await clock.advance({ seconds: 11 });
  await scene.deliver(shop);
  assert.equal(shop.receiver.received.length, 1);
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

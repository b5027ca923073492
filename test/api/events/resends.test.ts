/**
 * The guarantee: what is sent again to an endpoint, or to listeners alone, is in `GET
 * /events/resent` in the order of commits, byte for byte, for its own account and environment only.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { pruneResends } from "../../../src/modules/events/prune-resends.ts";
import { recordResends } from "../../../src/modules/events/record-resends.ts";
import { mintKey } from "../../../testkit/credentials.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  deliveriesOf,
  happen,
  makeEndpoint,
  openShop,
  post,
  type Shop,
} from "../../../testkit/webhook-endpoints.ts";

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
});
after(() => service.stop());

async function resent(who: { token?: string; key?: string }, query = "") {
  const answer = await service.request(`/events/resent${query}`, who);
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

async function idsOf(who: { token: string }, query = ""): Promise<string[]> {
  const { body } = await resent({ token: who.token }, query);
  return body.data.map(({ event }: { event: { id: string } }) => event.id);
}

describe("sent again are", () => {
  before(async () => {
    shop = await openShop(service);
  });

  test("a delivery that is resent, each time, with the bytes of the feed", async () => {
    const endpoint = await makeEndpoint(service, shop);
    const [id] = await happen(service, shop);
    assert.deepEqual(await idsOf(shop), []);
    const [delivery] = await deliveriesOf(service, shop, endpoint.id);
    const path = `/webhooks/${endpoint.id}/deliveries/${delivery.id}/resend`;
    for (const count of [1, 2]) {
      assert.equal((await post(service, path, shop)).status, 202);
      assert.deepEqual(await idsOf(shop), Array(count).fill(id));
    }
    const feed = await service.request("/events", { token: shop.token });
    const [, body = "none"] = /"data":\[(\{.*\})\],"meta"/.exec(feed.text) ?? [];
    assert((await resent({ token: shop.token })).text.includes(`"event":${body}}`));
  });

  test("those that a replay sends, in their order, and read on after a number", async () => {
    const endpoint = await makeEndpoint(service, shop);
    const { body: before } = await resent({ token: shop.token });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const made = await happen(service, shop, ["payment.created", "payment.failed"]);
    const json = { since, events: ["payment.created", "payment.failed"] };
    const replayed = await post(service, `/webhooks/${endpoint.id}/replay`, shop, { json });
    assert.equal(replayed.body.data.queued, 2, replayed.text);
    assert.deepEqual(await idsOf(shop, `?after=${before.meta.last_number}`), made);
  });

  test("an event without any endpoint, by its id, once for one Idempotency-Key", async () => {
    const alone = await openShop(service);
    const [id] = await happen(service, alone);
    const headers = { "idempotency-key": randomUUID() };
    for (const _ of [1, 2]) {
      const answer = await post(service, `/events/${id}/resend`, alone, { headers });
      assert.deepEqual([answer.status, answer.body.data], [202, { id }]);
    }
    assert.deepEqual(await idsOf(alone), [id]);
  });
});

test("of another account or environment nothing is sent or shown", async () => {
  const [owner, other] = [await openShop(service), await openShop(service)];
  const [live] = await happen(service, owner);
  const [sandbox] = await happen(service, owner, ["payment.failed"], { environment: "sandbox" });
  const { key } = await mintKey(service.ctx, owner, ["svc-user-all"], { prefix: "test" });
  for (const [who, id] of [
    [{ token: other.token }, live],
    [{ key }, live],
    [{ token: owner.token }, "no-such-event"],
  ] as const)
    assert.equal((await post(service, `/events/${id}/resend`, who)).status, 404);
  assert.equal((await post(service, `/events/${sandbox}/resend`, { key })).status, 202);
  assert.deepEqual(await idsOf(owner), []);
  assert.deepEqual(await idsOf(owner, "?environment=sandbox"), [sandbox]);
  assert.equal((await resent({ key })).body.data.length, 1);
});

test("a lower number is never seen after a higher one, however commits overlap", async () => {
  const busy = await openShop(service);
  const [first = "", second = ""] = await happen(service, busy, [
    "payment.created",
    "payment.failed",
  ]);
  const feed = { accountNumber: busy.accountNumber, environment: "live" } as const;
  const { db } = service.ctx;
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const slow = db.transaction(async (tx) => {
    await recordResends(tx, feed, [first]);
    begun.resolve();
    await released.promise;
  });
  await begun.promise;
  const quick = db.transaction((tx) => recordResends(tx, feed, [second]));
  released.resolve();
  await Promise.all([slow, quick]);
  assert.deepEqual(await idsOf(busy), [first, second]);
});

test("after 30 days an entry ends, and the event stays", async () => {
  const old = await openShop(service);
  const [id] = await happen(service, old);
  await post(service, `/events/${id}/resend`, old);
  await service.ctx.db.run(sql`
    update event_resends set resent_at = resent_at - interval '31 days' where event_id = ${id}`);
  await pruneResends.run(service.ctx, undefined as never);
  assert.deepEqual(await idsOf(old), []);
  const { body } = await service.request("/events", { token: old.token });
  assert.equal(body.data[0].id, id);
});

/**
 * Every delivery that reaches a receiver verifies by the libraries of our callers, with a secret
 * that was valid at its time, also while secrets are rotated; and the bytes are those of the feed.
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { sql } from "../../src/infra/db/query.ts";
import { newSecret, sealSecret } from "../../src/modules/webhooks/endpoint-secret.ts";
import type { Received } from "../../testkit/receivers.ts";
import { until } from "../../testkit/until.ts";
import {
  newEvent,
  recordAll,
  type Scene,
  setScene,
  type TestEndpoint,
} from "../../testkit/webhooks.ts";

function verifies({ body, headers }: Received, secret: string): boolean {
  try {
    new StandardWebhook(secret).verify(body, headers);
    new SvixWebhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe("a delivery", async () => {
  const scene = await setScene();
  const { db } = scene.service.ctx;

  test("carries the bytes of the feed, signed for both kinds of clients", async () => {
    const shop = await scene.endpoint();
    const record = { data: 'quoted " and \\ 😀 </script> \u2028', total: "12.50" };
    const [eventId = ""] = await scene.tell(shop, [{ record }]);
    await scene.deliver(shop);
    const [sent, ...others] = shop.receiver.received;
    assert(sent !== undefined);
    assert.deepEqual(others, []);
    const { body } = await db.one<{ body: string }>(
      sql`select body from events where event_id = ${eventId}`,
    );
    assert.equal(sent.body, body);
    assert.deepEqual(JSON.parse(sent.body).data, record);
    assert(verifies(sent, shop.secret));
    const digest = createHmac("sha256", shop.secret).update(sent.body).digest("hex");
    const { headers } = sent;
    const timestamp = headers["webhook-timestamp"];
    assert.deepEqual(
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("x-svc-"))),
      {
        "x-svc-webhook-event": "payment.success",
        "x-svc-webhook-id": eventId,
        "x-svc-webhook-timestamp": timestamp,
        "x-svc-webhook-version": "v1",
        "x-svc-webhook-signature": `sha256=${digest}`,
      },
    );
    assert.equal(headers["webhook-id"], eventId);
    assert.equal(headers["content-type"], "application/json");
    assert(Math.abs(Number(timestamp) * 1_000 - Date.now()) < 10_000);
  });

  test("that is tried again has the same id and body, its own time and a fresh signature", async () => {
    const shop = await scene.endpoint({ behaviour: 500 });
    await scene.tell(shop);
    await scene.deliver(shop);
    shop.receiver.behave("well");
    await scene.service.clock.advance({ seconds: 7 });
    await scene.deliver(shop);
    const [first, second] = shop.receiver.received;
    assert(first !== undefined && second !== undefined);
    assert.equal(second.id, first.id);
    assert.equal(second.body, first.body);
    const times = [first, second].map(({ headers }) => Number(headers["webhook-timestamp"]));
    assert((times[1] ?? 0) - (times[0] ?? 0) >= 7, "by the clock of the service");
    assert.notEqual(second.headers["webhook-signature"], first.headers["webhook-signature"]);
    assert(verifies(second, shop.secret));
  });

  test("of one endpoint does not verify with the secret of another", async () => {
    const shop = await scene.endpoint();
    const neighbour = await scene.endpoint({ of: shop });
    await scene.tell(shop);
    await Promise.all([scene.deliver(shop), scene.deliver(neighbour)]);
    const [ours] = shop.receiver.received;
    const [theirs] = neighbour.receiver.received;
    assert(ours !== undefined && theirs !== undefined);
    assert.deepEqual(
      [verifies(ours, shop.secret), verifies(ours, neighbour.secret)],
      [true, false],
    );
    assert.deepEqual(
      [verifies(theirs, neighbour.secret), verifies(theirs, shop.secret)],
      [true, false],
    );
  });

  // Last, because it moves the clock out of the tolerance of receivers.
  test("is signed by the old secret beside the new for 24 hours, and no longer", async () => {
    const shop = await scene.endpoint();
    const newest = await rotate(scene, shop);
    const sentAfter = async (hours: number) => {
      await scene.service.clock.advance({ hours });
      const [id] = await scene.tell(shop);
      await scene.deliver(shop);
      return shop.receiver.received.find((one) => one.id === id)?.headers["webhook-signature"];
    };
    assert.match((await sentAfter(0)) ?? "", /^v1,\S+ v1,\S+$/);
    assert.match((await sentAfter(23.9)) ?? "", /^v1,\S+ v1,\S+$/);
    assert.match((await sentAfter(0.2)) ?? "", /^v1,\S+$/);
    const last = shop.receiver.received.at(-1);
    const digest = createHmac("sha256", newest)
      .update(last?.body ?? "")
      .digest("hex");
    assert.equal(last?.headers["x-svc-webhook-signature"], `sha256=${digest}`);
  });
});

describe("rotation", async () => {
  const scene = await setScene();

  test("under load during two rotations always verifies with a secret valid at its time", async () => {
    const shop = await scene.endpoint();
    const stop = await scene.work();
    // Each with the time from which it was no longer shown to anybody new.
    const secrets = [shop.secret];
    const sending = (async () => {
      for (let turn = 0; turn < 60; turn++)
        await recordAll(scene.service.ctx, [newEvent(shop, {})]);
    })();
    for (let rotation = 0; rotation < 2; rotation++) {
      const before = shop.receiver.received.length;
      await until(() => shop.receiver.received.length > before + 5, "some arrived");
      secrets.push(await rotate(scene, shop));
    }
    await sending;
    await until(
      () => new Set(shop.receiver.received.map(({ id }) => id)).size === 60,
      "all arrived",
    );
    await stop();
    // A receiver that knows the newest two secrets of any moment refuses nothing.
    for (const one of shop.receiver.received)
      assert(secrets.some((secret) => verifies(one, secret)));
    const generations = shop.receiver.received.map((one) =>
      secrets.findLastIndex((secret) => verifies(one, secret)),
    );
    assert.deepEqual(new Set(generations), new Set([0, 1, 2]), "the rotations fell into the load");
  });
});

async function rotate(scene: Scene, shop: TestEndpoint): Promise<string> {
  const { db, config } = scene.service.ctx;
  const secret = newSecret();
  const { keyId, box } = sealSecret(config.wrappingKeys, shop.endpointId, secret);
  await db.run(sql`
    update webhook_endpoints
    set previous_secret_key_id = secret_key_id, previous_secret_box = secret_box,
      previous_secret_until = app_now() + interval '24 hours',
      secret_key_id = ${keyId}, secret_box = ${box}
    where endpoint_id = ${shop.endpointId}`);
  return secret;
}

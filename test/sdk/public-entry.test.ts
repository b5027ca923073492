/**
 * The SDK as merchants import it, at the end of the real way of an event: sent by the messenger,
 * verified, and handled in order though the network turned the order round.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as sdk from "../../sdk/src/index.ts";
import { mintKey } from "../../testkit/credentials.ts";
import { until } from "../../testkit/until.ts";
import { setScene } from "../../testkit/webhooks.ts";

const scene = await setScene();

test("what webhooks bring is verified and handled once, in order, and the rest is fetched", async () => {
  const endpoint = await scene.endpoint({ environment: "sandbox", events: ["payment.success"] });
  const { accountNumber, secret, receiver } = endpoint;
  const wanted = [{}, {}, { event: "payment.created" as const }, {}, {}];
  const ids = await scene.tell(endpoint, wanted);
  await scene.deliver(endpoint);
  await until(() => receiver.received.length === 4, "those that it wants have been sent");

  const { key: apiKey } = await mintKey(scene.service.ctx, endpoint, ["svc-user-retrieve"]);
  const windward = sdk.createWindward({ baseUrl: scene.service.url, apiKey });
  const handled: string[] = [];
  const consumer = sdk.createConsumer({
    windward,
    accountNumber,
    environment: "sandbox",
    store: sdk.createMemoryStore(),
    handle: ({ id }) => void handled.push(id),
  });
  const told: Promise<boolean>[] = [];
  for (const { body, headers } of receiver.received.toReversed()) {
    const { event } = await sdk.verifyWebhook(body, headers, secret);
    told.push(consumer.deliver(event));
  }
  assert((await Promise.all(told)).every(Boolean));
  assert.deepEqual(handled, ids);
  await consumer.stop();

  const [first] = receiver.received;
  const changed = first?.body.replace("a record", "another") ?? "";
  const refused = sdk.verifyWebhook(changed, first?.headers ?? {}, secret);
  await assert.rejects(refused, sdk.VerificationError);
  const said = await sdk.explainWebhook(changed, first?.headers ?? {}, secret);
  assert.equal(said.verified, false);
  assert(!sdk.explanationText(said).includes(secret));
});

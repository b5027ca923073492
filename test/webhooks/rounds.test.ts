/**
 * What somebody asked for while an attempt was under way holds, whatever becomes of that attempt:
 * a resend, a replay, another address, a new life of the endpoint.
 */

import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { WAITS_SECONDS } from "../../src/modules/webhooks/retry-schedule.ts";
import { until } from "../../testkit/until.ts";
import { setScene, type TestEndpoint } from "../../testkit/webhooks.ts";

const scene = await setScene();
const { service } = scene;
const { db } = service.ctx;

interface Shop extends TestEndpoint {
  readonly token: string;
  /** The requests that it has not answered. */
  readonly held: ServerResponse[];
}

/** One that answers when it is told to. */
async function openShop(): Promise<Shop> {
  const { accountNumber, signIn } = await service.world.merchant();
  const { access_token: token } = await signIn();
  const held: ServerResponse[] = [];
  const endpoint = await scene.endpoint({
    of: { accountNumber, environment: "live" },
    behaviour: (_request, response) => void held.push(response),
  });
  return { ...endpoint, token, held };
}

const post = ({ endpointId, token }: Shop, path: string, json?: unknown) =>
  service.request(`/webhooks/${endpointId}${path}`, {
    method: "POST",
    token,
    ...(json === undefined ? {} : { json }),
  });
const patch = ({ endpointId, token }: Shop, json: unknown) =>
  service.request(`/webhooks/${endpointId}`, { method: "PATCH", token, json });

/** Tells it of an event and waits until it has it, without an answer. */
async function tellAndHold(shop: Shop, attemptsBefore = 0) {
  const [eventId = ""] = await scene.tell(shop);
  await db.run(sql`
    update webhook_deliveries
    set attempt_count = ${attemptsBefore}, round_attempt_count = ${attemptsBefore}
    where event_id = ${eventId}`);
  const sending = scene.deliver(shop);
  await until(() => shop.held.length > 0, "it holds the request");
  return { eventId, sending };
}

function answer({ held }: Shop, status: number): void {
  held.shift()?.writeHead(status).end();
}

/** Seconds from now, by the service's clock. */
async function dueIn(eventId: string): Promise<number> {
  const { seconds } = await db.one<{ seconds: number }>(sql`
    select extract(epoch from due_at - app_now())::float8 as seconds
    from webhook_deliveries where event_id = ${eventId}`);
  return seconds;
}

const failingSince = async ({ endpointId }: TestEndpoint) =>
  (
    await db.one<{ failing_since: Date | null }>(sql`
      select failing_since from webhook_endpoints where endpoint_id = ${endpointId}`)
  ).failing_since;

describe("asked for while an attempt is under way that then fails", () => {
  const asks: [what: string, ask: (shop: Shop, deliveryId: string) => Promise<unknown>][] = [
    ["a resend", (shop, deliveryId) => post(shop, `/deliveries/${deliveryId}/resend`)],
    [
      "a replay",
      (shop) => post(shop, "/replay", { since: "2020-01-01T00:00:00Z", only_failed: true }),
    ],
  ];
  for (const [what, ask] of asks)
    for (const [which, before] of [
      ["the last", 9],
      ["a middle", 5],
    ] as const)
      test(`${what}, in ${which} attempt of a round: it is sent at once, with a whole round`, async () => {
        const shop = await openShop();
        const { eventId, sending } = await tellAndHold(shop, before);
        const { delivery_id } = await scene.delivery(shop, eventId);
        await ask(shop, delivery_id);
        answer(shop, 500);
        // By the current round, if it had just looked for what is due, or by the next.
        const sendingAgain = sending.then(() => scene.deliver(shop));
        await until(() => shop.held.length > 0, "it is sent again", 5);
        answer(shop, 500);
        await sendingAgain;
        const after = await scene.delivery(shop, eventId);
        assert.deepEqual([after.state, after.round_attempt_count], ["waiting", 1]);
        const attempts = await scene.attempts(shop);
        assert.deepEqual(
          attempts.map(({ attempt, response_status }) => [attempt, response_status]),
          [
            [before + 1, 500],
            [before + 2, 500],
          ],
        );
      });

  test("a resend, and the attempt arrives after all: delivered, and nothing is sent again", async () => {
    const shop = await openShop();
    const { eventId, sending } = await tellAndHold(shop);
    const { delivery_id } = await scene.delivery(shop, eventId);
    await post(shop, `/deliveries/${delivery_id}/resend`);
    answer(shop, 204);
    await sending;
    assert.equal((await scene.delivery(shop, eventId)).state, "delivered");
    assert.equal(shop.receiver.begunCount(), 1);
  });
});

describe("another address", () => {
  test("is sent at once what waited for the old one, which keeps its count of attempts", async () => {
    const shop = await openShop();
    const { eventId, sending } = await tellAndHold(shop, 7);
    answer(shop, 500);
    await sending;
    const { due_at } = await scene.delivery(shop, eventId);
    const elsewhere = await scene.endpoint({ behaviour: 500 });
    assert.equal((await patch(shop, { url: elsewhere.receiver.url })).status, 200);
    await scene.deliver(shop);
    assert.deepEqual([...elsewhere.receiver.ids], [eventId]);
    const after = await scene.delivery(shop, eventId);
    assert.deepEqual([after.state, after.round_attempt_count], ["waiting", 9]);
    assert.notDeepEqual(after.due_at, due_at);
    // The chance in two waits may turn their order round, but keeps each within a fifth.
    const seconds = await dueIn(eventId);
    const wait = WAITS_SECONDS[9] ?? Number.NaN;
    assert(seconds > 0.8 * wait - 60 && seconds <= 1.2 * wait, `${seconds} of ${wait}`);
  });

  test("is sent at once what failed at the old one after the change", async () => {
    const shop = await openShop();
    const { eventId, sending } = await tellAndHold(shop, 9);
    const elsewhere = await scene.endpoint();
    await patch(shop, { url: elsewhere.receiver.url });
    answer(shop, 500);
    await sending;
    await scene.deliver(shop);
    assert.deepEqual([...elsewhere.receiver.ids], [eventId]);
    assert.equal((await scene.delivery(shop, eventId)).state, "delivered");
  });
});

describe("a late answer of an earlier life", () => {
  for (const status of [500, 410])
    test(`${status} from the address before says nothing about the new one`, async () => {
      const shop = await openShop();
      const { sending } = await tellAndHold(shop);
      const elsewhere = await scene.endpoint();
      await patch(shop, { url: elsewhere.receiver.url });
      answer(shop, status);
      await sending;
      const { endpointId, token } = shop;
      const { body } = await service.request(`/webhooks/${endpointId}`, { token });
      assert.deepEqual([body.data.status, body.data.failing_since], ["active", null]);
    });

  for (const status of [500, 410])
    test(`${status} from before it was disabled and enabled: active and well`, async () => {
      const shop = await openShop();
      const { eventId, sending } = await tellAndHold(shop);
      assert.equal((await patch(shop, { status: "disabled" })).status, 200);
      assert.equal((await patch(shop, { status: "active" })).status, 200);
      answer(shop, status);
      await sending;
      const { endpointId, token } = shop;
      const { body } = await service.request(`/webhooks/${endpointId}`, { token });
      assert.deepEqual([body.data.status, body.data.failing_since], ["active", null]);
      assert.equal((await scene.delivery(shop, eventId)).state, "cancelled");
    });

  test("in the same life it does mark it", async () => {
    const shop = await openShop();
    const { sending } = await tellAndHold(shop);
    answer(shop, 500);
    await sending;
    assert.notEqual(await failingSince(shop), null);
  });
});

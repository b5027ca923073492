/**
 * The guarantee: while the receiver of a sandbox endpoint is simulated, nothing is sent to it, and
 * the attempts, retries and the end of the endpoint are those of a receiver that answers so; then
 * it is sent to again by itself (Decision 0102).
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { setScene, type TestEndpoint } from "../../../testkit/webhooks.ts";

const scene = await setScene();
const { service } = scene;
const { db } = service.ctx;

async function sandboxEndpoint() {
  const shop = await service.world.merchant();
  const { token } = await mintToken(service.ctx, shop, SCOPES);
  const of = { accountNumber: shop.accountNumber, environment: "sandbox" } as const;
  return { token, endpoint: await scene.endpoint({ of }) };
}

function simulate(token: string, { endpointId }: Pick<TestEndpoint, "endpointId">, json: object) {
  const path = `/sandbox/webhooks/${endpointId}/simulate`;
  return service.request(path, { method: "POST", token, json });
}

async function attempted(endpoint: TestEndpoint) {
  const [eventId = ""] = await scene.tell(endpoint);
  await scene.deliver(endpoint);
  const attempt = (await scene.attempts(endpoint)).at(-1);
  return { delivery: await scene.delivery(endpoint, eventId), attempt };
}

for (const [receiver, status, state] of [
  ["ok", 200, "delivered"],
  ["error", 500, "waiting"],
  ["timeout", null, "waiting"],
] as const)
  test(`${receiver} is what every delivery gets, until its time is over`, async () => {
    const { token, endpoint } = await sandboxEndpoint();
    const answer = await simulate(token, endpoint, { receiver, seconds: 60 });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.simulated_receiver, receiver);
    const read = await service.request(`/webhooks/${endpoint.endpointId}`, { token });
    assert.deepEqual(answer.body, read.body);
    const { delivery, attempt } = await attempted(endpoint);
    assert.deepEqual([attempt?.response_status, delivery.state], [status, state]);
    if (receiver === "timeout") assert.match(attempt?.failure ?? "", /^timeout: Simulated/);
    assert.equal(endpoint.receiver.received.length, 0);
    // The sandbox's time alone: the real one, which its secrets go by, stays.
    const moved = { method: "POST", token, json: { advance: 61 } };
    assert.equal((await service.request("/sandbox/clock", moved)).status, 200);
    const after = await attempted(endpoint);
    assert.equal(after.delivery.state, "delivered");
    assert(endpoint.receiver.received.length > 0);
    const ended = await service.request(`/webhooks/${endpoint.endpointId}`, { token });
    const { simulated_receiver: shown, simulated_until: until } = ended.body.data;
    assert.deepEqual([shown, until], [null, null]);
  });

test("gone disables the endpoint, and then nothing can be simulated", async () => {
  const { token, endpoint } = await sandboxEndpoint();
  await simulate(token, endpoint, { receiver: "gone", seconds: 60 });
  const { attempt } = await attempted(endpoint);
  assert.equal(attempt?.response_status, 410);
  const read = await service.request(`/webhooks/${endpoint.endpointId}`, { token });
  assert.deepEqual([read.body.data.status, read.body.data.disabled_because], ["disabled", "gone"]);
  const refused = await simulate(token, endpoint, { receiver: "ok", seconds: 60 });
  assert.deepEqual(
    [refused.status, refused.body.message],
    [409, "A receiver can be simulated while the state is active: the endpoint is disabled."],
  );
});

test("a receiver that fails for 120 hours is disabled, by the clock", async () => {
  const { token, endpoint } = await sandboxEndpoint();
  await simulate(token, endpoint, { receiver: "error", seconds: 7 * 86_400 });
  await scene.tell(endpoint);
  await scene.deliver(endpoint);
  // Its retries, and those of events that come meanwhile.
  for (let hour = 0; hour <= 121; hour += 11) {
    await service.clock.advance({ hours: 11 });
    await scene.tell(endpoint);
    await scene.deliver(endpoint);
  }
  // The token has expired meanwhile.
  const { because } = await db.one<{ because: string }>(sql`
    select disabled_because as because from webhook_endpoints
    where endpoint_id = ${endpoint.endpointId}`);
  assert.equal(because, "failing");
});

test("a later call replaces it, and no seconds end it", async () => {
  const { token, endpoint } = await sandboxEndpoint();
  await simulate(token, endpoint, { receiver: "error", seconds: 600 });
  const second = await simulate(token, endpoint, { receiver: "ok", seconds: 0 });
  assert.deepEqual(
    [second.body.data.simulated_receiver, second.body.data.simulated_until],
    [null, null],
  );
  const { delivery } = await attempted(endpoint);
  assert.equal(delivery.state, "delivered");
});

test("live and foreign endpoints are 404, bad fields 400, other scopes 403", async () => {
  const { token, endpoint } = await sandboxEndpoint();
  const of = { accountNumber: endpoint.accountNumber, environment: "live" } as const;
  const live = await scene.endpoint({ of });
  const stranger = await sandboxEndpoint();
  const good = { receiver: "ok", seconds: 60 };
  assert.equal((await simulate(token, live, good)).status, 404);
  assert.equal((await simulate(stranger.token, endpoint, good)).status, 404);
  for (const bad of [
    { receiver: "maybe", seconds: 60 },
    { receiver: "ok", seconds: -1 },
    { receiver: "ok", seconds: 604_801 },
    { receiver: "ok" },
    { seconds: 60 },
  ])
    assert.equal((await simulate(token, endpoint, bad)).status, 400);
  const person = await service.world.merchant();
  const narrow = await mintToken(service.ctx, person, ["svc-user-update", "svc-user-retrieve"]);
  assert.equal((await simulate(narrow.token, endpoint, good)).status, 403);
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from webhook_endpoints where simulated_until > app_now()
      and endpoint_id = any (${[live.endpointId, endpoint.endpointId]}::uuid[])`);
  assert.equal(count, 0);
});

/**
 * The guarantee: an operator sees which endpoints fail, since when and why, and lets one begin anew
 * as its owner could; what an owner disabled stays disabled (Decision 0073).
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { auditOf, expectRefusals, operatorJson, SIGNED } from "../../testkit/operator.ts";
import { setScene, type TestEndpoint } from "../../testkit/webhooks.ts";

const scene = await setScene();
const { service } = scene;
const { db } = service.ctx;

const failing = (of: TestEndpoint) =>
  operatorJson(service, ["failing-webhooks", "--account", of.accountNumber]);
const show = ({ endpointId }: TestEndpoint) => operatorJson(service, ["show-webhook", endpointId]);
const revive = ({ endpointId }: TestEndpoint) =>
  operatorJson(service, ["revive-webhook", endpointId, ...SIGNED]);

/** An endpoint that answered 500 to one event, which waits for its next try. */
async function failed(): Promise<{ endpoint: TestEndpoint; eventId: string }> {
  const endpoint = await scene.endpoint({ behaviour: 500 });
  const [eventId = ""] = await scene.tell(endpoint);
  await scene.deliver(endpoint);
  return { endpoint, eventId };
}

test("a failing endpoint is listed with since when, what it said last and how many wait", async () => {
  const { endpoint } = await failed();
  const { webhooks, is_complete } = await failing(endpoint);
  assert.equal(is_complete, true);
  const [one] = webhooks;
  assert.deepEqual(
    [webhooks.length, one.id, one.account_number, one.state, one.waiting, one.last],
    [1, endpoint.endpointId, endpoint.accountNumber, "failing", 1, "status 500"],
  );
  assert(one.in_trouble_since <= one.last_tried_at || one.last_tried_at !== null);
  assert.doesNotMatch(JSON.stringify(webhooks), /secret_box|whsec/);
  const shown = await show(endpoint);
  assert.deepEqual([shown.state, shown.attempts.length], ["failing", 1]);
  assert.equal(shown.attempts[0].response_status, 500);
});

test("reviving one that fails makes what waits due at once, and its failures are forgotten", async () => {
  const { endpoint, eventId } = await failed();
  const before = await scene.delivery(endpoint, eventId);
  endpoint.receiver.behave("well");
  const done = await revive(endpoint);
  assert.equal(done.outcome, "made due");
  const due = await scene.delivery(endpoint, eventId);
  assert(due.due_at !== null && before.due_at !== null && due.due_at < before.due_at);
  assert.equal(due.round, before.round + 1);
  await scene.deliver(endpoint);
  assert.equal((await scene.delivery(endpoint, eventId)).state, "delivered");
  assert.deepEqual((await failing(endpoint)).webhooks, []);
  assert.deepEqual((await auditOf(service)).at(-1), {
    action: "webhook_revived",
    account_number: endpoint.accountNumber,
    actor: "operator D. Joseph",
    detail: { why: "ticket 4711", webhook_id: endpoint.endpointId, outcome: "made due" },
  });
  assert.equal((await show(endpoint)).audit[0].action, "webhook_revived");
});

for (const because of ["failing", "gone"] as const)
  test(`reviving one that was disabled (${because}) sends what happens from then on only`, async () => {
    const { endpoint, eventId } = await failed();
    await db.run(sql`
      update webhook_endpoints set status = 'disabled', disabled_because = ${because},
        next_due_at = null
      where endpoint_id = ${endpoint.endpointId}`);
    const { webhooks } = await failing(endpoint);
    assert.equal(webhooks[0].state, `disabled (${because})`);
    endpoint.receiver.behave("well");
    assert.equal((await revive(endpoint)).outcome, "enabled");
    assert.equal((await scene.delivery(endpoint, eventId)).state, "cancelled");
    const [next = ""] = await scene.tell(endpoint);
    await scene.deliver(endpoint);
    assert.equal((await scene.delivery(endpoint, next)).state, "delivered");
    assert.deepEqual((await failing(endpoint)).webhooks, []);
  });

test("what is healthy, unknown, deleted or disabled by its owner is refused in words", async () => {
  const healthy = await scene.endpoint();
  const [asked, deleted] = [await scene.endpoint(), await scene.endpoint()];
  await db.run(sql`
    update webhook_endpoints set status = 'disabled', disabled_because = 'asked'
    where endpoint_id = ${asked.endpointId}`);
  await db.run(sql`
    update webhook_endpoints set status = 'deleted' where endpoint_id = ${deleted.endpointId}`);
  const unknown = "00000000-0000-4000-8000-000000000000";
  const none = (id: string) => `There is no webhook endpoint ${id}.`;
  const command = (id: string) => ["revive-webhook", id, ...SIGNED];
  await expectRefusals(service, [
    [
      command(healthy.endpointId),
      `Webhook endpoint ${healthy.endpointId} is active and does not fail.`,
    ],
    [
      command(asked.endpointId),
      `Webhook endpoint ${asked.endpointId} was disabled by its owner, who alone enables it again.`,
    ],
    [command(deleted.endpointId), none(deleted.endpointId)],
    [command(unknown), none(unknown)],
    [["show-webhook", unknown], none(unknown)],
    [["show-webhook", "x"], "The webhook id must look like 5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d."],
  ]);
  assert.deepEqual((await failing(asked)).webhooks, []);
});

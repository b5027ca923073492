/**
 * Disabling and deleting: what waits is cancelled and never comes back by itself, no attempt begins
 * once it was answered, and a queue of any length keeps nobody waiting.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { beginAttempts } from "../../../src/modules/webhooks/begin-attempts.ts";
import { cancelDeliveriesJob } from "../../../src/modules/webhooks/cancel-deliveries.ts";
import { claimEndpoints } from "../../../src/modules/webhooks/claim-endpoint.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  type Body,
  deliveriesOf,
  endDelivery,
  happen,
  makeEndpoint,
  openShop,
  post,
  type Shop,
} from "../../../testkit/webhook-endpoints.ts";

let service: TestService;
let shop: Shop;
let endpoint: Body;
before(async () => {
  service = await startService();
});
beforeEach(async () => {
  shop = await openShop(service);
  endpoint = await makeEndpoint(service, shop);
});
after(() => service.stop());

const turn = (status: string) =>
  service.request(`/webhooks/${endpoint.id}`, {
    method: "PATCH",
    token: shop.token,
    json: { status },
  });
const remove = () =>
  service.request(`/webhooks/${endpoint.id}`, { method: "DELETE", token: shop.token });
const STOPS: [string, () => Promise<{ status: number }>][] = [
  ["disabling", () => turn("disabled")],
  ["deleting", remove],
];

async function states(): Promise<Record<string, number>> {
  const rows = await service.ctx.db.rows<{ state: string; count: number }>(sql`
    select state, count(*)::int as count from webhook_deliveries
    where endpoint_id = ${endpoint.id} group by state order by state`);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

for (const [name, stop] of STOPS)
  describe(name, () => {
    test("cancels what waits and leaves what has ended", async () => {
      await happen(service, shop, Array(3).fill("payment.success"));
      const [one] = await deliveriesOf(service, shop, endpoint.id);
      await endDelivery(service, one.id, { state: "delivered" });
      assert.equal((await stop()).status, 200);
      assert.deepEqual(await states(), { cancelled: 2, delivered: 1 });
      await happen(service, shop);
      assert.deepEqual(await states(), { cancelled: 2, delivered: 1 }, "it is told nothing new");
    });

    test("answered, no attempt begins, not even by the process that holds the endpoint", async () => {
      await happen(service, shop, Array(2).fill("payment.success"));
      const { db } = service.ctx;
      const [held] = await claimEndpoints(db, [endpoint.id]);
      assert(held !== undefined);
      const [first, second] = held.due;
      assert(first !== undefined && second !== undefined);
      const begin = (deliveryId: string) =>
        beginAttempts(service.ctx, [{ claim: held.claim, deliveryId }]);
      assert.notEqual((await begin(first.deliveryId))[0], undefined);
      await stop();
      assert.deepEqual(await begin(second.deliveryId), [undefined]);
      assert.deepEqual(await begin(first.deliveryId), [undefined]);
      assert.deepEqual(await claimEndpoints(db, [endpoint.id]), [undefined]);
    });

    test("a queue of thousands is answered at once and cleared by a job", async () => {
      await happen(service, shop);
      await queueMore(2_500);
      assert.equal((await stop()).status, 200);
      assert.deepEqual(await states(), { cancelled: 1_000, waiting: 1_501 });
      if (name === "disabling") {
        // Not before the old ones are out of the way; they would be sent.
        await turn("active").then(({ status }) => assert.equal(status, 409));
        assert.deepEqual(await states(), { cancelled: 1_000, waiting: 1_501 });
      }
      const jobs = await service.ctx.db.rows<{ payload: unknown }>(sql`
        select payload from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        where identifier = ${cancelDeliveriesJob.name}
          and payload ->> 'endpointId' = ${endpoint.id}`);
      assert.equal(jobs.length, 1);
      await cancelDeliveriesJob.run(service.ctx, jobs[0]?.payload);
      assert.deepEqual(await states(), { cancelled: 2_501 });
    });
  });

describe("enabling", () => {
  test("revives nothing: what happens from then on is sent", async () => {
    await happen(service, shop);
    await turn("disabled");
    await happen(service, shop);
    const { data } = (await turn("active")).body;
    assert.equal(data.status, "active");
    assert.deepEqual(await states(), { cancelled: 1 });
    await happen(service, shop);
    assert.deepEqual(await states(), { cancelled: 1, waiting: 1 });
  });

  test("never lets the clearing job touch what came later", async () => {
    await turn("disabled");
    await turn("active");
    await happen(service, shop);
    await cancelDeliveriesJob.run(service.ctx, { endpointId: endpoint.id });
    assert.deepEqual(await states(), { waiting: 1 });
  });
});

test("a test event of a disabled endpoint is 409 and stands in no feed", async () => {
  await turn("disabled");
  const answer = await post(service, `/webhooks/${endpoint.id}/test`, shop);
  const message = "The webhook endpoint is disabled. Enable it first.";
  assert.deepEqual([answer.status, answer.body], [409, { message }]);
  const events = sql`select 1 from events where account_number = ${shop.accountNumber}`;
  assert.deepEqual(await service.ctx.db.rows(events), []);
});

/** As many more that wait, each with its event. */
async function queueMore(count: number): Promise<void> {
  const { accountNumber } = shop;
  await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      insert into webhook_deliveries (endpoint_id, event_id, sequence, resource, due_at)
      select ${endpoint.id}, 'evt_' || ${accountNumber} || i, 1 + i, 'TT-' || i, app_now()
      from generate_series(1, ${count}::int) as i`);
  });
}

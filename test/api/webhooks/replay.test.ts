/**
 * Sending again: the same delivery with a new round of attempts. A replay finds what happened in
 * its span by the endpoint's filter, sent before or not, and tells where it stopped when there is
 * more.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
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
  UNKNOWN_ID,
} from "../../../testkit/webhook-endpoints.ts";

const EVER = "2020-01-01T00:00:00Z";
const DISABLED = "The webhook endpoint is disabled. Enable it first.";

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

const replay = (json: Record<string, unknown>, id = endpoint.id) =>
  post(service, `/webhooks/${id}/replay`, shop, { json });
const resend = (delivery: string, id = endpoint.id) =>
  post(service, `/webhooks/${id}/deliveries/${delivery}/resend`, shop);
const list = (query = "") => deliveriesOf(service, shop, endpoint.id, query);
const disable = (id = endpoint.id) => turn(id, "disabled");
const turn = (id: string, status: string) =>
  service.request(`/webhooks/${id}`, { method: "PATCH", token: shop.token, json: { status } });
const queued = (count: number) => ({ queued: count, is_complete: true, next: null });

async function isAwake(id = endpoint.id): Promise<boolean> {
  const { due } = await service.ctx.db.one<{ due: boolean }>(sql`
    select coalesce(next_due_at <= app_now(), false) as due from webhook_endpoints
    where endpoint_id = ${id}`);
  return due;
}

async function rest(): Promise<void> {
  await service.ctx.db.run(sql`
    update webhook_endpoints set next_due_at = null where endpoint_id = ${endpoint.id}`);
}

describe("POST …/resend", () => {
  for (const state of ["delivered", "failed"] as const)
    test(`makes one that was ${state} wait again, due now, with a whole round`, async () => {
      await happen(service, shop);
      const [before] = await list();
      await endDelivery(service, before.id, { state });
      await rest();
      await service.clock.advance({ seconds: 5 });
      const { status, body } = await resend(before.id);
      assert.equal(status, 202);
      assert.equal(body.message, "Accepted");
      const { next_attempt_at, attempts, ...now } = body.data;
      assert.deepEqual(now, {
        ...{ id: before.id, event: before.event, event_id: before.event_id },
        ...{ sequence: before.sequence, request: before.request, created_at: before.created_at },
        ...{ state: "waiting", attempt_count: 1, ended_at: null },
      });
      assert(next_attempt_at > before.created_at);
      assert.equal(attempts.length, 1, "what was tried stays on record");
      const row = sql`select 1 from webhook_deliveries
        where delivery_id = ${before.id} and round_attempt_count = 0`;
      assert.equal((await service.ctx.db.rows(row)).length, 1);
      assert(await isAwake());
    });

  test("brings one forward that waits for its next try", async () => {
    await happen(service, shop);
    const [{ id }] = await list();
    await service.ctx.db.run(sql`
      update webhook_deliveries set due_at = app_now() + interval '5 hours', attempt_count = 5,
        round_attempt_count = 5 where delivery_id = ${id}`);
    const { body } = await resend(id);
    const due = Date.parse(body.data.next_attempt_at);
    const { now } = await service.ctx.db.one<{ now: Date }>(sql`select app_now() as now`);
    assert(due <= now.getTime());
  });

  test("of a disabled endpoint is 409; of an unknown delivery 404, and nothing waits", async () => {
    await happen(service, shop);
    const [{ id }] = await list();
    for (const other of [UNKNOWN_ID, "x", "%00", endpoint.id])
      assert.equal((await resend(other)).status, 404);
    const second = await makeEndpoint(service, shop);
    assert.equal((await resend(id, second.id)).status, 404, "of another endpoint of one's own");
    await disable();
    const answer = await resend(id);
    assert.deepEqual([answer.status, answer.body], [409, { message: DISABLED }]);
    assert.equal((await list())[0].state, "cancelled");
    assert.equal(await isAwake(), false);
  });
});

describe("POST …/replay", () => {
  test("sends what happened before the endpoint existed, once each, in one round", async () => {
    const ids = await happen(service, shop, ["payment.created", "payment.success"]);
    const late = await makeEndpoint(service, shop);
    const { status, body } = await replay({ since: EVER }, late.id);
    assert.equal(status, 202);
    assert.deepEqual(body, { message: "Accepted", data: queued(2) });
    const shown = await deliveriesOf(service, shop, late.id);
    assert.deepEqual(new Set(shown.map(({ event_id }) => event_id)), new Set(ids));
    assert(shown.every(({ state }) => state === "waiting"));
    assert(await isAwake(late.id));
    assert.deepEqual((await replay({ since: EVER }, late.id)).body.data, queued(2));
    assert.equal((await deliveriesOf(service, shop, late.id)).length, 2, "no delivery twice");
  });

  test("keeps to the span, both ends included", async () => {
    const times: string[] = [];
    for (let i = 0; i < 3; i++) {
      await happen(service, shop);
      times.push(JSON.parse((await list())[0].request.body).occurred_at);
      await service.clock.advance({ seconds: 2 });
    }
    const late = await makeEndpoint(service, shop);
    const count = async (json: Record<string, unknown>) =>
      (await replay(json, late.id)).body.data.queued;
    assert.equal(await count({ since: times[0] }), 3);
    assert.equal(await count({ since: times[1] }), 2);
    assert.equal(await count({ since: times[0], until: times[1] }), 2);
    assert.equal(await count({ since: times[1], until: times[1] }), 1);
    assert.equal(await count({ since: "2199-01-01T00:00:00Z" }), 0);
  });

  test("keeps to what the endpoint is told, and to the events asked for", async () => {
    await happen(service, shop, ["payment.created", "payment.success", "payment.failed"]);
    await happen(service, shop, ["payment.success"], { environment: "sandbox" });
    await happen(service, await openShop(service));
    await happen(service, shop, ["webhook.test"], { onlyEndpointId: endpoint.id });
    const narrow = await makeEndpoint(service, shop, {
      events: ["payment.success", "payment.failed"],
    });
    const count = async (more: Record<string, unknown>, id = narrow.id) =>
      (await replay({ since: EVER, ...more }, id)).body.data.queued;
    assert.equal(await count({ events: "payment.created,payment.failed" }), 1);
    assert.equal(await count({}), 2);
    assert.equal(await count({ events: ["webhook.test"] }), 0, "a test of another endpoint");
    assert.equal(await count({ events: "*" }, endpoint.id), 3, "without its own test");
    const wide = await makeEndpoint(service, shop);
    assert.equal(await count({}, wide.id), 3, "without that of another");
    const seen = await deliveriesOf(service, shop, narrow.id);
    assert.deepEqual(seen.map(({ event }) => event).sort(), ["payment.failed", "payment.success"]);
  });

  test("only_failed leaves out what was acknowledged, and that alone", async () => {
    await happen(service, shop, Array(4).fill("payment.success"));
    const [delivered, failed, waiting] = await list();
    await endDelivery(service, delivered.id, { state: "delivered" });
    await endDelivery(service, failed.id, { state: "failed" });
    await disable();
    await happen(service, shop);
    await turn(endpoint.id, "active");
    assert.equal((await list("?state=cancelled")).length, 2);
    const { body } = await replay({ since: EVER, only_failed: true });
    assert.deepEqual(body.data, queued(4), "failed, two cancelled, one never sent");
    assert.deepEqual(
      (await list("?state=delivered")).map(({ id }) => id),
      [delivered.id],
    );
    assert((await list("?state=waiting")).some(({ id }) => id === waiting.id));
    assert.equal((await replay({ since: EVER })).body.data.queued, 5);
    assert.equal((await list("?state=delivered")).length, 0);
  });

  test("as a form too", async () => {
    await happen(service, shop);
    const form = { since: EVER, until: "2199-01-01T00:00:00Z", only_failed: "true", events: "*" };
    const answer = await post(service, `/webhooks/${endpoint.id}/replay`, shop, { form });
    assert.deepEqual([answer.status, answer.body.data], [202, queued(1)]);
  });

  const REFUSED: [string, Record<string, unknown>, string][] = [
    ["no since", {}, "The since field is required."],
    [
      "a since without a zone",
      { since: "2026-01-01T00:00:00" },
      "The since must be a time such as 2027-01-31T12:00:00Z.",
    ],
    ["a number", { since: 0 }, "The since must be a string."],
    [
      "a bad until",
      { since: EVER, until: "now" },
      "The until must be a time such as 2027-01-31T12:00:00Z.",
    ],
    [
      "an until before it",
      { since: EVER, until: "2019-12-31T23:59:59Z" },
      "The until must not be before the since.",
    ],
    ["no such event", { since: EVER, events: ["x"] }, "The events field has invalid values."],
    [
      "a word for only_failed",
      { since: EVER, only_failed: "yes" },
      "The only failed must be true or false.",
    ],
    [
      "an after below 0",
      { since: EVER, after: -1 },
      "The after must be a whole number from 0 to 999999999999999.",
    ],
  ];
  for (const [what, json, message] of REFUSED)
    test(`with ${what} is refused, and nothing waits`, async () => {
      const answer = await replay(json);
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
      assert.deepEqual(await list(), []);
    });

  test("of a disabled endpoint is 409, and nothing waits", async () => {
    await happen(service, shop);
    await disable();
    const answer = await replay({ since: EVER });
    assert.deepEqual([answer.status, answer.body], [409, { message: DISABLED }]);
    assert.deepEqual(await list("?state=waiting"), []);
  });

  test("of 23,000 at one moment goes on from where it stopped: none missed, none twice", async () => {
    await fillEvents(23_000);
    const counts: number[] = [];
    let asked: Record<string, unknown> = { since: EVER };
    for (;;) {
      const { body } = await replay(asked);
      counts.push(body.data.queued);
      assert.equal(body.data.is_complete, body.data.next === null);
      if (body.data.is_complete) break;
      asked = { ...asked, ...body.data.next };
    }
    assert.deepEqual(counts, [...Array(11).fill(2_000), 1_000]);
    const { told } = await service.ctx.db.one<{ told: number }>(sql`
      select count(*)::int as told from webhook_deliveries
      where endpoint_id = ${endpoint.id} and state = 'waiting'`);
    assert.equal(told, 23_000);
  });
});

/** As many numbered events of this shop, all of the same moment, none of which was sent. */
async function fillEvents(count: number): Promise<void> {
  const { accountNumber } = shop;
  await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      insert into events (event_id, account_number, environment, api_family, event, resource,
        sequence, body)
      select 'evt_' || ${accountNumber} || lpad(i::text, 22, '0'), ${accountNumber}, 'live',
        'payments_api', 'payment.success', 'TT-' || i, i, '{}'
      from generate_series(1, ${count}::int) as i`);
  });
}

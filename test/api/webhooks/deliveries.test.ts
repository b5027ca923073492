/**
 * What an owner sees of deliveries: the request as it is sent but for its signatures, each attempt
 * and what came back, newest first; and that a long list costs no more than a short one.
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
  number,
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

const list = (query = "") => deliveriesOf(service, shop, endpoint.id, query);

describe("a delivery", () => {
  test("shows the request to the byte, without a signature, and when it is due", async () => {
    const [eventId = ""] = await happen(service, shop);
    const [shown] = await list();
    const stored = await service.ctx.db.one<{ body: string; sequence: bigint }>(sql`
      select body, sequence from events where event_id = ${eventId}`);
    const { id, next_attempt_at, created_at, ...rest } = shown;
    assert(Math.abs(Date.parse(next_attempt_at) - Date.parse(created_at)) <= 1);
    assert.deepEqual(rest, {
      event: "payment.success",
      event_id: eventId,
      sequence: Number(stored.sequence),
      state: "waiting",
      attempt_count: 0,
      attempts: [],
      request: {
        url: endpoint.url,
        headers: {
          "content-type": "application/json",
          "user-agent": "Windward-Webhooks/1",
          "webhook-id": eventId,
          "X-SVC-Webhook-Event": "payment.success",
          "X-SVC-Webhook-Id": eventId,
          "X-SVC-Webhook-Version": "v1",
        },
        body: stored.body,
      },
      ended_at: null,
    });
    assert(stored.body.includes("🎉"));
  });

  test("shows what a receiver answered as foreign text, 1,024 characters at most", async () => {
    await happen(service, shop);
    const [{ id }] = await list();
    const head = `<script>alert(1)</script>"\\\u0007\u202e${"é".repeat(900)}`;
    await endDelivery(service, id, { state: "failed", status: 500, head });
    const path = `/webhooks/${endpoint.id}/deliveries`;
    const answer = await service.request(path, { token: shop.token });
    assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    const [shown] = answer.body.data;
    assert.deepEqual([shown.state, shown.next_attempt_at], ["failed", null]);
    assert.notEqual(shown.ended_at, null);
    const [{ began_at, ...attempt }] = shown.attempts;
    assert.deepEqual(attempt, {
      attempt: 1,
      duration_ms: 12,
      response_status: 500,
      response_head: head,
      failure: null,
    });
    await assert.rejects(
      service.ctx.db.run(sql`
        update webhook_attempts set response_head = ${"x".repeat(1025)} where delivery_id = ${id}`),
      /response_head_has_at_most_1024_characters/,
    );
  });

  test("shows its latest 20 attempts, oldest first, and how many there were", async () => {
    await happen(service, shop);
    const [{ id }] = await list();
    for (let i = 0; i < 23; i++) await endDelivery(service, id, { state: "failed" });
    const [shown] = await list();
    const numbers = shown.attempts.map((one: Body) => one.attempt);
    assert.deepEqual(
      numbers,
      Array.from({ length: 20 }, (_, i) => i + 4),
    );
    assert.equal(shown.attempt_count, 23);
  });

  test("shows an attempt that is under way without an end", async () => {
    await happen(service, shop);
    const [{ id }] = await list();
    await service.ctx.db.run(sql`
      insert into webhook_attempts (delivery_id, attempt, began_at) values (${id}, 1, app_now())`);
    const [{ attempts }] = await list();
    assert.deepEqual(
      { ...attempts[0], began_at: 0 },
      {
        attempt: 1,
        began_at: 0,
        duration_ms: null,
        response_status: null,
        response_head: null,
        failure: null,
      },
    );
  });
});

describe("the list", () => {
  test("is newest first, page by page, whatever their states", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) {
      ids.push(...(await happen(service, shop)));
      await service.clock.advance({ seconds: 1 });
    }
    const all = await list();
    assert.deepEqual(
      all.map(({ event_id }) => event_id),
      ids.toReversed(),
    );
    await endDelivery(service, all[1].id, { state: "delivered" });
    await endDelivery(service, all[4].id, { state: "failed" });
    const seen: string[] = [];
    let next: string | null = `/webhooks/${endpoint.id}/deliveries?page_size=3`;
    while (next !== null) {
      const { body } = await service.request(next, { token: shop.token });
      assert.deepEqual([body.meta.total, body.meta.last_page], [7, 3]);
      seen.push(...body.data.map(({ event_id }: Body) => event_id));
      const url: string | null = body.links.next;
      next = url === null ? null : new URL(url).pathname + new URL(url).search;
    }
    assert.deepEqual(seen, ids.toReversed());
    const states = async (query: string) => (await list(query)).map(({ id }) => id);
    assert.deepEqual(await states("?state=delivered"), [all[1].id]);
    assert.deepEqual(await states("?state=failed"), [all[4].id]);
    assert.equal((await states("?state=waiting")).length, 5);
    assert.deepEqual(await states("?state=cancelled"), []);
    const { created_at: at } = all[3];
    const day = encodeURIComponent(at);
    assert.equal((await states(`?since=${day}`)).length, 4, "that moment included");
    assert.equal((await states(`?until=${day}`)).length, 4, "that moment included");
    assert.deepEqual(await states(`?since=${day}&until=${day}`), [all[3].id]);
    assert.deepEqual(await states("?page=9"), []);
  });

  const REFUSED: [string, string][] = [
    ["state=new", "The state must be one of: waiting, delivered, failed, cancelled."],
    ["since=2026-01-01", "The since must be a time such as 2027-01-31T12:00:00Z."],
    ["until=x", "The until must be a time such as 2027-01-31T12:00:00Z."],
    ["page=0", "The page must be a whole number from 1 to 1000000."],
    ["page_size=101", "The page size must be a whole number from 1 to 100."],
  ];
  for (const [query, message] of REFUSED)
    test(`${query} is refused`, async () => {
      const path = `/webhooks/${endpoint.id}/deliveries?${query}`;
      const answer = await service.request(path, { token: shop.token });
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
    });

  test("holds an event of its own account and environment that it asked for, and no other", async () => {
    const { id } = await makeEndpoint(service, shop, { events: ["payment.failed"] });
    const sandbox = await makeEndpoint(service, shop, { environment: "sandbox" });
    const stranger = await openShop(service);
    const theirs = await makeEndpoint(service, stranger);
    await happen(service, shop, ["payment.success", "payment.failed"]);
    await happen(service, shop, ["payment.error"], { environment: "sandbox" });
    const events = async (who: Shop, of: string) =>
      (await deliveriesOf(service, who, of)).map(({ event }) => event);
    assert.deepEqual(await events(shop, id), ["payment.failed"]);
    assert.deepEqual(await events(shop, sandbox.id), ["payment.error"]);
    assert.deepEqual((await events(shop, endpoint.id)).sort(), [
      "payment.failed",
      "payment.success",
    ]);
    assert.deepEqual(await events(stranger, theirs.id), []);
  });

  test("of 30,000 tells 10,000, reads few of them, and `until` leads to the others", async () => {
    const { db } = service.ctx;
    await fillDeliveries(30_000);
    const path = `/webhooks/${endpoint.id}/deliveries`;
    const first = await service.request(`${path}?page_size=100`, { token: shop.token });
    assert.deepEqual(first.body.meta, {
      page: 1,
      page_size: 100,
      total: 10_000,
      last_page: 100,
    });
    const last = await service.request(`${path}?page=100&page_size=100`, { token: shop.token });
    assert.equal(last.body.data.length, 100);
    assert.equal(last.body.links.next, null);
    const until = encodeURIComponent(last.body.data.at(-1).created_at);
    const older = await service.request(`${path}?until=${until}`, { token: shop.token });
    assert.equal(older.body.data[0].id, last.body.data.at(-1).id);
    assert.equal(older.body.data.length, 20);
    const rare = await service.request(`${path}?state=failed`, { token: shop.token });
    assert.equal(rare.body.meta.total, 3);
    // As an owner would leave it: statistics or not, the index decides.
    const plan = await db.rows<{ "QUERY PLAN": string }>(sql`
      explain select delivery_id from webhook_deliveries
      where endpoint_id = ${endpoint.id} and state = 'failed'
      order by created_at desc, delivery_id desc limit 20`);
    assert.match(
      JSON.stringify(plan),
      /Index (Only )?Scan Backward using webhook_deliveries_by_st/,
    );
  });
});

describe("POST /webhooks/{id}/test", () => {
  test("sends webhook.test to that endpoint alone, whatever its filter, and tells the feed", async () => {
    const narrow = await makeEndpoint(service, shop, { events: ["payment.failed"] });
    const answer = await post(service, `/webhooks/${narrow.id}/test`, shop);
    assert.equal(answer.status, 202);
    await number(service);
    const [delivery, ...rest] = await deliveriesOf(service, shop, narrow.id);
    assert.deepEqual(rest, []);
    assert.deepEqual(
      [delivery.event, delivery.event_id],
      ["webhook.test", answer.body.data.event_id],
    );
    const body = JSON.parse(delivery.request.body);
    assert.deepEqual(
      [body.api_family, body.data.id, body.data.url],
      ["account_api", narrow.id, narrow.url],
    );
    assert(!delivery.request.body.includes("whsec_"));
    assert.deepEqual(await list(), []);
  });
});

/** Of as many events, a second apart: delivered but for the oldest three, which failed. */
async function fillDeliveries(count: number): Promise<void> {
  const { accountNumber } = shop;
  const [eventId = ""] = await happen(service, shop);
  await service.ctx.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      insert into events (event_id, account_number, environment, api_family, event, resource,
        sequence, body)
      select 'evt_' || ${accountNumber} || lpad(i::text, 22, '0'), account_number, environment,
        api_family, event, resource, 1 + i, body
      from events, generate_series(1, ${count}::int) as i where event_id = ${eventId}`);
    await tx.run(sql`
      insert into webhook_deliveries (endpoint_id, event_id, sequence, resource, state, ended_at,
        created_at)
      select ${endpoint.id}, event_id, sequence, resource,
        case when sequence <= 4 then 'failed' else 'delivered' end, app_now(),
        app_now() - make_interval(secs => ${count} - sequence)
      from events where account_number = ${accountNumber} and sequence > 1`);
  });
}

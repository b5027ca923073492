/**
 * Event ids are UUIDs of version 7, so that a receiver may keep them in a `uuid` column; an event
 * that was recorded with another id keeps it wherever it is shown or sent (Decision 0067).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { sql } from "../../src/infra/db/query.ts";
import { formToken } from "../../src/modules/checkout/page/form-token.ts";
import { settleRefund } from "../../src/modules/transactions/settle-refunds.ts";
import { fund } from "../../testkit/books.ts";
import { ask, minimal } from "../../testkit/payment-requests.ts";
import type { Behaviour, Received } from "../../testkit/receivers.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { setScene } from "../../testkit/webhooks.ts";
import { expectAllToAddUp, refundOf } from "../api/transactions/refund-support.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const OLD_ID = "evt_019a86f0c4d27b1e5a3f9c2d8e4b6a70";

const scene = await setScene();
const { service } = scene;
const { db, config } = service.ctx;

const endpointOf = async ({ accountNumber }: Shop, behaviour: Behaviour = "well") =>
  scene.endpoint({ of: { accountNumber, environment: "sandbox" }, behaviour });

function expectToVerify({ body, headers }: Received, secret: string): void {
  new StandardWebhook(secret).verify(body, headers);
  new SvixWebhook(secret).verify(body, headers);
}

/** Asked for and paid as a shop and its customer do it: over HTTP, with the page's form. */
async function buy({ accountNumber }: Shop): Promise<string> {
  const asked = await ask(service, minimal(accountNumber));
  assert.equal(asked.status, 200, asked.text);
  const path = new URL(asked.body.url).pathname;
  const token = path.split("/")[2] ?? "";
  const paid = await service.request(path, {
    method: "POST",
    headers: {
      origin: new URL(config.http.paymentsPublicUrl).origin,
      "sec-fetch-site": "same-origin",
    },
    form: {
      attempts: "0",
      form_token: formToken(config, token),
      number: "4111111111111111",
      expiry: "09/35",
      cvv: "987",
      holder: "Maya Joseph",
    },
  });
  assert.equal(paid.status, 303, paid.text);
  return asked.body.transaction_id;
}

describe("a receiver that keeps ids in a uuid column", () => {
  test("gets created, success and refunded", async () => {
    await db.run(sql`
      create table receiver_inbox (webhook_id uuid primary key, header_id uuid not null,
        body_id uuid not null, event text not null, record jsonb not null)`);
    const shop = await openShop(service);
    await fund(db, shop.accountNumber, "1000.00 TTD", "sandbox");
    const endpoint = await endpointOf(shop, async ({ headers, body }, response) => {
      const { id, event, data } = JSON.parse(body);
      const kept = await db
        .run(sql`
          insert into receiver_inbox values (${headers["webhook-id"]},
            ${headers["x-svc-webhook-id"]}, ${id}, ${event}, ${JSON.stringify(data)}::jsonb)`)
        .then(
          () => 204,
          () => 500,
        );
      response.writeHead(kept).end();
    });
    const id = await buy(shop);
    await settleRefund(service.ctx, await refundOf(service, { shop, id }));
    await service.numberEvents();
    await scene.deliver(endpoint);
    const rows = await db.rows<{ event: string; webhook_id: string; has_one_id: boolean }>(sql`
      select event, webhook_id, webhook_id = header_id and webhook_id = body_id as has_one_id
      from receiver_inbox order by webhook_id`);
    assert.deepEqual(
      rows.map(({ event }) => event).sort(),
      ["created", "refund_requested", "refunded", "success"].map((name) => `payment.${name}`),
    );
    for (const { webhook_id, has_one_id } of rows) {
      assert.match(webhook_id, UUID_V7);
      assert(has_one_id, webhook_id);
    }
    for (const one of endpoint.receiver.received) expectToVerify(one, endpoint.secret);
    const { credited } = await db.one<{ credited: string[] }>(sql`
      select array_agg(distinct concat_ws(' ', record ->> 'total_credited',
        record ->> 'currency_credited', record ->> 'net')) as credited from receiver_inbox`);
    assert.deepEqual(credited, ["100.00 TTD 100.00"]);
    const { body } = await service.request(`/transactions/${id}`, { token: shop.token });
    assert(!("total_credited" in body.data) && !("currency_credited" in body.data));
    await expectAllToAddUp(service);
  });
});

describe("an id", () => {
  test("is a UUID of version 7 that begins with the time of its event", async () => {
    const shop = await openShop(service);
    const who = { accountNumber: shop.accountNumber, environment: "sandbox" } as const;
    const ids = await scene.tell(
      who,
      Array.from({ length: 200 }, () => ({})),
    );
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, UUID_V7);
    const wrong = await db.rows(sql`
      select event_id from events where account_number = ${shop.accountNumber}
        and ('x' || translate(left(event_id, 13), '-', ''))::bit(48)::bigint
          is distinct from floor(extract(epoch from occurred_at) * 1000)::bigint`);
    assert.deepEqual(wrong, []);
  });

  test("of an event recorded before stays as it was: tried, resent, replayed, listed", async () => {
    const shop = await openShop(service);
    const endpoint = await endpointOf(shop, 500);
    await db.run(sql`
      insert into events (event_id, account_number, environment, api_family, event, resource,
        record)
      values (${OLD_ID}, ${shop.accountNumber}, 'sandbox', 'payments_api', 'payment.success',
        'SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0', '{"total":"100.00"}')`);
    await service.numberEvents();
    await scene.deliver(endpoint);
    endpoint.receiver.behave("well");
    await service.clock.advance({ seconds: 7 });
    await scene.deliver(endpoint);
    const deliveries = `/webhooks/${endpoint.endpointId}/deliveries`;
    const listed = await service.request(deliveries, { token: shop.token });
    assert.equal(listed.body.data[0].event_id, OLD_ID);
    const json = { since: "2020-01-01T00:00:00Z" };
    for (const [path, more] of [
      [`${deliveries}/${listed.body.data[0].id}/resend`, {}],
      [`/webhooks/${endpoint.endpointId}/replay`, { json }],
    ] as const) {
      const again = await service.request(path, { method: "POST", token: shop.token, ...more });
      assert.equal(again.status, 202, again.text);
      await scene.deliver(endpoint);
    }
    const { received, ids } = endpoint.receiver;
    assert.equal(received.length, 4);
    assert.deepEqual([...ids], [OLD_ID]);
    for (const one of received) {
      assert.equal(one.headers["x-svc-webhook-id"], OLD_ID);
      assert.equal(JSON.parse(one.body).id, OLD_ID);
      expectToVerify(one, endpoint.secret);
    }
    const feed = await service.request("/events?environment=sandbox", { token: shop.token });
    assert.deepEqual(
      feed.body.data.map(({ id }: { id: string }) => id),
      [OLD_ID],
    );
  });
});

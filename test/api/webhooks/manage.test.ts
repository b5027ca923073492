/**
 * Listing, reading, changing, disabling, deleting and rotating endpoints: what each answers, and
 * that a secret is never shown again.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { ENDPOINT_COLUMNS, type EndpointRow } from "../../../src/modules/webhooks/endpoint.ts";
import { secretsOf } from "../../../src/modules/webhooks/endpoint-secret.ts";
import { type RequestOptions, startService, type TestService } from "../../../testkit/service.ts";
import {
  type Body,
  deliveriesOf,
  makeEndpoint,
  newUrl,
  openShop,
  post,
  type Shop,
  UNKNOWN_ID,
} from "../../../testkit/webhook-endpoints.ts";

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
});
beforeEach(async () => {
  shop = await openShop(service);
});
after(() => service.stop());

const at = (id: string, more: RequestOptions = {}) =>
  service.request(`/webhooks/${id}`, { token: shop.token, ...more });
const change = (id: string, json: unknown) => at(id, { method: "PATCH", json });
const list = (query = "") => service.request(`/webhooks${query}`, { token: shop.token });
const rotate = (id: string) => post(service, `/webhooks/${id}/rotate`, shop);
const rowOf = (id: string) =>
  service.ctx.db.one<EndpointRow>(sql`
    select ${ENDPOINT_COLUMNS} from webhook_endpoints where endpoint_id = ${id}`);
const secretsAt = (row: EndpointRow, hours = 0) =>
  secretsOf(service.ctx.config.wrappingKeys, row, new Date(row.now.getTime() + hours * 3600_000));

describe("GET /webhooks", () => {
  test("lists the account's own, newest first, page by page, without a secret", async () => {
    const made = [];
    for (let i = 0; i < 5; i++) made.push(await makeEndpoint(service, shop));
    await makeEndpoint(service, await openShop(service));
    const seen: string[] = [];
    let next: string | null = "/webhooks?page_size=2";
    while (next !== null) {
      const { body, text } = await service.request(next, { token: shop.token });
      assert(!text.includes("whsec_"));
      assert.equal(body.meta.total, 5);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      const url: string | null = body.links.next;
      next = url === null ? null : new URL(url).pathname + new URL(url).search;
    }
    assert.deepEqual(seen, made.map(({ id }) => id).reverse());
  });

  test("narrows to an environment, and shows both without one", async () => {
    const live = await makeEndpoint(service, shop);
    const sandbox = await makeEndpoint(service, shop, { environment: "sandbox" });
    const ids = async (query: string) =>
      (await list(query)).body.data.map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids("?environment=live"), [live.id]);
    assert.deepEqual(await ids("?environment=sandbox"), [sandbox.id]);
    assert.deepEqual(await ids(""), [sandbox.id, live.id]);
    const { status, body } = await list("?environment=test");
    const message = "The environment must be one of: live, sandbox.";
    assert.deepEqual([status, body], [400, { message }]);
  });

  test("leaves out what was deleted, and shows what is disabled", async () => {
    const [gone, off] = [await makeEndpoint(service, shop), await makeEndpoint(service, shop)];
    await at(gone.id, { method: "DELETE" });
    await change(off.id, { status: "disabled" });
    const { data } = (await list()).body;
    assert.deepEqual(
      data.map((one: Record<string, unknown>) => [one.id, one.status, one.disabled_because]),
      [[off.id, "disabled", "asked"]],
    );
  });
});

describe("GET /webhooks/{id}", () => {
  test("shows what was made, but not its secret", async () => {
    const { secret, ...record } = await makeEndpoint(service, shop);
    const answer = await at(record.id);
    assert.deepEqual(answer.body, { message: "OK", data: record });
  });

  const NAMES_NOTHING = [UNKNOWN_ID, "0", "%00", "x".repeat(300), "%F0%9F%98%80", "..%2Fx"];
  for (const id of NAMES_NOTHING)
    test(`${id.slice(0, 40)} is a plain 404 for every verb`, async () => {
      const asked: RequestOptions[] = [
        {},
        { method: "DELETE" },
        { method: "PATCH", json: { description: "x" } },
      ];
      for (const more of asked)
        assert.deepEqual((await at(id, more)).body, { message: "Not Found" });
      for (const verb of ["rotate", "test", "deliveries/x/resend"])
        assert.equal((await post(service, `/webhooks/${id}/${verb}`, shop)).status, 404);
      assert.equal((await at(`${id}/deliveries`)).status, 404);
    });
});

describe("PATCH /webhooks/{id}", () => {
  test("changes what is sent and leaves the rest", async () => {
    const { secret, ...old } = await makeEndpoint(service, shop, { description: "Till" });
    await service.clock.advance({ seconds: 1 });
    const url = newUrl();
    const answer = await change(old.id, { url, events: "payment.failed", environment: "live" });
    assert.equal(answer.status, 200);
    const { changed_at, ...now } = answer.body.data;
    const { changed_at: before, ...was } = old;
    assert.deepEqual(now, { ...was, url, events: ["payment.failed"] });
    assert(changed_at > before);
    assert.deepEqual((await at(old.id)).body.data, answer.body.data);
  });

  test("as a form too, and a star is every event again", async () => {
    const { id } = await makeEndpoint(service, shop, { events: ["payment.failed"] });
    const form = { events: "*", description: "Shop" };
    const { body } = await at(id, { method: "PATCH", form });
    assert.deepEqual([body.data.events, body.data.description], [["*"], "Shop"]);
  });

  const REFUSED: [string, unknown, string][] = [
    ["nothing", {}, "Give at least one of url, events, description and status."],
    [
      "nothing but where to look for it",
      { environment: "live" },
      "Give at least one of url, events, description and status.",
    ],
    [
      "nothing but empty text",
      { url: "", status: null },
      "Give at least one of url, events, description and status.",
    ],
    ["no such status", { status: "deleted" }, "The status must be one of: active, disabled."],
    ["a bad url", { url: "gopher://x" }, "The url must begin with https:// or http://."],
    ["no such event", { events: ["x"] }, "The events field has invalid values."],
  ];
  for (const [what, json, message] of REFUSED)
    test(`with ${what} is refused and changes nothing`, async () => {
      const { secret, ...record } = await makeEndpoint(service, shop);
      const answer = await change(record.id, json);
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
      assert.deepEqual((await at(record.id)).body.data, record);
    });

  test("to an address of another endpoint is 409; to its own it is none", async () => {
    const [one, other] = [await makeEndpoint(service, shop), await makeEndpoint(service, shop)];
    const message = "A webhook endpoint with this url already exists.";
    const answer = await change(one.id, { url: other.url });
    assert.deepEqual([answer.status, answer.body], [409, { message }]);
    assert.equal((await change(one.id, { url: one.url })).status, 200);
    await at(other.id, { method: "DELETE" });
    assert.equal((await change(one.id, { url: other.url })).status, 200);
  });

  test("disabling twice keeps the first reason; enabling forgets the failures", async () => {
    const { id } = await makeEndpoint(service, shop);
    await service.ctx.db.run(sql`
      update webhook_endpoints set status = 'disabled', disabled_because = 'failing',
        failing_since = app_now(), warned_at = app_now() where endpoint_id = ${id}`);
    const again = await change(id, { status: "disabled" });
    assert.equal(again.body.data.disabled_because, "failing");
    assert.notEqual(again.body.data.failing_since, null);
    const { data } = (await change(id, { status: "active" })).body;
    assert.deepEqual(
      [data.status, data.disabled_because, data.failing_since],
      ["active", null, null],
    );
    assert.equal((await change(id, { status: "active" })).status, 200);
  });

  test("another address has not failed yet", async () => {
    const { id, url } = await makeEndpoint(service, shop);
    await service.ctx.db.run(sql`
      update webhook_endpoints set failing_since = app_now() where endpoint_id = ${id}`);
    assert.notEqual((await change(id, { url })).body.data.failing_since, null);
    assert.equal((await change(id, { url: newUrl() })).body.data.failing_since, null);
  });
});

describe("DELETE /webhooks/{id}", () => {
  test("answers OK, and from then on it is as if it had never been", async () => {
    const { id } = await makeEndpoint(service, shop);
    const answer = await at(id, { method: "DELETE" });
    assert.deepEqual([answer.status, answer.body], [200, { message: "OK" }]);
    for (const method of ["GET", "DELETE"]) assert.equal((await at(id, { method })).status, 404);
    assert.equal((await change(id, { status: "active" })).status, 404);
    assert.equal((await rotate(id)).status, 404);
    assert.equal((await rowOf(id)).status, "deleted", "its deliveries still name it");
  });

  test("deletes one that is disabled as well", async () => {
    const { id } = await makeEndpoint(service, shop);
    await change(id, { status: "disabled" });
    assert.equal((await at(id, { method: "DELETE" })).status, 200);
    assert.equal((await rowOf(id)).status, "deleted");
  });
});

describe("POST /webhooks/{id}/rotate", () => {
  test("tells a new secret; the old one signs beside it for 24 hours and no longer", async () => {
    const made = await makeEndpoint(service, shop);
    const { status, body } = await rotate(made.id);
    assert.equal(status, 200);
    assert.match(body.data.secret, /^whsec_/);
    assert.notEqual(body.data.secret, made.secret);
    const row = await rowOf(made.id);
    assert.deepEqual(secretsAt(row), [body.data.secret, made.secret], "newest first");
    assert.deepEqual(secretsAt(row, 23.9), [body.data.secret, made.secret]);
    assert.deepEqual(secretsAt(row, 24), [body.data.secret]);
    const until = Date.parse(body.data.previous_secret_until);
    assert(Math.abs(until - row.now.getTime() - 24 * 3600_000) < 5_000);
    await service.clock.advance({ hours: 24 });
    const { token } = await shop.signIn().then(({ access_token }) => ({ token: access_token }));
    const shown = await service.request(`/webhooks/${made.id}`, { token });
    assert.equal(shown.body.data.previous_secret_until, null);
  });

  test("rotated twice, the first secret is over at once", async () => {
    const made = await makeEndpoint(service, shop);
    const second = (await rotate(made.id)).body.data.secret;
    const third = (await rotate(made.id)).body.data.secret;
    assert.deepEqual(secretsAt(await rowOf(made.id)), [third, second]);
  });
});

test("what is done to endpoints is in the audit trail, without a secret or an address", async () => {
  const { id, url } = await makeEndpoint(service, shop);
  await change(id, { description: "Till" });
  await rotate(id);
  const sent = await post(service, `/webhooks/${id}/test`, shop);
  await service.numberEvents();
  const [delivery] = await deliveriesOf(service, shop, id);
  await post(service, `/webhooks/${id}/deliveries/${delivery.id}/resend`, shop);
  await at(id, { method: "DELETE" });
  const entries = await service.ctx.db.rows<{ action: string; detail: unknown }>(sql`
    select action, detail from audit_entries
    where account_number = ${shop.accountNumber} and action like 'webhook%' order by entry_id`);
  assert.deepEqual(
    entries.map(({ action }) => action),
    [
      "webhook_created",
      "webhook_changed",
      "webhook_rotated",
      "webhook_tested",
      "webhook_resent",
      "webhook_deleted",
    ],
  );
  const [tested, resent] = entries.slice(3, 5).map(({ detail }) => detail as Body);
  assert.equal(tested.event_id, sent.body.data.event_id);
  assert.equal(resent.delivery_id, delivery.id);
  const text = JSON.stringify(entries);
  assert(text.includes(id) && !text.includes("whsec_") && !text.includes(url));
});

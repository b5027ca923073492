/**
 * Making an endpoint: what it takes, in JSON and as a form; its secret is told once and kept
 * sealed; ten to an account, no address twice.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { EVENT_NAMES } from "../../../src/modules/events/catalogue.ts";
import { ENDPOINT_COLUMNS, type EndpointRow } from "../../../src/modules/webhooks/endpoint.ts";
import { secretsOf } from "../../../src/modules/webhooks/endpoint-secret.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  makeEndpoint,
  newUrl,
  openShop,
  post,
  type Shop,
} from "../../../testkit/webhook-endpoints.ts";

const FIELDS = [
  ...["id", "url", "environment", "events", "description", "status", "disabled_because"],
  ...["failing_since", "previous_secret_until", "simulated_receiver", "simulated_until"],
  ...["created_at", "changed_at"],
];

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startService();
});
beforeEach(async () => {
  shop = await openShop(service);
});
after(() => service.stop());

const create = (json: unknown) => post(service, "/webhooks", shop, { json });
const rows = () =>
  service.ctx.db.rows<EndpointRow>(sql`
    select ${ENDPOINT_COLUMNS} from webhook_endpoints
    where account_number = ${shop.accountNumber}`);

describe("POST /webhooks", () => {
  test("answers 201 with the record and its secret, which the database keeps sealed", async () => {
    const answer = await create({
      url: "https://Shop.Example.com:443/a?b=1",
      events: ["payment.success", "payment.refunded", "payment.success"],
      environment: "sandbox",
      description: "Web shop",
    });
    assert.equal(answer.status, 201);
    const { data } = answer.body;
    assert.deepEqual(Object.keys(data), [...FIELDS, "secret"]);
    assert.match(data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id, secret, created_at, changed_at, ...rest } = data;
    assert.deepEqual(rest, {
      url: "https://shop.example.com/a?b=1",
      environment: "sandbox",
      events: ["payment.success", "payment.refunded"],
      description: "Web shop",
      status: "active",
      disabled_because: null,
      failing_since: null,
      previous_secret_until: null,
      simulated_receiver: null,
      simulated_until: null,
    });
    assert.equal(created_at, changed_at);
    const [row] = await rows();
    assert(row !== undefined && row.endpoint_id === id);
    assert(!row.secret_box.includes(Buffer.from(secret.slice(6, 20))), "the secret is readable");
    assert.deepEqual(secretsOf(service.ctx.config.wrappingKeys, row, row.now), [secret]);
  });

  test("gives every endpoint a secret of its own, whose box opens nowhere else", async () => {
    const made = [await makeEndpoint(service, shop), await makeEndpoint(service, shop)];
    assert.notEqual(made[0].secret, made[1].secret);
    const [one, other] = await rows();
    assert(one !== undefined && other !== undefined);
    const { wrappingKeys } = service.ctx.config;
    assert.throws(() => secretsOf(wrappingKeys, { ...one, secret_box: other.secret_box }, one.now));
  });

  test("takes the same as a form, its events as one text", async () => {
    const form = {
      url: newUrl(),
      events: "payment.success, payment.failed",
      environment: "live",
      description: "Til 1",
    };
    const answer = await post(service, "/webhooks", shop, { form });
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.body.data.events, ["payment.success", "payment.failed"]);
  });

  const EVERY: [string, unknown][] = [
    ["no events", undefined],
    ["events that are null", null],
    ["events that are empty text", ""],
    ["a star", "*"],
    ["a list with a star in it", ["payment.success", "*"]],
  ];
  for (const [what, events] of EVERY)
    test(`${what}: it is told every event`, async () => {
      assert.deepEqual((await makeEndpoint(service, shop, { events })).events, ["*"]);
    });

  test("knows every event of the catalogue by name", async () => {
    const { events } = await makeEndpoint(service, shop, { events: EVENT_NAMES });
    assert.deepEqual(events, EVENT_NAMES);
  });

  const good = { url: "https://shop.example.com/hooks", environment: "live" };
  const LONG = "https://shop.example.com/";
  const REFUSED: [string, Record<string, unknown>, string][] = [
    ["no url", { ...good, url: undefined }, "The url field is required."],
    ["an empty url", { ...good, url: "" }, "The url field is required."],
    ["a url that is no text", { ...good, url: 1 }, "The url must be a string."],
    ["a url list", { ...good, url: [good.url] }, "The url must be a string."],
    ["no environment", { ...good, environment: undefined }, "The environment field is required."],
    [
      "another environment",
      { ...good, environment: "test" },
      "The environment must be one of: live, sandbox.",
    ],
    [
      "an unknown event",
      { ...good, events: ["payment.paid"] },
      "The events field has invalid values.",
    ],
    [
      "an event in capitals",
      { ...good, events: "Payment.Success" },
      "The events field has invalid values.",
    ],
    ["a prefix", { ...good, events: ["payment.*"] }, "The events field has invalid values."],
    ["an empty list of events", { ...good, events: [] }, "The events field has invalid values."],
    ["separators only", { ...good, events: " , " }, "The events field has invalid values."],
    ["a number among events", { ...good, events: [1] }, "The events field has invalid values."],
    ["an object of events", { ...good, events: {} }, "The events must be a string."],
    [
      "101 events",
      { ...good, events: Array(101).fill("payment.success") },
      "The events field has invalid values.",
    ],
    [
      "256 characters of description",
      { ...good, description: "é".repeat(256) },
      "The description must not be longer than 255 characters.",
    ],
    [
      "a description of two lines",
      { ...good, description: "a\nb" },
      "The description format is invalid.",
    ],
    [
      "a description nobody sees",
      { ...good, description: "\u200b" },
      "The description format is invalid.",
    ],
    [
      "2,049 characters of url",
      { ...good, url: LONG + "a".repeat(2049 - LONG.length) },
      "The url must not be longer than 2048 characters.",
    ],
    [
      "the url before the rest",
      { url: "x", environment: "x" },
      "The url must begin with https:// or http://.",
    ],
  ];
  for (const [what, json, message] of REFUSED)
    test(`${what} is refused, and nothing is made`, async () => {
      const answer = await create(json);
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
      assert.deepEqual(await rows(), []);
    });

  test("takes a url of 2,048 characters and a description of 255", async () => {
    const url = LONG + "a".repeat(2048 - LONG.length);
    const made = await makeEndpoint(service, shop, { url, description: "é".repeat(255) });
    assert.equal(made.url, url);
  });

  test("of an address that the account has is 409, in whatever spelling", async () => {
    const { url } = await makeEndpoint(service, shop, { url: "https://shop.example.com/a" });
    for (const same of [url, "https://SHOP.example.com/a", "https://shop.example.com:443/a"]) {
      const answer = await create({ url: same, environment: "live" });
      const message = "A webhook endpoint with this url already exists.";
      assert.deepEqual([answer.status, answer.body], [409, { message }]);
    }
    assert.equal((await rows()).length, 1);
    // In the other environment, of another account, or after it was deleted, it is free.
    await makeEndpoint(service, shop, { url, environment: "sandbox" });
    await makeEndpoint(service, await openShop(service), { url });
  });

  test("an eleventh is 409, over both environments; deleting one makes room", async () => {
    const made = [];
    for (let i = 0; i < 10; i++)
      made.push(await makeEndpoint(service, shop, { environment: i % 2 ? "live" : "sandbox" }));
    const message = "An account can have at most 10 webhook endpoints. Delete one first.";
    for (const environment of ["live", "sandbox"]) {
      const answer = await create({ url: newUrl(), environment });
      assert.deepEqual([answer.status, answer.body], [409, { message }]);
    }
    assert.equal((await rows()).length, 10);
    const { token } = shop;
    const gone = await service.request(`/webhooks/${made[3].id}`, { method: "DELETE", token });
    assert.equal(gone.status, 200);
    await makeEndpoint(service, shop, { url: made[3].url });
  });
});

/**
 * Whose endpoint it is: scope by scope, another account's is a 404, a key reaches its own
 * environment only, and a PERSONAL account may have endpoints too.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import type { Scope } from "../../../src/kit/scopes.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { type RequestOptions, startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import {
  type Body,
  credentialOf,
  deliveriesOf,
  happen,
  makeEndpoint,
  newUrl,
  openShop,
  post,
  type Shop,
} from "../../../testkit/webhook-endpoints.ts";

let service: TestService;
let shop: Shop;
let live: Body;
let sandbox: Body;
before(async () => {
  service = await startService();
  shop = await openShop(service);
  live = await makeEndpoint(service, shop);
  sandbox = await makeEndpoint(service, shop, { environment: "sandbox" });
  await happen(service, shop);
  await happen(service, shop, ["payment.success"], { environment: "sandbox" });
});
after(() => service.stop());

/** Every route of one endpoint, harmless or not. */
const routesOf = (id: string, delivery: string): [string, Scope, string, RequestOptions][] => [
  ["read", "svc-user-retrieve", `/webhooks/${id}`, {}],
  ["change", "svc-user-update", `/webhooks/${id}`, { method: "PATCH", json: { description: "x" } }],
  ["list deliveries", "svc-user-retrieve", `/webhooks/${id}/deliveries`, {}],
  [
    "resend",
    "svc-user-update",
    `/webhooks/${id}/deliveries/${delivery}/resend`,
    { method: "POST" },
  ],
  ["test", "svc-user-update", `/webhooks/${id}/test`, { method: "POST" }],
  [
    "replay",
    "svc-user-update",
    `/webhooks/${id}/replay`,
    { method: "POST", json: { since: "2020-01-01T00:00:00Z" } },
  ],
  ["rotate", "svc-user-update", `/webhooks/${id}/rotate`, { method: "POST" }],
  ["delete", "svc-user-delete", `/webhooks/${id}`, { method: "DELETE" }],
];
const SCOPES_OF_USER: Scope[] = [
  "svc-user-create",
  "svc-user-retrieve",
  "svc-user-update",
  "svc-user-delete",
];

async function untouched(id: string): Promise<string> {
  const row = await service.ctx.db.one(sql`
    select one.*, (select jsonb_agg(d order by d.delivery_id) from webhook_deliveries d
      where d.endpoint_id = one.endpoint_id) as deliveries
    from webhook_endpoints as one where endpoint_id = ${id}`);
  const events = await service.ctx.db.one(sql`
    select count(*) from events where account_number = ${shop.accountNumber}`);
  return JSON.stringify([row, events], (_name, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

describe("the scope of each route", () => {
  test("is the one it names, or svc-user-all; every other is refused and does nothing", async () => {
    const [delivery] = await deliveriesOf(service, shop, live.id);
    const before = await untouched(live.id);
    for (const [name, needed, path, request] of routesOf(live.id, delivery.id))
      for (const scope of SCOPES_OF_USER.filter((one) => one !== needed))
        for (const who of [
          await mintToken(service.ctx, shop, [scope]),
          await mintKey(service.ctx, shop, [scope], { prefix: "live" }),
        ]) {
          const answer = await service.request(path, { ...request, ...credentialOf(who) });
          assert.equal(answer.status, 403, `${name} with ${scope}`);
        }
    assert.equal(await untouched(live.id), before);
    const json = { url: newUrl(), environment: "live" };
    for (const scope of SCOPES_OF_USER) {
      const who = await mintToken(service.ctx, shop, [scope]);
      const made = await post(service, "/webhooks", who, { json });
      assert.equal(made.status, scope === "svc-user-create" ? 201 : 403);
      const listed = await service.request("/webhooks", { token: who.token });
      assert.equal(listed.status, scope === "svc-user-retrieve" ? 200 : 403);
    }
  });

  for (const scope of [...SCOPES_OF_USER, "svc-user-all"] as const)
    test(`${scope} opens what it names`, async () => {
      const own = await openShop(service);
      for (const kind of ["token", "key"]) {
        const endpoint = await makeEndpoint(service, own);
        await happen(service, own);
        const [delivery] = await deliveriesOf(service, own, endpoint.id);
        const who =
          kind === "token"
            ? await mintToken(service.ctx, own, [scope])
            : await mintKey(service.ctx, own, [scope], { prefix: "live" });
        for (const [name, needed, path, request] of routesOf(endpoint.id, delivery.id)) {
          if (needed !== scope && scope !== "svc-user-all") continue;
          const answer = await service.request(path, { ...request, ...credentialOf(who) });
          assert(answer.status < 300, `${name} answered ${answer.text}`);
        }
      }
    });
});

describe("an endpoint of another account", () => {
  test("is a 404 to every route, with whatever credential, and nothing happens to it", async () => {
    const [delivery] = await deliveriesOf(service, shop, live.id);
    const stranger = await openShop(service);
    const own = await makeEndpoint(service, stranger);
    const before = await untouched(live.id);
    const { key } = await mintKey(service.ctx, stranger, ["svc-user-all"], { prefix: "live" });
    for (const who of [{ token: stranger.token }, { key }]) {
      for (const [name, , path, request] of routesOf(live.id, delivery.id)) {
        const answer = await service.request(path, { ...request, ...who });
        assert.deepEqual([answer.status, answer.body], [404, { message: "Not Found" }], name);
      }
      // Their delivery under one's own endpoint is none either.
      const path = `/webhooks/${own.id}/deliveries/${delivery.id}/resend`;
      assert.equal((await post(service, path, who)).status, 404);
    }
    assert.equal(await untouched(live.id), before);
    const { body } = await service.request("/webhooks", { token: stranger.token });
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [own.id],
    );
  });

  test("of a main merchant's managed account is no less another's", async () => {
    const main = await service.world.mainMerchant();
    const { token } = await mintToken(service.ctx, main, ["svc-user-all", "svc-accounts-all"]);
    assert.equal((await service.request(`/webhooks/${live.id}`, { token })).status, 404);
  });
});

describe("an API key", () => {
  for (const [prefix, own, other] of [
    ["test", "sandbox", "live"],
    ["live", "live", "sandbox"],
  ] as const)
    test(`of ${prefix} reaches ${own} endpoints only`, async () => {
      const who = await mintKey(service.ctx, shop, ["svc-user-all"], { prefix });
      const mine = own === "live" ? live : sandbox;
      const theirs = own === "live" ? sandbox : live;
      const [delivery] = await deliveriesOf(service, shop, theirs.id);
      const before = await untouched(theirs.id);
      for (const [name, , path, request] of routesOf(theirs.id, delivery.id)) {
        const answer = await service.request(path, { ...request, key: who.key });
        assert.equal(answer.status, 404, name);
      }
      assert.equal(await untouched(theirs.id), before);
      assert.equal((await service.request(`/webhooks/${mine.id}`, { key: who.key })).status, 200);
      const { body } = await service.request("/webhooks", { key: who.key });
      assert(body.data.every(({ environment }: Body) => environment === own));
      const message = `The environment must be ${own} with this API key.`;
      const json = { url: newUrl(), environment: other };
      for (const refused of [
        await post(service, "/webhooks", who, { json }),
        await service.request(`/webhooks?environment=${other}`, { key: who.key }),
      ])
        assert.deepEqual([refused.status, refused.body], [400, { message }]);
      assert.equal((await makeEndpoint(service, who, { environment: own })).environment, own);
    });

  test("that was revoked while its request was under way changes nothing", async () => {
    const [delivery] = await deliveriesOf(service, shop, live.id);
    const json = { url: newUrl(), environment: "live" };
    const before = await untouched(live.id);
    for (const [name, scope, path, request] of [
      ["create", "svc-user-create", "/webhooks", { method: "POST", json }] as const,
      ...routesOf(live.id, delivery.id),
    ])
      if (scope !== "svc-user-retrieve") {
        const { status } = await askAndRevoke(path, request);
        assert.equal(status, 401, name);
      }
    assert.equal(await untouched(live.id), before);
  });

  /** With a key that is revoked while the request waits for the account, if it does. */
  async function askAndRevoke(path: string, request: RequestOptions) {
    const who = await mintKey(service.ctx, shop, ["svc-user-all"], { prefix: "live" });
    const { db } = service.ctx;
    const { asked } = await db.transaction(async (tx) => {
      await tx.run(sql`
        select from accounts where account_number = ${shop.accountNumber} for update`);
      await tx.run(sql`update api_keys set revoked_at = app_now() where kid = ${who.kid}`);
      let isAnswered = false;
      const asked = service.request(path, { ...request, key: who.key }).finally(() => {
        isAnswered = true;
      });
      const waiting = sql`select 1 from pg_locks where not granted`;
      const isSo = async () => isAnswered || (await db.rows(waiting)).length > 0;
      await until(isSo, "the request waits");
      return { asked };
    });
    return asked;
  }
});

test("a PERSONAL account may have endpoints: the scopes are its own", async () => {
  const person = await service.world.person();
  const who = await mintToken(service.ctx, person, ["svc-user-all"]);
  const made = await makeEndpoint(service, who);
  assert.equal((await service.request(`/webhooks/${made.id}`, { token: who.token })).status, 200);
});

/**
 * What a narrow sign-in can do with keys (Decision 0074): it ends only keys whose scopes it
 * carries, and without `svc-user-all` what it makes, changes or rotates ends within 30 days.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { now } from "../../../src/infra/db/clock.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { addSeconds, DAY_SECONDS } from "../../../src/kit/clock.ts";
import { SCOPES, type Scope } from "../../../src/kit/scopes.ts";
import { SCOPE_REFUSED } from "../../../testkit/auth.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { startService, type TestAnswer, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

const TOO_LATE =
  "The expires at must be within 30 days, because the token does not carry svc-user-all.";

let service: TestService;
let shop: Person;
before(async () => {
  service = await startService();
  shop = await service.world.merchant();
});
after(() => service.stop());

const tokenWith = async (...scopes: Scope[]) => (await mintToken(service.ctx, shop, scopes)).token;
const narrow = () => tokenWith("svc-transactions-all");
const broad = () => tokenWith("svc-transactions-all", "svc-user-all");
const make = (token: string, fields: object = {}) =>
  service.request("/auth/keys", {
    method: "POST",
    token,
    json: { environment: "sandbox", scopes: "svc-transactions-retrieve", ...fields },
  });
const change = (token: string, kid: string, json: object) =>
  service.request(`/auth/keys/${kid}`, { method: "PATCH", token, json });
const rotate = (token: string, kid: string) =>
  service.request(`/auth/keys/${kid}/rotate`, { method: "POST", token });
const revoke = (token: string, kid: string) =>
  service.request(`/auth/keys/${kid}`, { method: "DELETE", token });
const inDays = async (days: number) =>
  addSeconds(await now(service.ctx.db), days * DAY_SECONDS).toISOString();
const keyCount = async () =>
  (await service.ctx.db.one<{ n: string }>(sql`select count(*) as n from api_keys`)).n;

describe("a token without svc-user-all", () => {
  test("makes a key of 30 days when it names no expiry", async () => {
    const earliest = await inDays(30);
    const { body, status } = await make(await narrow());
    assert.equal(status, 201);
    const { expires_at: expiresAt } = body.data;
    assert(expiresAt >= earliest && expiresAt <= (await inDays(30)), expiresAt);
  });

  test("may ask for less", async () => {
    const expiresAt = await inDays(29.9);
    const { body } = await make(await narrow(), { expires_at: expiresAt });
    assert.equal(body.data.expires_at, expiresAt);
  });

  test("may not ask for more, and no key is made", async () => {
    const before = await keyCount();
    expectTooLate(await make(await narrow(), { expires_at: await inDays(30.01) }));
    assert.equal(await keyCount(), before);
  });

  test("is refused its scope before its expiry", async () => {
    const asked = { scopes: "svc-user-retrieve", expires_at: await inDays(31) };
    const answer = await make(await narrow(), asked);
    assert.deepEqual([answer.status, answer.text], [403, SCOPE_REFUSED]);
  });

  test("cannot lengthen a key's life beyond 30 days from now, or take its end away", async () => {
    const { kid, expires_at: old } = (await make(await narrow())).body.data;
    for (const expires_at of [await inDays(31), "never"])
      expectTooLate(await change(await narrow(), kid, { expires_at, name: "till" }));
    const { body } = await service.request(`/auth/keys/${kid}`, { token: await narrow() });
    assert.deepEqual([body.data.expires_at, body.data.name], [old, null]);
    const later = await inDays(29.99);
    assert.equal((await change(await narrow(), kid, { expires_at: later })).status, 200);
  });

  test("leaves the expiry of a long-lived key alone when it changes something else", async () => {
    const { kid } = (await make(await broad())).body.data;
    const { body } = await change(await narrow(), kid, { name: "till" });
    assert.equal(body.data.expires_at, null);
  });

  test("rotates into a key that ends within 30 days, or earlier where the old one did", async () => {
    const endless = (await make(await broad())).body.data;
    const cut = (await rotate(await narrow(), endless.kid)).body.data;
    assert(cut.expires_at !== null && cut.expires_at <= (await inDays(30)), cut.expires_at);
    const expiresAt = await inDays(3);
    const short = (await make(await broad(), { expires_at: expiresAt })).body.data;
    const { body } = await rotate(await narrow(), short.kid);
    assert.equal(body.data.expires_at, expiresAt);
  });
});

describe("a token with svc-user-all", () => {
  test("makes, changes and rotates keys of any length of life", async () => {
    const { kid, expires_at: none } = (await make(await broad())).body.data;
    assert.equal(none, null);
    const expiresAt = await inDays(400);
    const changed = await change(await broad(), kid, { expires_at: expiresAt });
    assert.equal(changed.body.data.expires_at, expiresAt);
    const { body } = await rotate(await broad(), kid);
    assert.equal(body.data.expires_at, expiresAt);
  });
});

describe("revoking a key", () => {
  test("takes a token with every scope of the key, also once it is revoked", async () => {
    const scopes = "svc-transactions-retrieve svc-user-retrieve";
    const { key, kid } = (await make(await broad(), { scopes })).body.data;
    const refuse = async () => {
      for (const token of [await narrow(), await tokenWith("svc-user-retrieve")]) {
        const answer = await revoke(token, kid);
        assert.deepEqual([answer.status, answer.text], [403, SCOPE_REFUSED]);
      }
    };
    await refuse();
    assert.equal((await service.request("/auth/whoami", { key })).status, 200);
    const enough = await tokenWith("svc-transactions-all", "svc-user-retrieve");
    assert.equal((await revoke(enough, kid)).status, 200);
    assert.equal((await service.request("/auth/whoami", { key })).status, 401);
    await refuse();
  });

  test("is 404 for a key that is not the account's, whatever the scopes", async () => {
    const other = await service.world.merchant();
    const { kid } = await other.makeKey();
    assert.equal((await revoke(await narrow(), kid)).status, 404);
  });

  test("passes over scopes that the account may no longer hold", async () => {
    const main = await service.world.mainMerchant();
    const { kid } = await main.makeKey("svc-accounts-all svc-user-all");
    await service.ctx.db.run(sql`
      update accounts set is_main_merchant = false where account_number = ${main.accountNumber}`);
    const { token } = await mintToken(service.ctx, main, SCOPES);
    assert.equal((await revoke(token, kid)).status, 200);
  });
});

describe("the environment of a key", () => {
  test("is told as sandbox everywhere, also when it was asked for as test", async () => {
    const token = await broad();
    for (const environment of ["sandbox", "test"]) {
      const { body } = await make(token, { environment });
      const { kid, key } = body.data;
      assert.match(key, /^svc_test_/);
      assert.equal(body.data.environment, "sandbox");
      const one = await service.request(`/auth/keys/${kid}`, { token });
      assert.equal(one.body.data.environment, "sandbox");
      const { data } = (await service.request("/auth/keys", { token })).body;
      assert.equal(data.find((row: { kid: string }) => row.kid === kid).environment, "sandbox");
      const whoami = await service.request("/auth/whoami", { key });
      assert.deepEqual(whoami.body.data.environments, ["sandbox"]);
      const rotated = await rotate(token, kid);
      assert.equal(rotated.body.data.environment, "sandbox");
      assert.match(rotated.body.data.key, /^svc_test_/);
    }
  });

  test("counts as the same request under either name", async () => {
    const token = await broad();
    const headers = { "idempotency-key": "one-key" };
    const ask = (environment: string) =>
      service.request("/auth/keys", {
        method: "POST",
        token,
        headers,
        json: { environment, scopes: "svc-transactions-retrieve" },
      });
    const { body } = await ask("test");
    const replayed = await ask("sandbox");
    assert.equal(replayed.headers.get("idempotent-replayed"), "true");
    assert.equal(replayed.body.data.kid, body.data.kid);
  });
});

function expectTooLate({ status, body }: TestAnswer): void {
  assert.deepEqual([status, body], [400, { message: TOO_LATE }]);
}

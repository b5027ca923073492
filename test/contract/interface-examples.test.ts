/**
 * The interface document, sentence by sentence, where it speaks of authentication: §2.1, §4.1, §5,
 * §7 and §8. Each test quotes the section whose words it holds the service to.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { mintKey, mintToken } from "../../testkit/credentials.ts";
import { createProbes } from "../../testkit/probe-routes.ts";
import { startService, type TestAnswer } from "../../testkit/service.ts";
import { PASSWORD } from "../../testkit/world.ts";

const service = await startService({ extraRoutes: createProbes().routes });
const { ctx } = service;
after(() => service.stop());
const shop = await service.world.merchant();
const person = await service.world.person();
const GOOD = { email: shop.email, password: PASSWORD, scopes: "svc-user-all" };

const grant = (form: Record<string, string>) =>
  service.request("/auth/tokens", {
    method: "POST",
    form,
    headers: { accept: "application/json" },
  });
const whoami = (credentials: { token?: string; key?: string }) =>
  service.request("/auth/whoami", credentials);
const without = (name: keyof typeof GOOD) =>
  Object.fromEntries(Object.entries(GOOD).filter(([one]) => one !== name));
const grantCount = async (accountNumber: string) =>
  (await ctx.db.rows(sql`select from grants where account_number = ${accountNumber}`)).length;

function expectMessage(answer: TestAnswer, status: number, message?: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.deepEqual(Object.keys(answer.body), ["message"]);
  if (message !== undefined) assert.equal(answer.body.message, message);
}

describe("§2.1 token grant, request:", () => {
  test("email is required", async () => expectMessage(await grant(without("email")), 400));

  for (const email of ["x", "x@", "@x.com", "a b@example.com", "a@b@example.com"])
    test(`email is a valid email address, which ${email} is not`, async () =>
      expectMessage(await grant({ ...GOOD, email }), 400));

  test("password is required", async () => expectMessage(await grant(without("password")), 400));

  test("password is at least 8 characters: 7 are refused, 8 are judged", async () => {
    expectMessage(await grant({ ...GOOD, password: "1234567" }), 400);
    assert.equal((await grant({ ...GOOD, password: "12345678" })).status, 401);
  });

  test("scopes is required", async () => expectMessage(await grant(without("scopes")), 400));

  test("scopes is a space-delimited list of valid scope names", async () => {
    const two = await grant({ ...GOOD, scopes: "svc-user-all svc-withdrawals-create" });
    const { body } = await whoami({ token: two.body.access_token });
    assert.deepEqual(body.data.scopes.sort(), ["svc-user-all", "svc-withdrawals-create"]);
    for (const scopes of ["svc-user-all,svc-user-create", "svc-user", "all", "svc-*"])
      expectMessage(await grant({ ...GOOD, scopes }), 400);
  });
});

describe("§2.1 token grant, success:", async () => {
  const { status, body } = await grant(GOOD);

  test("is 200", () => assert.equal(status, 200));
  test("message is OK", () => assert.equal(body.message, "OK"));
  test("token_type is always Bearer", () => assert.equal(body.token_type, "Bearer"));
  test("expires_in is 43200", () => assert.strictEqual(body.expires_in, 43200));
  test("access_token is a JWT", () => assert.match(body.access_token, /^[\w-]+\.[\w-]+\.[\w-]+$/));
  test("access_token works in the Authorization header", async () =>
    assert.equal((await whoami({ token: body.access_token })).status, 200));
  test("refresh_token obtains a new access token through the refresh operation", async () => {
    const json = { refresh_token: body.refresh_token };
    const answer = await service.request("/auth/tokens/refresh", { method: "POST", json });
    assert.equal(answer.status, 200);
    assert.notEqual(answer.body.access_token, body.access_token);
    assert.equal((await whoami({ token: answer.body.access_token })).status, 200);
  });
});

describe("§4.1 authentication module:", () => {
  test("POST /auth/tokens needs no authentication and no scope", async () =>
    assert.equal((await grant(GOOD)).status, 200));

  test("POST /auth/tokens takes 5 requests per minute", async (t) => {
    const limited = await startService({ settings: { LIMIT_SIGN_IN: "" } });
    t.after(() => limited.stop());
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await limited.request("/auth/tokens", { method: "POST" })).status);
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429]);
  });

  test("DELETE /auth/tokens takes a bearer token and ends it", async () => {
    const { token } = await mintToken(ctx, shop, ["svc-user-all"]);
    const answer = await service.request("/auth/tokens", { method: "DELETE", token });
    expectMessage(answer, 200, "OK");
    assert.equal((await whoami({ token })).status, 401);
  });

  test("DELETE /auth/tokens returns 400 when authenticated with an API key", async () => {
    const { key } = await mintKey(ctx, shop, ["svc-user-all"]);
    expectMessage(await service.request("/auth/tokens", { method: "DELETE", key }), 400);
    assert.equal((await whoami({ key })).status, 200);
  });

  test("a grant issues bearer credentials only, never API keys", async () => {
    const answer = await grant(GOOD);
    assert.doesNotMatch(answer.text, /svc_(live|test)_/);
  });
});

describe("§5 authentication:", () => {
  test("§5.1 an access token lives 43200 seconds and not longer", async (t) => {
    const timed = await startService();
    t.after(() => timed.stop());
    const { token } = await mintToken(timed.ctx, await timed.world.merchant(), ["svc-user-all"]);
    const status = async () => (await timed.request("/auth/whoami", { token })).status;
    await timed.clock.advance({ seconds: 43_195 });
    assert.equal(await status(), 200);
    await timed.clock.advance({ seconds: 11 });
    assert.equal(await status(), 401);
  });

  test("§5.2 PERSONAL accounts can use only bearer tokens", async () => {
    const { token } = await mintToken(ctx, person, ["svc-user-all"]);
    assert.equal((await whoami({ token })).status, 200);
    const { key } = await mintKey(ctx, person, ["svc-user-all"]);
    expectMessage(await whoami({ key }), 401, "Unauthorized");
  });

  test("§5.2 BUSINESS accounts create and use API keys themselves", async () => {
    assert.equal((await whoami(await shop.makeKey("svc-user-all"))).status, 200);
  });

  for (const environment of ["live", "test"])
    test(`§5.3 a key has the format svc_${environment}_<kid>_<secret>`, async () => {
      const { key, kid } = await shop.makeKey("svc-user-all", { environment });
      assert.match(key, new RegExp(`^svc_${environment}_${kid}_[0-9a-f]{64}$`));
    });

  test("§5.3 keys support CIDR allowlists", async () => {
    const near = await shop.makeKey("svc-user-all", { allowed_cidrs: ["127.0.0.0/8"] });
    assert.equal((await whoami(near)).status, 200);
    const far = await shop.makeKey("svc-user-all", { allowed_cidrs: ["192.0.2.0/24"] });
    expectMessage(await whoami(far), 401, "Unauthorized");
  });

  test("§5.3 keys support expiry and revocation", async () => {
    const expired = await mintKey(ctx, shop, ["svc-user-all"], { expiresAt: new Date(0) });
    expectMessage(await whoami(expired), 401, "Unauthorized");
    const { key, kid } = await shop.makeKey("svc-user-all");
    const { token } = await mintToken(ctx, shop, ["svc-user-all"]);
    await service.request(`/auth/keys/${kid}`, { method: "DELETE", token });
    expectMessage(await whoami({ key }), 401, "Unauthorized");
  });

  test("§5.4 using both headers is not allowed, though each is good", async () => {
    const { token } = await mintToken(ctx, shop, ["svc-user-all"]);
    const { key } = await mintKey(ctx, shop, ["svc-user-all"]);
    expectMessage(await whoami({ token, key }), 401, "Unauthorized");
  });

  test("§5.5 a scope that the account may not use gives 403 and no token", async () => {
    const before = await grantCount(person.accountNumber);
    const form = { email: person.email, password: PASSWORD, scopes: "svc-trusted-cards-all" };
    expectMessage(await grant(form), 403, "Forbidden");
    assert.equal(await grantCount(person.accountNumber), before);
  });

  const SCOPES_BY_MODULE = {
    accounts: ["all", "create", "delete", "retrieve", "update"],
    transactions: ["all", "retrieve", "get-fees", "refund-request"],
    "trusted-cards": ["all", "charge-request", "create", "delete", "retrieve", "verify"],
    user: ["all", "create", "delete", "retrieve", "update"],
    withdrawals: ["all", "create", "delete", "retrieve"],
  };
  for (const [module, actions] of Object.entries(SCOPES_BY_MODULE))
    test(`§5.7 the scopes of ${module} are ${actions.join(", ")}`, async () => {
      const main = await service.world.mainMerchant();
      const scopes = actions.map((action) => `svc-${module}-${action}`);
      const { access_token: token } = await main.signIn(scopes.join(" "));
      assert.deepEqual((await whoami({ token })).body.data.scopes, scopes);
    });

  test("§5.7 a module's -all is accepted wherever a specific scope of it is", async () => {
    const { token } = await mintToken(ctx, shop, ["svc-user-all"]);
    assert.equal((await service.request("/probe/either", { token })).status, 200);
  });
});

describe("§7 errors:", () => {
  test("protected routes: 401 {message: Unauthorized} without or with bad authentication", async () => {
    expectMessage(await whoami({}), 401, "Unauthorized");
    expectMessage(await whoami({ token: "x" }), 401, "Unauthorized");
    expectMessage(await whoami({ key: "svc_live_x" }), 401, "Unauthorized");
  });

  test("a token that lacks the scope: 403 {message: Invalid scope(s) provided.}", async () => {
    const { token } = await mintToken(ctx, shop, ["svc-user-delete"]);
    const answer = await service.request("/probe/either", { token });
    expectMessage(answer, 403, "Invalid scope(s) provided.");
  });

  test("POST /auth/tokens: 400 {message} for scopes with invalid values", async () =>
    expectMessage(
      await grant({ ...GOOD, scopes: "svc-user-all nonsense" }),
      400,
      "The scopes field has invalid values.",
    ));

  test("POST /auth/tokens: 401 {message, error: invalid_credentials, error_description}", async () => {
    const wrongs = [
      { ...GOOD, password: "wrong horse" },
      { ...GOOD, email: "nobody@example.com" },
    ];
    for (const wrong of wrongs) {
      const { status, body } = await grant(wrong);
      assert.equal(status, 401);
      assert.deepEqual(Object.keys(body), ["message", "error", "error_description"]);
      assert.equal(body.error, "invalid_credentials");
      assert.equal(body.message, "The user credentials were incorrect.");
    }
  });

  test("DELETE /auth/tokens: 400 {message} with an API key", async () => {
    const { key } = await mintKey(ctx, shop, ["svc-user-all"]);
    expectMessage(await service.request("/auth/tokens", { method: "DELETE", key }), 400);
  });
});

/**
 * Making an API key: a business makes it with a bearer token, it carries no more than the token, it
 * is shown once and never again (Interface §5.2, §5.3).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import {
  countOf,
  SCOPE_REFUSED,
  UNAUTHORIZED,
  whoami,
  wholeDatabase,
} from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

const SHAPE = /^svc_(live|test)_[0-9a-f]{18}_[0-9a-f]{64}$/;
const FORBIDDEN = '{"message":"Forbidden"}';
const FULL = '{"message":"An account can have at most 20 active API keys. Revoke one first."}';

let service: TestService;
let shop: Person;
let token: string;
before(async () => {
  service = await startService();
  shop = await service.world.merchant();
  token = (await shop.signIn()).access_token;
});
after(() => service.stop());

const make = (credential: { token?: string; key?: string }, json: unknown) =>
  service.request("/auth/keys", { method: "POST", ...credential, json });
const keysOf = (who: Person) =>
  countOf(service, sql`api_keys where account_number = ${who.accountNumber}`);

describe("a key", () => {
  for (const encoding of ["form", "json"] as const)
    test(`asked for as ${encoding} with every field answers 201 with key and record`, async () => {
      const answer = await service.request("/auth/keys", {
        method: "POST",
        token,
        [encoding]: {
          name: "Web shop",
          environment: "live",
          scopes: "svc-user-all svc-transactions-retrieve",
          allowed_cidrs: "203.0.113.0/24,2001:db8::/48",
          expires_at: "2099-01-31T08:00:00-04:00",
        },
      });
      assert.equal(answer.status, 201);
      const { key, kid, created_at, ...rest } = answer.body.data;
      assert.deepEqual(rest, {
        name: "Web shop",
        environment: "live",
        status: "active",
        scopes: ["svc-user-all", "svc-transactions-retrieve"],
        allowed_cidrs: ["203.0.113.0/24", "2001:db8::/48"],
        expires_at: "2099-01-31T12:00:00.000Z",
        last_used_at: null,
        rotated_to: null,
      });
      assert.equal(answer.body.message, "Created");
      assert.match(key, SHAPE);
      assert(key.startsWith(`svc_live_${kid}_`));
      assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(answer.headers.get("cache-control"), "no-store");
    });

  test("needs no more than an environment and scopes, also as lists and old names", async () => {
    const json = { environment: "test", scopes: ["wapi-trans-all", "svc-user-all"] };
    const { body } = await make({ token }, { ...json, allowed_cidrs: ["192.0.2.7"] });
    assert(body.data.key.startsWith("svc_test_"));
    assert.deepEqual(body.data.scopes, ["svc-transactions-all", "svc-user-all"]);
    assert.deepEqual(body.data.allowed_cidrs, ["192.0.2.7/32"]);
    const plain = (await make({ token }, json)).body.data;
    assert.deepEqual([plain.name, plain.allowed_cidrs, plain.expires_at], [null, [], null]);
    assert.equal((await whoami(service, { key: plain.key })).status, 200);
  });

  test("stands nowhere in the database or the log, and neither does its secret", async () => {
    const { key } = await shop.makeKey();
    const secret = key.slice(-64);
    const [dump, log] = [await wholeDatabase(service), service.logged.join("")];
    for (const place of [dump, log]) {
      assert(!place.includes(secret));
      assert(!place.includes(Buffer.from(key).toString("hex")));
    }
  });
});

describe("a field that breaks a rule answers 400 and makes no key", () => {
  const NAME = "The name must not be longer than 64 characters.";
  const ENVIRONMENT = "The environment must be one of: live, sandbox.";
  const SCOPES = "The scopes field has invalid values.";
  const CIDRS = "The allowed cidrs field has invalid values.";
  const EXPIRES = "The expires at must be a time such as 2027-01-31T12:00:00Z.";
  const PAST = "The expires at must be in the future.";
  const CASES: readonly [change: Record<string, unknown>, message: string][] = [
    [{ name: "x".repeat(65) }, NAME],
    [{ name: "🌴".repeat(65) }, NAME],
    [{ name: 7 }, "The name must be a string."],
    [{ name: ["x"] }, "The name must be a string."],
    [{ environment: undefined }, "The environment field is required."],
    [{ environment: "" }, "The environment field is required."],
    [{ environment: "svc_test" }, ENVIRONMENT],
    [{ environment: "LIVE" }, ENVIRONMENT],
    [{ environment: ["live"] }, "The environment must be a string."],
    [{ scopes: undefined }, "The scopes field is required."],
    [{ scopes: "svc-everything" }, SCOPES],
    [{ scopes: [] }, SCOPES],
    [{ scopes: [1] }, SCOPES],
    [{ scopes: ["svc-user-all", ["svc-user-all"]] }, SCOPES],
    [{ scopes: { 0: "svc-user-all" } }, "The scopes must be a string."],
    [{ allowed_cidrs: "example.com" }, CIDRS],
    [{ allowed_cidrs: [null] }, CIDRS],
    [{ allowed_cidrs: { 0: "192.0.2.0/24" } }, "The allowed cidrs must be a string."],
    [{ expires_at: "tomorrow" }, EXPIRES],
    [{ expires_at: "2099-02-30T00:00:00Z" }, EXPIRES],
    [{ expires_at: "2099-01-31" }, EXPIRES],
    [{ expires_at: "2099-01-31T12:00:00" }, EXPIRES],
    [{ expires_at: 4_102_444_800 }, "The expires at must be a string."],
    [{ expires_at: "never" }, EXPIRES],
    [{ expires_at: "2020-01-31T12:00:00Z" }, PAST],
    [{ name: "x".repeat(65), environment: "x", scopes: "x" }, NAME],
    [{ environment: "x", scopes: undefined, allowed_cidrs: "x" }, ENVIRONMENT],
    [{ scopes: "x", allowed_cidrs: "x", expires_at: "x" }, SCOPES],
    [{ allowed_cidrs: "x", expires_at: "x" }, CIDRS],
  ];
  for (const [change, message] of CASES)
    test(`${JSON.stringify(change).slice(0, 60)}: ${message}`, async () => {
      const before = await keysOf(shop);
      const answer = await make(
        { token },
        { environment: "test", scopes: "svc-user-all", ...change },
      );
      assert.equal(answer.status, 400);
      assert.equal(answer.text, JSON.stringify({ message }));
      assert.equal(await keysOf(shop), before);
    });

  test("but names of 64 characters, of any script, are kept as they were sent", async () => {
    for (const name of ["x".repeat(64), "🌴".repeat(64), " ‏שלום ", "<b>'\"; drop table"]) {
      const { body } = await make({ token }, { environment: "test", scopes: "svc-user-all", name });
      assert.equal(body.data.name, name);
      await service.ctx.db.run(sql`delete from api_keys where kid = ${body.data.kid}`);
    }
  });
});

describe("scopes of a key", () => {
  const CASES: readonly [held: string, wanted: string, status: number][] = [
    ["svc-user-all", "svc-user-all", 201],
    ["svc-user-all", "svc-user-create svc-user-delete", 201],
    ["svc-user-create", "svc-user-create", 201],
    ["svc-user-create", "svc-user-all", 403],
    ["svc-user-create", "svc-user-delete", 403],
    ["svc-user-all", "svc-user-all svc-withdrawals-retrieve", 403],
    ["svc-user-all", "svc-accounts-all", 403],
    ["svc-transactions-all", "wapi-trans-refund-request", 201],
  ];
  for (const [held, wanted, status] of CASES)
    test(`a token with ${held} asking for ${wanted} gets ${status}`, async () => {
      const { access_token: narrow } = await shop.signIn(held);
      const before = await keysOf(shop);
      const answer = await make({ token: narrow }, { environment: "test", scopes: wanted });
      assert.equal(answer.status, status);
      if (status === 403) assert.equal(answer.text, SCOPE_REFUSED);
      assert.equal(await keysOf(shop), before + (status === 201 ? 1 : 0));
      await service.ctx.db.run(sql`delete from api_keys`);
    });
});

describe("who may not", () => {
  const ROUTES: readonly [method: string, path: string, json?: unknown][] = [
    ["POST", "/auth/keys", { environment: "test", scopes: "svc-user-all" }],
    ["GET", "/auth/keys"],
    ["GET", "/auth/keys/0123456789abcdef01"],
    ["PATCH", "/auth/keys/0123456789abcdef01", { name: "x" }],
    ["POST", "/auth/keys/0123456789abcdef01/rotate", {}],
    ["DELETE", "/auth/keys/0123456789abcdef01"],
  ];
  for (const [method, path, json] of ROUTES) {
    const body = json === undefined ? {} : { json };
    test(`${method} ${path} is 403 Forbidden for a PERSONAL account`, async () => {
      const anne = await service.world.person();
      const { access_token } = await anne.signIn();
      const answer = await service.request(path, { method, token: access_token, ...body });
      assert.equal(answer.status, 403);
      assert.equal(answer.text, FORBIDDEN);
      assert.equal(await keysOf(anne), 0);
    });

    test(`${method} ${path} is 401 for an API key, for both and for neither`, async () => {
      const { key } = await shop.makeKey();
      for (const credential of [{ key }, { key, token }, {}]) {
        const answer = await service.request(path, { method, ...credential, ...body });
        assert.equal(answer.status, 401);
        assert.equal(answer.text, UNAUTHORIZED);
      }
      await service.ctx.db.run(sql`delete from api_keys`);
    });
  }

  test("a PERSONAL account is told so before its fields are looked at", async () => {
    const { access_token } = await (await service.world.person()).signIn();
    const answer = await make({ token: access_token }, { environment: "nonsense" });
    assert.equal(answer.text, FORBIDDEN);
  });
});

describe("the twenty keys of an account", () => {
  const json = { environment: "test", scopes: "svc-user-all" };

  test("leave no room for a 21st, until one of them is revoked or expires", async () => {
    const who = await service.world.merchant();
    const mine = { token: (await who.signIn()).access_token };
    const soon = { ...json, expires_at: "2099-01-01T00:00:00Z" };
    const kids: string[] = [];
    for (let i = 0; i < 20; i++) kids.push((await make(mine, i === 0 ? soon : json)).body.data.kid);
    assert.equal((await make(mine, json)).text, FULL);
    await service.request(`/auth/keys/${kids[5]}`, { method: "DELETE", ...mine });
    assert.equal((await make(mine, json)).status, 201);
    assert.equal((await make(mine, json)).status, 409);
    await service.ctx.db.run(
      sql`update api_keys set expires_at = app_now() where kid = ${kids[0]}`,
    );
    assert.equal((await make(mine, json)).status, 201);
    assert.equal((await make(mine, json)).text, FULL);
    assert.equal((await make({ token }, json)).status, 201, "another account has its own twenty");
  });

  test("are exactly twenty when 30 are asked for at once", async () => {
    const who = await service.world.merchant();
    const mine = { token: (await who.signIn()).access_token };
    const answers = await Promise.all(Array.from({ length: 30 }, () => make(mine, json)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 20);
    assert.equal(answers.filter(({ text }) => text === FULL).length, 10);
    assert.equal(await keysOf(who), 20);
  });
});

/**
 * Listing, reading, changing and revoking API keys: only one's own, never the secret or its digest,
 * and a key that is over cannot be brought back to life.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { UNAUTHORIZED, whoami } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import type { Person } from "../../../testkit/world.ts";

const FIELDS = [
  "kid",
  "name",
  "environment",
  "status",
  "scopes",
  "allowed_cidrs",
  "created_at",
  "expires_at",
  "last_used_at",
  "rotated_to",
];
const UNKNOWN = "0123456789abcdef01";

let service: TestService;
let shop: Person;
let token: string;
before(async () => {
  service = await startService();
});
beforeEach(async () => {
  shop = await service.world.merchant();
  token = (await shop.signIn()).access_token;
});
after(() => service.stop());

const at = (kid: string, more: { method?: string; json?: unknown; token?: string } = {}) =>
  service.request(`/auth/keys/${kid}`, { token, ...more });
const change = (kid: string, json: unknown) => at(kid, { method: "PATCH", json });
const list = (query = "") => service.request(`/auth/keys${query}`, { token });

describe("GET /auth/keys", () => {
  test("lists the account's own keys, newest first, with nothing secret in them", async () => {
    const made = [await shop.makeKey(), await shop.makeKey(), await shop.makeKey()];
    await (await service.world.merchant()).makeKey();
    const answer = await list();
    assert.deepEqual(Object.keys(answer.body), ["message", "data", "meta", "links"]);
    const kids = answer.body.data.map((key: { kid: string }) => key.kid);
    assert.deepEqual(kids, made.map(({ kid }) => kid).reverse());
    for (const key of answer.body.data) assert.deepEqual(Object.keys(key), FIELDS);
    for (const { key } of made) assert(!answer.text.includes(key.slice(-64)));
    const { rows } = await service.ctx.db.pool.query(
      "select encode(key_digest, 'hex') as hex, encode(key_digest, 'base64') as b64 from api_keys",
    );
    for (const { hex, b64 } of rows)
      assert(!answer.text.includes(hex) && !answer.text.includes(b64));
  });

  test("pages through them with links that lead from page to page", async () => {
    for (let i = 0; i < 5; i++) await shop.makeKey();
    const seen: string[] = [];
    let next: string | null = "/auth/keys?page_size=2";
    while (next !== null) {
      const { body } = await service.request(next, { token });
      seen.push(...body.data.map((key: { kid: string }) => key.kid));
      assert.deepEqual(
        { ...body.meta, page: 0 },
        { page: 0, page_size: 2, total: 5, last_page: 3 },
      );
      const url: string | null = body.links.next;
      next = url === null ? null : new URL(url).pathname + new URL(url).search;
    }
    assert.equal(new Set(seen).size, 5);
    const { body } = await list("?page=9");
    assert.deepEqual(body.data, []);
    assert.deepEqual(body.meta, { page: 9, page_size: 20, total: 5, last_page: 1 });
  });

  test("of an account without keys is an empty page", async () => {
    const { body } = await list();
    assert.deepEqual(body.data, []);
    assert.deepEqual(body.meta, { page: 1, page_size: 20, total: 0, last_page: 1 });
    assert.equal(body.links.next, null);
    assert.equal(body.links.prev, null);
  });

  const PAGE = "The page must be a whole number from 1 to 1000000.";
  const SIZE = "The page size must be a whole number from 1 to 100.";
  const QUERIES: readonly [query: string, message: string][] = [
    ["?page=0", PAGE],
    ["?page=-1", PAGE],
    ["?page=1.5", PAGE],
    ["?page=0x1", PAGE],
    ["?page=1e1", PAGE],
    ["?page=99999999999999999999", PAGE],
    ["?page_size=0", SIZE],
    ["?page_size=101", SIZE],
    ["?page=x&page_size=x", PAGE],
    ["?page=1&page=2", "The page field is given more than once."],
    ["?page=%zz", "The query is not valid."],
  ];
  for (const [query, message] of QUERIES)
    test(`${query} answers 400: ${message}`, async () => {
      const answer = await list(query);
      assert.equal(answer.status, 400);
      assert.equal(answer.text, JSON.stringify({ message }));
    });

  test("shows revoked and expired keys as what they are", async () => {
    const [dead, old] = [await shop.makeKey(), await shop.makeKey()];
    await at(dead.kid, { method: "DELETE" });
    await service.ctx.db.run(sql`
      update api_keys set expires_at = app_now() where kid = ${old.kid}`);
    const { body } = await list();
    const statuses = body.data.map((key: { status: string }) => key.status);
    assert.deepEqual(statuses, ["expired", "revoked"]);
  });
});

describe("GET /auth/keys/{kid}", () => {
  test("shows one key as the list does", async () => {
    const { kid } = await shop.makeKey("svc-user-all", { name: "Till" });
    const answer = await at(kid);
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body.data), FIELDS);
    assert.deepEqual(answer.body.data, (await list()).body.data[0]);
  });
});

describe("a kid that is another account's or nobody's", () => {
  const METHODS: readonly [method: string, rest: string, json?: unknown][] = [
    ["GET", ""],
    ["PATCH", "", { name: "mine now" }],
    ["PATCH", "", {}],
    ["POST", "/rotate", {}],
    ["DELETE", ""],
  ];
  for (const [method, rest, json] of METHODS)
    test(`${method} {kid}${rest} ${JSON.stringify(json) ?? ""} answers the same 404`, async () => {
      const stranger = await service.world.merchant();
      const theirs = await stranger.makeKey();
      const odd = ["x", UNKNOWN.toUpperCase(), theirs.kid.toUpperCase(), "%27%20or%201=1--"];
      const answers = await Promise.all(
        [theirs.kid, UNKNOWN, ...odd].map((kid) => at(kid + rest, { method, json })),
      );
      for (const answer of answers) {
        assert.equal(answer.status, 404);
        assert.equal(answer.text, '{"message":"Not Found"}');
      }
      const { body } = await whoami(service, { key: theirs.key });
      assert.equal(body.data.kid, theirs.kid, "and the key is untouched");
      const { access_token } = await stranger.signIn();
      const { data } = (await at(theirs.kid, { token: access_token })).body;
      assert.deepEqual([data.name, data.status, data.rotated_to], [null, "active", null]);
    });
});

describe("PATCH /auth/keys/{kid}", () => {
  test("changes what is given and leaves the rest", async () => {
    const { kid, key } = await shop.makeKey("svc-user-all", {
      name: "Till",
      allowed_cidrs: ["127.0.0.0/8"],
    });
    const steps: [json: Record<string, unknown>, expected: Record<string, unknown>][] = [
      [{ name: "Shop" }, { name: "Shop" }],
      [{ expires_at: "2099-01-31T12:00:00Z" }, { expires_at: "2099-01-31T12:00:00.000Z" }],
      [{ allowed_cidrs: "127.0.0.1, ::1" }, { allowed_cidrs: ["127.0.0.1/32", "::1/128"] }],
      [{ expires_at: "never" }, { expires_at: null }],
      [{ allowed_cidrs: [] }, { allowed_cidrs: [] }],
    ];
    let expected = (await at(kid)).body.data;
    for (const [json, changed] of steps) {
      const answer = await change(kid, json);
      assert.equal(answer.status, 200);
      expected = { ...expected, ...changed };
      assert.deepEqual(answer.body, { message: "OK", data: expected });
      assert.deepEqual((await at(kid)).body.data, expected);
    }
    assert.equal((await whoami(service, { key })).status, 200);
  });

  test("cannot change scopes, environment, owner or state", async () => {
    const { kid } = await shop.makeKey("svc-user-retrieve");
    const { body: before } = await at(kid);
    const more = { scopes: "svc-user-all", environment: "live", account_number: "1", kid: UNKNOWN };
    const answer = await change(kid, { name: "x", ...more, status: "revoked", revoked_at: null });
    assert.deepEqual(answer.body.data, { ...before.data, name: "x" });
  });

  const BAD: readonly [json: Record<string, unknown>, message: string][] = [
    [{}, "Give at least one of name, allowed_cidrs and expires_at."],
    [{ name: "" }, "Give at least one of name, allowed_cidrs and expires_at."],
    [{ scopes: "svc-user-all" }, "Give at least one of name, allowed_cidrs and expires_at."],
    [{ name: "x".repeat(65) }, "The name must not be longer than 64 characters."],
    [{ allowed_cidrs: ["0.0.0.0/0"] }, "The allowed cidrs field has invalid values."],
    [{ expires_at: "soon" }, "The expires at must be a time such as 2027-01-31T12:00:00Z."],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "The expires at must be in the future."],
  ];
  for (const [json, message] of BAD)
    test(`${JSON.stringify(json).slice(0, 50)} answers 400 and changes nothing`, async () => {
      const { kid } = await shop.makeKey();
      const { body: before } = await at(kid);
      const answer = await change(kid, json);
      assert.equal(answer.status, 400);
      assert.equal(answer.text, JSON.stringify({ message }));
      assert.deepEqual((await at(kid)).body, before);
    });

  const OVER: readonly [state: string, message: string, end: (kid: string) => Promise<unknown>][] =
    [
      ["revoked", "The API key has been revoked.", (kid) => at(kid, { method: "DELETE" })],
      [
        "expired",
        "The API key has expired.",
        (kid) =>
          service.ctx.db.run(sql`update api_keys set expires_at = app_now() where kid = ${kid}`),
      ],
      [
        "rotated",
        "The API key has already been rotated.",
        (kid) => at(`${kid}/rotate`, { method: "POST", json: { overlap_seconds: 60 } }),
      ],
    ];
  for (const [state, message, end] of OVER)
    test(`cannot make a key live longer that is ${state}: 409`, async () => {
      const { kid, key } = await shop.makeKey();
      await end(kid);
      const { body: before } = await at(kid);
      for (const expires_at of ["never", "2099-01-31T12:00:00Z"]) {
        const answer = await change(kid, { expires_at });
        assert.equal(answer.status, 409);
        assert.deepEqual(answer.body, { message });
      }
      assert.deepEqual((await at(kid)).body, before);
      await service.clock.advance({ seconds: 61 });
      assert.equal((await whoami(service, { key })).text, UNAUTHORIZED);
    });
});

test("an overlap can be cut short, and an expiry brought forward", async () => {
  const { kid, key } = await shop.makeKey("svc-user-all", { expires_at: "2099-01-31T12:00:00Z" });
  assert.equal((await change(kid, { expires_at: "2098-01-31T12:00:00Z" })).status, 200);
  await at(`${kid}/rotate`, { method: "POST", json: { overlap_seconds: 3600 } });
  const { now } = await service.ctx.db.one<{ now: Date }>(sql`select app_now() as now`);
  const expires_at = new Date(now.getTime() + 60_000).toISOString();
  assert.equal((await change(kid, { expires_at })).body.data.expires_at, expires_at);
  await service.clock.advance({ seconds: 60 });
  assert.equal((await whoami(service, { key })).text, UNAUTHORIZED);
});

describe("DELETE /auth/keys/{kid}", () => {
  test("answers 200 OK, the key is dead at once, and a second time changes nothing", async () => {
    const { kid, key } = await shop.makeKey();
    const other = await shop.makeKey();
    assert.equal((await whoami(service, { key })).status, 200);
    const answer = await at(kid, { method: "DELETE" });
    assert.equal(answer.text, '{"message":"OK"}');
    assert.equal((await whoami(service, { key })).text, UNAUTHORIZED);
    // Written a moment after it was used, which must not fall between the two that are compared.
    const isUseWritten = async () => (await at(kid)).body.data.last_used_at !== null;
    await until(isUseWritten, "its use is written");
    const { body: before } = await at(kid);
    assert.equal(before.data.status, "revoked");
    await service.clock.advance({ minutes: 1 });
    assert.equal((await at(kid, { method: "DELETE" })).status, 200);
    assert.deepEqual((await at(kid)).body, before);
    assert.equal((await change(kid, { name: "x" })).status, 409);
    assert.equal((await whoami(service, { key: other.key })).status, 200);
  });
});

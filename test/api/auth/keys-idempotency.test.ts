/**
 * Making and rotating a key under an Idempotency-Key happens once; the answer again is the record
 * without the secret, which no table keeps.
 */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { countOf, whoami } from "../../../testkit/auth.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import type { Person } from "../../../testkit/world.ts";

const BODY = { name: "Till", environment: "test", scopes: "svc-user-all svc-user-create" };

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

function make(under: string, body: { json?: unknown; form?: Record<string, string> }, as = token) {
  const headers = { "idempotency-key": under };
  return service.request("/auth/keys", { method: "POST", token: as, headers, ...body });
}
const keysOf = () => countOf(service, sql`api_keys where account_number = ${shop.accountNumber}`);

describe("the same request again", () => {
  test("answers 201 with the record, marked, without the secret, and makes no key", async () => {
    const first = await make("order-1", { json: BODY });
    const again = [await make("order-1", { json: BODY }), await make("order-1", { json: BODY })];
    assert.equal(first.headers.get("idempotent-replayed"), null);
    const { key, ...record } = first.body.data;
    for (const answer of again) {
      assert.equal(answer.status, 201);
      assert.equal(answer.headers.get("idempotent-replayed"), "true");
      assert.deepEqual(answer.body, { message: "Created", data: record });
      assert(!answer.text.includes(key.slice(-64)));
      assert.equal(answer.text, again[0]?.text);
    }
    assert.equal(await keysOf(), 1);
    assert.equal((await whoami(service, { key })).status, 200);
  });

  const SAME: readonly [name: string, body: Parameters<typeof make>[1]][] = [
    ["as a form", { form: BODY }],
    [
      "with its fields in another order",
      { json: Object.fromEntries(Object.entries(BODY).reverse()) },
    ],
    ["with the scopes as a list", { json: { ...BODY, scopes: BODY.scopes.split(" ") } }],
    ["with unknown fields", { json: { ...BODY, colour: "blue" } }],
    ["with empty optional fields", { json: { ...BODY, expires_at: "", allowed_cidrs: null } }],
  ];
  for (const [name, body] of SAME)
    test(`${name} is the same request`, async () => {
      await make("order-1", { json: BODY });
      const answer = await make("order-1", body);
      assert.equal(answer.status, 201);
      assert.equal(answer.headers.get("idempotent-replayed"), "true");
      assert.equal(await keysOf(), 1);
    });

  test("by another token of the account is the same, by another account is not", async () => {
    await make("order-1", { json: BODY });
    const second = (await shop.signIn()).access_token;
    const answer = await make("order-1", { json: BODY }, second);
    assert.equal(answer.headers.get("idempotent-replayed"), "true");
    const stranger = (await (await service.world.merchant()).signIn()).access_token;
    const other = await make("order-1", { json: BODY }, stranger);
    assert.equal(other.headers.get("idempotent-replayed"), null);
    assert.equal(typeof other.body.data.key, "string");
  });

  test("sent 16 times at once makes one key and shows its secret once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => make("order-1", { json: BODY })),
    );
    const made = answers.filter(({ status, body }) => status === 201 && body.data.key);
    assert.equal(made.length, 1);
    for (const answer of answers) {
      if (answer.status === 201) continue;
      assert.equal(answer.status, 409);
      assert.equal(answer.headers.get("retry-after"), "1");
    }
    assert.equal(await keysOf(), 1);
  });
});

describe("another request under the same Idempotency-Key", () => {
  const CHANGED: readonly Record<string, unknown>[] = [
    { name: "Other till" },
    { name: undefined },
    { environment: "live" },
    { scopes: "svc-user-all" },
    { allowed_cidrs: "192.0.2.0/24" },
    { expires_at: "2099-01-31T12:00:00Z" },
  ];
  for (const change of CHANGED)
    test(`${JSON.stringify(change)} answers 422 and makes no key`, async () => {
      await make("order-1", { json: BODY });
      const answer = await make("order-1", { json: { ...BODY, ...change } });
      assert.equal(answer.status, 422);
      const message = "This Idempotency-Key was used with a different request.";
      assert.deepEqual(answer.body, { message });
      assert.equal(await keysOf(), 1);
    });

  test("is the first one, when the one before was refused", async () => {
    assert.equal((await make("order-1", { json: { ...BODY, environment: "x" } })).status, 400);
    const tooMuch = { ...BODY, scopes: "svc-accounts-all" };
    assert.equal((await make("order-1", { json: tooMuch })).status, 403);
    const answer = await make("order-1", { json: BODY });
    assert.equal(answer.status, 201);
    assert.match(answer.body.data.key, /^svc_test_/);
  });
});

describe("the Idempotency-Key itself", () => {
  for (const bad of ["a b", "é", "x".repeat(256), '"'.repeat(300)])
    test(`${JSON.stringify(bad).slice(0, 20)} answers 400 and makes no key`, async () => {
      const answer = await make(bad, { json: BODY });
      assert.equal(answer.status, 400);
      assert.equal(await keysOf(), 0);
    });

  test("may be 255 characters, and quoted or not is the same", async () => {
    const under = "x".repeat(255);
    await make(under, { json: BODY });
    const quoted = await make(`"${under}"`, { json: BODY });
    assert.equal(quoted.headers.get("idempotent-replayed"), "true");
  });

  test("of a rotation works alike: once, and again without the secret", async () => {
    const { kid } = await shop.makeKey();
    const rotate = (overlap_seconds: number) =>
      service.request(`/auth/keys/${kid}/rotate`, {
        method: "POST",
        token,
        json: { overlap_seconds },
        headers: { "idempotency-key": "roll-1" },
      });
    const first = await rotate(60);
    const again = await rotate(60);
    assert.equal(again.status, 201);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    const { key, ...record } = first.body.data;
    assert.deepEqual(again.body.data, record);
    assert.equal((await whoami(service, { key })).status, 200);
    assert.equal((await rotate(61)).status, 422);
    assert.equal(await keysOf(), 2);
  });

  test("of one key's rotation cannot rotate another key", async () => {
    const [one, other] = [await shop.makeKey(), await shop.makeKey()];
    const rotate = ({ kid }: { kid: string }) =>
      service.request(`/auth/keys/${kid}/rotate`, {
        method: "POST",
        token,
        headers: { "idempotency-key": "roll-1" },
      });
    assert.equal((await rotate(one)).status, 201);
    assert.equal((await rotate(other)).status, 422);
    assert.equal(await keysOf(), 3);
    assert.equal((await whoami(service, { key: other.key })).status, 200);
  });
});

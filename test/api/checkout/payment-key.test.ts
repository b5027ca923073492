/**
 * The guarantee: a merchant reads its own keys, each environment's its own, the same ones each time
 * until it replaces them; and nobody reads them out of the database (Decision 0039).
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import { seedDemoWorld } from "../../../src/demo-world.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { paymentKeysOf } from "../../../src/modules/checkout/result/payment-keys.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { startService } from "../../../testkit/service.ts";

const service = await startService();
after(() => service.stop());
const { ctx, world } = service;
await seedDemoWorld(ctx);

async function signedIn(kind: "merchant" | "person" = "merchant") {
  const who = await world[kind]();
  return { ...who, token: (await mintToken(ctx, who, ["svc-user-all"])).token };
}

const read = (token: string, environment?: string) =>
  service.request(
    `/user/payment-key${environment === undefined ? "" : `?environment=${environment}`}`,
    { token },
  );
const change = (token: string, json: object) =>
  service.request("/user/payment-key", { method: "PATCH", token, json });
const rotate = (token: string, json: object, headers: Record<string, string> = {}) =>
  service.request("/user/payment-key/rotate", { method: "POST", token, json, headers });

describe("reading", () => {
  test("makes them the first time and tells the same ones from then on", async () => {
    const { token } = await signedIn();
    const all = await Promise.all(Array.from({ length: 8 }, () => read(token, "sandbox")));
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(all.map(({ text }) => text)).size, 1);
    const { data } = all[0]?.body ?? {};
    assert.equal(data.environment, "sandbox");
    assert.match(data.hash_key, /^\w{32}$/);
    assert.match(data.signing_secret, /^\w{43}$/);
    const live = (await read(token)).body.data;
    assert.equal(live.environment, "live");
    assert.notEqual(live.hash_key, data.hash_key);
    assert.notEqual(live.signing_secret, data.signing_secret);
  });

  test("is for businesses", async () => {
    const { token } = await signedIn("person");
    assert.equal((await read(token)).status, 403);
    assert.equal((await rotate(token, { environment: "live" })).status, 403);
  });

  test("is not for API keys", async () => {
    const shop = await world.merchant();
    const { key } = await shop.makeKey("svc-user-all");
    assert.equal((await service.request("/user/payment-key", { key })).status, 401);
  });

  test("of the sandbox's own account tells what the documents tell", async () => {
    const token = (await mintToken(ctx, { accountNumber: "1234567890" }, ["svc-user-all"])).token;
    assert.deepEqual((await read(token, "sandbox")).body.data, {
      environment: "sandbox",
      hash_key: "123",
      signing_secret: "sandbox-signing-secret",
      require_signature: false,
    });
    assert.notEqual((await read(token, "live")).body.data.hash_key, "123");
  });
});

describe("replacing", () => {
  test("gives new ones at once, in that environment alone, and is written down", async () => {
    const { token, accountNumber } = await signedIn();
    const before = (await read(token, "sandbox")).body.data;
    const live = (await read(token, "live")).body.data;
    const fresh = await rotate(token, { environment: "sandbox" });
    assert.equal(fresh.status, 200);
    assert.notEqual(fresh.body.data.hash_key, before.hash_key);
    assert.notEqual(fresh.body.data.signing_secret, before.signing_secret);
    assert.deepEqual((await read(token, "sandbox")).body, fresh.body);
    assert.deepEqual((await read(token, "live")).body.data, live);
    const { count } = await ctx.db.one<{ count: number }>(sql`
      select count(*)::int from audit_entries
      where account_number = ${accountNumber} and action = 'payment_key_rotated'`);
    assert.equal(count, 1);
  });

  test("asks which, because there is no way back", async () => {
    const { token } = await signedIn();
    const { body } = await rotate(token, {});
    assert.deepEqual(body, { message: "The environment field is required." });
  });

  test("once under one Idempotency-Key, which does not keep them", async () => {
    const { token } = await signedIn();
    const key = { "idempotency-key": randomUUID() };
    const first = await rotate(token, { environment: "live" }, key);
    const again = await rotate(token, { environment: "live" }, key);
    assert.deepEqual(again.body, {
      message: "OK",
      data: { environment: "live", require_signature: false },
    });
    assert.deepEqual((await read(token)).body, first.body);
  });
});

describe("requiring signed requests", () => {
  test("is off at first, is shown beside the keys, and leaves them as they are", async () => {
    const { token, accountNumber } = await signedIn();
    const before = (await read(token, "sandbox")).body.data;
    assert.equal(before.require_signature, false);
    const answer = await change(token, { environment: "sandbox", require_signature: true });
    assert.equal(answer.status, 200);
    const data = { environment: "sandbox", require_signature: true };
    assert.deepEqual(answer.body, { message: "OK", data });
    assert.deepEqual((await read(token, "sandbox")).body.data, { ...before, ...data });
    assert.equal((await read(token, "live")).body.data.require_signature, false);
    const entries = await ctx.db.rows<{ detail: Record<string, unknown> }>(sql`
      select detail from audit_entries
      where account_number = ${accountNumber} and action = 'payment_key_changed'`);
    assert.equal(entries.length, 1);
    const { grant_id, ...detail } = entries[0]?.detail ?? {};
    assert.equal(typeof grant_id, "string");
    assert.deepEqual(detail, data);
  });

  test("is set before any key was needed, and stays when they are replaced", async () => {
    const { token } = await signedIn();
    await change(token, { environment: "live", require_signature: "1" });
    const { data } = (await read(token)).body;
    assert.match(data.signing_secret, /^\w{43}$/);
    assert.equal(data.require_signature, true);
    await rotate(token, { environment: "live" });
    assert.equal((await read(token)).body.data.require_signature, true);
    await change(token, { environment: "live", require_signature: false });
    assert.equal((await read(token)).body.data.require_signature, false);
  });

  for (const [json, message] of [
    [{}, "The environment field is required."],
    [{ environment: "test", require_signature: true }, "The environment must be one of:"],
    [{ environment: "live" }, "The require signature field is required."],
    [
      { environment: "live", require_signature: "yes" },
      "The require signature must be true or false.",
    ],
  ] as const)
    test(`refuses ${JSON.stringify(json)} and changes nothing`, async () => {
      const { token } = await signedIn();
      const { status, body } = await change(token, json);
      assert.equal(status, 400);
      assert(body.message.startsWith(message), body.message);
      assert.equal((await read(token)).body.data.require_signature, false);
    });

  test("is for businesses, with the scope to update, and not for API keys", async () => {
    const json = { environment: "sandbox", require_signature: true };
    const person = await signedIn("person");
    assert.equal((await change(person.token, json)).status, 403);
    const shop = await world.merchant();
    const reader = await mintToken(ctx, shop, ["svc-user-retrieve"]);
    assert.equal((await change(reader.token, json)).status, 403);
    const { key } = await shop.makeKey("svc-user-all");
    const byKey = await service.request("/user/payment-key", { method: "PATCH", key, json });
    assert.equal(byKey.status, 401);
  });
});

test("at rest they are sealed, and a box moved to another row does not open", async () => {
  const one = await signedIn();
  const other = await signedIn();
  const { data } = (await read(one.token)).body;
  await read(other.token);
  const { text } = await ctx.db.one<{ text: string }>(sql`
    select string_agg(payment_keys::text || encode(hash_key_box, 'escape')
      || encode(signing_secret_box, 'escape'), '') as text from payment_keys`);
  assert(!text.includes(data.hash_key) && !text.includes(data.signing_secret));
  await ctx.db.run(sql`
    update payment_keys as one set hash_key_box = other.hash_key_box from payment_keys as other
    where one.account_number = ${one.accountNumber}
      and other.account_number = ${other.accountNumber}`);
  const { accountNumber } = one;
  await assert.rejects(paymentKeysOf(ctx.db, ctx.config, { accountNumber, environment: "live" }));
});

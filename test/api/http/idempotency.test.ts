/**
 * A request that is sent again has its effect once and its answer twice, byte for byte. Whatever is
 * refused is not stored, so that it may be corrected and sent again under its key.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { pruneRequestRows } from "../../../src/infra/http/serve/prune-request-rows.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { createNoteTable, createProbes, NOTE } from "../../../testkit/probe-routes.ts";
import { ask } from "../../../testkit/raw-http.ts";
import { type RequestOptions, startService, type TestAnswer } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";

const probes = createProbes();
const service = await startService({ extraRoutes: probes.routes });
const { ctx } = service;
await createNoteTable(ctx.db);
after(() => service.stop());
const shop = await service.world.mainMerchant();
const { token } = await mintToken(ctx, shop, SCOPES);

/** How many notes were written since it was last asked. */
async function newNotes(): Promise<number> {
  return ctx.db.run(sql`delete from probe_notes`);
}
afterEach(async () => assert.equal(await newNotes(), 0, "notes were written unasked"));

function post(key: string, request: RequestOptions = { json: NOTE }): Promise<TestAnswer> {
  const headers = { "idempotency-key": key };
  return service.request("/probe/notes", { method: "POST", token, ...request, headers });
}

async function expectReplay(first: TestAnswer, again: TestAnswer): Promise<void> {
  assert.equal(again.status, first.status, again.text);
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get("content-type"), first.headers.get("content-type"));
  assert.equal(again.headers.get("idempotent-replayed"), "true");
}

async function expectFresh(answer: TestAnswer): Promise<void> {
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get("idempotent-replayed"), null);
}

const MISMATCH = { message: "This Idempotency-Key was used with a different request." };
const RUNNING = { message: "A request with this Idempotency-Key is still running." };

describe("the same request under the same key", () => {
  test("has one effect for 32 at once, and the others wait or get the first answer", async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 32 }, () => post(key)));
    const fresh = answers.filter(({ status, headers }) => {
      return status === 201 && headers.get("idempotent-replayed") === null;
    });
    assert.equal(fresh.length, 1, "one of them is the first, and only one");
    const [first] = fresh as [TestAnswer];
    for (const answer of answers.filter((one) => one !== first)) {
      if (answer.status === 201) await expectReplay(first, answer);
      else {
        assert.deepEqual([answer.status, answer.body], [409, RUNNING]);
        assert.equal(answer.headers.get("retry-after"), "1");
      }
    }
    assert.equal(await newNotes(), 1);
  });

  test("once answered, is a replay for 32 at once: nothing is running any more", async () => {
    const key = randomUUID();
    const first = await post(key);
    const again = await Promise.all(Array.from({ length: 32 }, () => post(key)));
    for (const answer of again) await expectReplay(first, answer);
    assert.equal(await newNotes(), 1);
  });

  test("is 409 with Retry-After exactly while the first is running", async () => {
    const key = randomUUID();
    const json = { ...NOTE, mood: "slow" };
    const first = post(key, { json });
    await until(() => probes.latch.waiting() === 1, "the first has begun");
    for (const request of [{ json }, { json: NOTE }]) {
      const answer = await post(key, request);
      assert.deepEqual([answer.status, answer.body], [409, RUNNING]);
      assert.equal(answer.headers.get("retry-after"), "1");
    }
    probes.latch.open();
    await expectFresh(await first);
    await expectReplay(await first, await post(key, { json }));
    assert.equal(await newNotes(), 1);
  });

  test("is the same as JSON and as form data, and whatever else stands beside its fields", async () => {
    const key = randomUUID();
    const first = await post(key);
    const SAME: RequestOptions[] = [
      { form: { ...NOTE, copies: "2" } },
      { json: { ...NOTE, copies: "2" } },
      { json: { ...NOTE, email: "A@EXAMPLE.com" } },
      { json: { email: NOTE.email, mood: NOTE.mood, copies: NOTE.copies, title: NOTE.title } },
      { json: { ...NOTE, remark: "", unknown: [1, 2, 3] } },
      { raw: { type: "application/json; charset=utf-8", body: JSON.stringify(NOTE, null, 2) } },
    ];
    for (const request of SAME) await expectReplay(first, await post(key, request));
    assert.equal(await newNotes(), 1);
  });

  test("may come from another token of the account", async () => {
    const key = randomUUID();
    const first = await post(key);
    const other = await mintToken(ctx, shop, ["svc-user-update"]);
    await expectReplay(first, await post(key, { json: NOTE, token: other.token }));
    assert.equal(await newNotes(), 1);
  });
});

describe("another request under the same key", () => {
  const CHANGES: Record<string, unknown>[] = [
    { title: "Rent." },
    { title: "rent" },
    { copies: 3 },
    { mood: "refused" },
    { email: "b@example.com" },
    { remark: "x" },
  ];
  for (const change of CHANGES)
    test(`is refused with 422 and does nothing: ${JSON.stringify(change)}`, async () => {
      const key = randomUUID();
      const first = await post(key);
      for (const encoding of ["json", "form"] as const) {
        const request = { [encoding]: { ...NOTE, ...change } };
        const answer = await post(key, request);
        assert.deepEqual([answer.status, answer.body], [422, MISMATCH]);
      }
      await expectReplay(first, await post(key));
      assert.equal(await newNotes(), 1);
    });

  test("at the same moment: one of the two wins, never both", async () => {
    for (let round = 0; round < 10; round++) {
      const key = randomUUID();
      const pair = [NOTE, { ...NOTE, title: "Other" }].map((json) => post(key, { json }));
      const statuses = (await Promise.all(pair)).map(({ status }) => status).sort();
      assert.equal(statuses[0], 201);
      assert([409, 422].includes(statuses[1] ?? 0), String(statuses));
      assert.equal(await newNotes(), 1);
    }
  });
});

describe("a key is independent", () => {
  test("of the same key of another account", async () => {
    const key = randomUUID();
    const other = await service.world.merchant();
    const theirs = await mintToken(ctx, other, SCOPES);
    await expectFresh(await post(key));
    await expectFresh(await post(key, { json: { ...NOTE, copies: 9 }, token: theirs.token }));
    assert.equal(await newNotes(), 2);
  });

  test("of the same key on another route", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const request = { method: "POST", token, json: NOTE, headers };
    await expectFresh(await service.request("/probe/notes", request));
    await expectFresh(await service.request("/probe/memos", request));
    assert.equal(await newNotes(), 2);
  });

  test("of the same key in the other environment", async () => {
    const headers = { "idempotency-key": randomUUID() };
    for (const prefix of ["live", "test"] as const) {
      const { key } = await mintKey(ctx, shop, SCOPES, { prefix });
      const answer = await service.request("/probe/notes", {
        method: "POST",
        key,
        json: NOTE,
        headers,
      });
      await expectFresh(answer);
    }
    assert.equal(await newNotes(), 2);
  });
});

describe("nothing is remembered of", () => {
  const REFUSED: [number, string, RequestOptions][] = [
    [400, "a field that is refused", { json: { ...NOTE, copies: 0 } }],
    [400, "a body that cannot be read", { raw: { type: "application/json", body: "{" } }],
    [401, "a bad credential", { json: NOTE, token: "x" }],
    [413, "a body that is too large", { json: { x: "x".repeat(70_000) } }],
    [415, "a body of another type", { raw: { type: "text/plain", body: "x" } }],
    [422, "a refusal by the work itself", { json: { ...NOTE, mood: "refused" } }],
    [500, "a crash inside the work", { json: { ...NOTE, mood: "broken" } }],
  ];
  for (const [status, what, request] of REFUSED)
    test(`${what} (${status}), and the mended request is accepted`, async () => {
      const key = randomUUID();
      assert.equal((await post(key, request)).status, status);
      const stored = sql`select from idempotency_keys where idempotency_key = ${key}`;
      assert.deepEqual(await ctx.db.rows(stored), []);
      assert.equal(await newNotes(), 0);
      await expectFresh(await post(key));
      assert.equal(await newNotes(), 1);
    });

  test("a secret that is shown once: the replay has the record without it", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const json = { environment: "test", scopes: "svc-user-all" };
    const request = { method: "POST", token, json, headers };
    const first = await service.request("/auth/keys", request);
    const again = await service.request("/auth/keys", request);
    const { key, ...record } = first.body.data;
    assert.match(key, /^svc_test_/);
    assert.deepEqual(again.body.data, record);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
  });
});

describe("a key", () => {
  const withHeader = (...values: string[]) =>
    ask(service.url, {
      method: "POST",
      target: "/probe/notes",
      lines: [
        `Authorization: Bearer ${token}`,
        "Content-Type: application/json",
        ...values.map((value) => `Idempotency-Key: ${value}`),
      ],
      body: JSON.stringify(NOTE),
    });
  const REFUSAL = "The Idempotency-Key must be 1 to 255 visible ASCII characters.";

  const BAD = ["", '""', "x".repeat(256), `"${"x".repeat(256)}"`, "a b", "a\tb", "\xe9"];
  for (const bad of BAD)
    test(`${JSON.stringify(bad.slice(0, 20))} of ${bad.length} is refused`, async () => {
      const answer = await withHeader(bad);
      assert.deepEqual([answer.status, JSON.parse(answer.body)], [400, { message: REFUSAL }]);
    });

  test("given twice is refused", async () => {
    assert.equal((await withHeader("a", "b")).status, 400);
  });

  const SAME: [string, string][] = [
    ["abc", '"abc"'],
    ['quoted"', '"quoted\\""'],
    ["back\\slash", '"back\\\\slash"'],
    ["!~".repeat(127), `"${"!~".repeat(127)}"`],
    ["x".repeat(255), `"${"x".repeat(255)}"`],
  ];
  for (const [plain, quoted] of SAME)
    test(`${plain.slice(0, 20)} is the same plain and as a quoted string`, async () => {
      const first = await withHeader(plain);
      assert.equal(first.status, 201, first.body);
      const again = await withHeader(quoted);
      assert.equal(again.body, first.body);
      assert.equal(again.headers.get("idempotent-replayed"), "true");
      assert.equal(await newNotes(), 1);
    });
});

test("a key is kept for 24 hours at least, for a week in fact, and then forgotten by the job", async () => {
  const key = randomUUID();
  const first = await post(key);
  const later = async () => {
    await pruneRequestRows.run(ctx, undefined);
    const fresh = await mintToken(ctx, shop, SCOPES);
    return post(key, { json: NOTE, token: fresh.token });
  };
  await service.clock.advance({ hours: 24, minutes: 1 });
  await expectReplay(first, await later());
  await service.clock.advance({ hours: 6 * 24 - 1 });
  await expectReplay(first, await later());
  assert.equal(await newNotes(), 1);
  await service.clock.advance({ hours: 1 });
  await expectFresh(await later());
  assert.equal(await newNotes(), 1);
});

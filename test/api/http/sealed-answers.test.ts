/**
 * What is kept for an Idempotency-Key opens in its own row and under its own pepper. Where it does
 * not open, nothing is told of it and the request is not done again (Decision 0006).
 */

import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, afterEach, test } from "node:test";
import pg from "pg";
import { sql } from "../../../src/infra/db/query.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { createNoteTable, createProbes, NOTE } from "../../../testkit/probe-routes.ts";
import { startService, type TestAnswer, type TestService } from "../../../testkit/service.ts";

const MIGRATION = new URL("../../../db/migrations/0021_sealed_answers.sql", import.meta.url);
const MISMATCH = { message: "This Idempotency-Key was used with a different request." };

const [old, next] = ["old", "new"].map((id) => `${id}:${randomBytes(32).toString("base64")}`);
const extraRoutes = createProbes().routes;
const past = await startService({ extraRoutes, settings: { TOKEN_PEPPERS: `${old}` } });
const { database } = past;
const { db } = past.ctx;
const withPeppers = (peppers: string) =>
  startService({ extraRoutes, database, settings: { TOKEN_PEPPERS: peppers } });
const turning = await withPeppers(`${next},${old}`);
const future = await withPeppers(`${next}`);
after(async () => {
  await future.stop();
  await turning.stop();
  await past.stop();
});
await createNoteTable(db);
const shop = await past.world.merchant();
const { token } = await mintToken(past.ctx, shop, SCOPES);

const newNotes = () => db.run(sql`delete from probe_notes`);
afterEach(async () => assert.equal(await newNotes(), 0, "notes were written unasked"));

const post = (
  service: TestService,
  key: string,
  json: Record<string, unknown> = NOTE,
): Promise<TestAnswer> =>
  service.request("/probe/notes", {
    method: "POST",
    token,
    json,
    headers: { "idempotency-key": key },
  });

async function expectReplay(first: TestAnswer, again: TestAnswer): Promise<void> {
  assert.deepEqual([again.status, again.text], [first.status, first.text]);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
}

async function expectMismatch(answer: TestAnswer): Promise<void> {
  assert.deepEqual([answer.status, answer.body], [422, MISMATCH]);
}

test("with a new first pepper, answers kept under the old one are told again", async () => {
  const key = randomUUID();
  const first = await post(past, key);
  await expectReplay(first, await post(turning, key));
  assert.equal(await newNotes(), 1);
});

test("new answers are kept under the new pepper; without it a request is 422 and not done", async () => {
  const key = randomUUID();
  const first = await post(turning, key);
  await expectReplay(first, await post(future, key));
  await expectMismatch(await post(past, key));
  assert.equal(await newNotes(), 1);
});

test("without the old pepper what it sealed is 422 and not done; put back, it is told", async () => {
  const key = randomUUID();
  const first = await post(past, key);
  await expectMismatch(await post(future, key));
  await expectReplay(first, await post(turning, key));
  assert.equal(await newNotes(), 1);
});

test("a box that is copied over another row does not open: 500, and nothing of it is told", async () => {
  const [mine, other] = [randomUUID(), randomUUID()];
  const first = await post(past, mine);
  await post(past, other, { ...NOTE, title: "Other" });
  assert.equal(await newNotes(), 2);
  const boxOf = async (key: string) => {
    const row = sql`select body_box from idempotency_keys where idempotency_key = ${key}`;
    return (await db.one<{ body_box: Buffer }>(row)).body_box;
  };
  const putBox = (box: Buffer) =>
    db.run(sql`update idempotency_keys set body_box = ${box} where idempotency_key = ${mine}`);
  const own = await boxOf(mine);
  await putBox(await boxOf(other));
  const answer = await post(past, mine);
  assert.deepEqual([answer.status, answer.body], [500, { message: "Internal Server Error" }]);
  await putBox(own);
  await expectReplay(first, await post(past, mine));
});

test("what is kept of two equal answers does not tell that they are equal", async () => {
  const keys = [randomUUID(), randomUUID()];
  for (const key of keys) await post(past, key);
  assert.equal(await newNotes(), 2);
  const rows = await db.rows<{ box: string }>(sql`
    select encode(body_box, 'hex') as box from idempotency_keys
    where idempotency_key = any (${keys})`);
  assert.equal(new Set(rows.map(({ box }) => box)).size, 2);
});

test("the migration leaves nothing in clear, and what was done before it is not done again", async () => {
  const key = randomUUID();
  const first = await post(past, key);
  assert.equal(await newNotes(), 1);
  await db.run(sql`alter table idempotency_keys rename column body_box to body`);
  await db.run(sql`update idempotency_keys set body = ${Buffer.from(first.text)}`);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`begin; ${readFileSync(MIGRATION, "utf8")}; commit`);
  await client.end();
  const left = await db.rows(sql`select from idempotency_keys where body_box <> ''`);
  assert.deepEqual(left, []);
  await expectMismatch(await post(past, key));
  await expectMismatch(await post(turning, key));
});

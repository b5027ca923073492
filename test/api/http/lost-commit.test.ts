/**
 * A client whose answer was lost between us and the database gets the true result: with an
 * Idempotency-Key the effect is looked up and reported, and however the connection is cut, sending
 * the same request again ends with one effect and one answer.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { runOnce } from "../../../src/infra/http/serve/idempotency.ts";
import { SCOPES } from "../../../src/kit/scopes.ts";
import { mintToken } from "../../../testkit/credentials.ts";
import { startCuttingProxy } from "../../../testkit/cutting-proxy.ts";
import { freshDatabase } from "../../../testkit/database.ts";
import { createNoteTable, createProbes, NOTE } from "../../../testkit/probe-routes.ts";
import { startService } from "../../../testkit/service.ts";

const database = await freshDatabase();
const proxy = await startCuttingProxy(database.url);
const service = await startService({
  extraRoutes: createProbes().routes,
  database: { url: proxy.url, drop: async () => {} },
});
after(async () => {
  await service.stop();
  await proxy.close();
  await database.drop();
});
await createNoteTable(service.ctx.db);
const shop = await service.world.merchant();
const { token } = await mintToken(service.ctx, shop, SCOPES);

const post = (key: string) =>
  service.request("/probe/notes", {
    method: "POST",
    token,
    json: NOTE,
    ...(key === "" ? {} : { headers: { "idempotency-key": key } }),
  });
const newNotes = () => service.ctx.db.run(sql`delete from probe_notes`);
afterEach(async () => assert.equal(await newNotes(), 0));

test("lost after COMMIT, the stored answer is found and told, and told again", async () => {
  const key = randomUUID();
  proxy.cutNextCommit("after");
  const first = await post(key);
  assert.equal(first.status, 201);
  const again = await post(key);
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.equal(await newNotes(), 1);
});

test("an answer that is told again commits like a write, and so waits for a standby", async () => {
  const { db } = service.ctx;
  const written: boolean[] = [];
  const watched = {
    ...db,
    transaction: ((work, options) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        const look = sql`select pg_current_xact_id_if_assigned() is not null as yes`;
        written.push((await tx.one<{ yes: boolean }>(look)).yes);
        return result;
      }, options)) as typeof db.transaction,
  };
  const { accountNumber } = shop;
  const where = { accountNumber, environment: "live", route: "POST /probe/notes" };
  const { tokenPeppers: peppers } = service.ctx.config;
  const request = { ...where, key: randomUUID(), peppers, fingerprints: [Buffer.alloc(32)] };
  const work = async () => ({ status: 201, body: { message: "made" } });
  for (let turn = 0; turn < 2; turn++) await runOnce(watched, request, work);
  assert.deepEqual(written, [true, true]);
});

test("lost before COMMIT, nothing happened: 503, and the same key does it once", async () => {
  const key = randomUUID();
  proxy.cutNextCommit("before");
  const lost = await post(key);
  assert.deepEqual([lost.status, lost.body], [503, { message: "Service Unavailable" }]);
  assert.equal(lost.headers.get("retry-after"), "1");
  assert.equal(await newNotes(), 0);
  assert.equal((await post(key)).status, 201);
  assert.equal(await newNotes(), 1);
});

test("without a key nobody can tell, so the answer is 503 and never a plain no", async () => {
  proxy.cutNextCommit("after");
  assert.equal((await post("")).status, 503);
  assert.equal(await newNotes(), 1);
});

test("an hour of bad luck still makes one note", async () => {
  const key = randomUUID();
  const cuts = ["after", "before", "after"] as const;
  for (const when of cuts) {
    proxy.cutNextCommit(when);
    await post(key);
  }
  assert.equal((await post(key)).status, 201);
  assert.equal(await newNotes(), 1);
});

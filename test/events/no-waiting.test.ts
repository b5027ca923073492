/**
 * Recording events makes the writers of one account wait neither for each other nor for the
 * sequencer: no writer needs a lock that another holds until it commits (Decision 0032).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { type Queryable, queryable, type Statement, sql } from "../../src/infra/db/query.ts";
import { listEvents } from "../../src/modules/events/list-events.ts";
import { numberEvents } from "../../src/modules/events/number-events.ts";
import { recordEvents } from "../../src/modules/events/record-event.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { note, nothingMore } from "./support.ts";

const WRITERS = 32;

let service: TestService;
let db: Database;
before(async () => {
  service = await startService();
  const { url } = service.database;
  db = openDatabase({ url, connectionsMax: WRITERS + 2, log: service.ctx.log });
});
after(async () => {
  await db.close();
  await service.stop();
});

test("32 txs of one account all stand between their event and their commit at once", async () => {
  const shop = await service.world.merchant();
  const word = Promise.withResolvers<void>();
  let standing = 0;
  const all = Array.from({ length: WRITERS }, (_, turn) =>
    db.transaction(async (tx) => {
      await note(tx, shop, `${turn}`);
      // As at COMMIT, where each also takes its place in line.
      await tx.run(sql`set constraints all immediate`);
      standing += 1;
      if (standing === WRITERS) word.resolve();
      await word.promise;
    }),
  );
  await Promise.all(all);
  assert.equal(standing, WRITERS);
  assert.equal((await numberEvents(db, nothingMore)).count, WRITERS);
});

test("a page of a long feed is read by its index, and as many events as it shows", async () => {
  const { accountNumber } = await service.world.merchant();
  const feed = { accountNumber, environment: "live" } as const;
  const events = Array.from({ length: 2_000 }, (_, i) => ({
    ...feed,
    event: "payment.created" as const,
    resource: `TT-${i}`,
    record: { i },
  }));
  await db.transaction((tx) => recordEvents(tx, events));
  while ((await numberEvents(db, nothingMore)).count > 0);
  await db.run(sql`vacuum analyze events`);
  const plans: string[] = [];
  const page = await listEvents(explaining(plans), feed, { after: 1_000, pageSize: 20 });
  assert.equal(page.bodies.length, 20);
  assert.equal(page.lastSequence, 2_000);
  const [plan = ""] = plans;
  assert.match(plan, /Index Scan using a_sequence_is_given_once on events \(actual rows=20/);
  assert.doesNotMatch(plan, /Rows Removed|Sort/);
});

/** The same database, which also records the plan of each statement. */
function explaining(plans: string[]): Queryable {
  return queryable(async ({ text, values }: Statement) => {
    const explain = "explain (analyze, costs off, timing off, summary off, buffers off)";
    const { rows } = await db.pool.query(`${explain} ${text}`, values);
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
    return db.pool.query(text, values);
  });
}

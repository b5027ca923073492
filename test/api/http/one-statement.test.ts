/**
 * A tx of one statement promises what every tx does, although nobody sends its COMMIT: it is there
 * or it is not, a lost race runs again, and a lost answer is unknown until the work was looked for.
 */

import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { prepared, sql, sqlOf } from "../../../src/infra/db/query.ts";
import { text } from "../../../src/infra/db/row.ts";
import { Unavailable } from "../../../src/kit/errors.ts";
import { openProbeDatabase } from "../../../testkit/probe-database.ts";

const probe = await openProbeDatabase();
const { db, witness, proxy, exists } = probe;
after(() => probe.close());
afterEach(() => probe.expectNothingLeftOpen());

type Confirm = () => Promise<{ name: string }[] | undefined>;

const STATEMENT = "insert-probe";
const inserting = (name: string, late: string | null = null) =>
  prepared(
    STATEMENT,
    sqlOf({ name: text })`
      insert into probe_rows (name, late) values (${name}, ${late}) returning name`,
  );
const insert = (name: string, confirm?: Confirm) =>
  db.transactionOf(inserting(name), confirm && { confirm });
const isThere = (name: string) => async () => ((await exists(name)) ? [{ name }] : undefined);
const isUnavailable = (error: unknown) => error instanceof Unavailable;
const notAsked = () => assert.fail("a plain no was taken for an unknown");

test("is there when it has been answered, with its rows", async () => {
  assert.deepEqual(await insert("answered"), [{ name: "answered" }]);
  assert(await exists("answered"));
});

test("lost after it was committed, it is found by its own id", async () => {
  proxy.cutNextCommit("after", STATEMENT);
  assert.deepEqual(await insert("lost after", isThere("lost after")), [{ name: "lost after" }]);
  assert(proxy.hasCut());
});

test("lost before it arrived, or when nobody can look, it is a 503", async () => {
  proxy.cutNextCommit("before", STATEMENT);
  await assert.rejects(insert("lost before", isThere("lost before")), isUnavailable);
  assert.equal(await exists("lost before"), false);
  proxy.cutNextCommit("after", STATEMENT);
  await assert.rejects(insert("nobody looks"), isUnavailable);
  assert(await exists("nobody looks"));
});

test("when its backend dies while it commits, it is looked for", async () => {
  const confirm = async () => [{ name: "settled" }];
  assert.deepEqual(await insert("dies at commit", confirm), [{ name: "settled" }]);
});

test("answered with a warning it is not believed: the standby may not have it", async () => {
  await assert.rejects(insert("warns at commit"), isUnavailable);
  assert(await exists("warns at commit"));
});

test("refused while it commits is a plain no: not there, and not looked for", async () => {
  const late = (name: string) => db.transactionOf(inserting(name, "late"), { confirm: notAsked });
  await late("late one");
  await assert.rejects(late("late two"), { constraint: "late_is_taken" });
  assert.equal(await exists("late two"), false);
});

test("a race that is lost while it commits is run again", async () => {
  assert.deepEqual(await insert("races at commit", notAsked), [{ name: "races at commit" }]);
  assert(await exists("races at commit"));
});

test("one that waits too long for a lock is a 503 at once, and nothing of it is there", async () => {
  await insert("locked");
  const holder = await witness.pool.connect();
  await holder.query("begin; select from probe_rows where name = 'locked' for update");
  const update = sqlOf({})`update probe_rows set amount = 9 where name = 'locked'`;
  await assert.rejects(db.transactionOf(update, { confirm: notAsked }), isUnavailable);
  await holder.query("rollback");
  holder.release();
  const rows = await witness.rows(sql`select amount from probe_rows where name = 'locked'`);
  assert.deepEqual(rows, [{ amount: 0 }]);
});

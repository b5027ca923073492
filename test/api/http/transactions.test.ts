/**
 * A transaction happened, did not happen, or says that nobody knows (traps T8, T9; races R18, R19):
 * never a success that is none, never a "no" that was a "yes", and no connection left in the
 * middle.
 */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { type Database, openDatabase } from "../../../src/infra/db/database.ts";
import { onConstraint } from "../../../src/infra/db/database-errors.ts";
import { sql } from "../../../src/infra/db/query.ts";
import type { Tx } from "../../../src/infra/db/transaction.ts";
import { createLog } from "../../../src/infra/log.ts";
import { ServiceError, Unavailable } from "../../../src/kit/errors.ts";
import { type CuttingProxy, startCuttingProxy } from "../../support/cutting-proxy.ts";
import { freshDatabase, type TestDatabase } from "../../support/database.ts";
import { until } from "../../support/until.ts";

const TRIES_MAX = 5;

let database: TestDatabase;
let proxy: CuttingProxy;
/** By way of a wire that can be cut. */
let db: Database;
/** Straight, to see what is really there. */
let witness: Database;

before(async () => {
  database = await freshDatabase();
  proxy = await startCuttingProxy(database.url);
  const log = createLog({ level: "silent" });
  db = openDatabase({ url: proxy.url, connectionsMax: 5, log });
  witness = openDatabase({ url: database.url, connectionsMax: 5, log });
  await witness.run(sql`
    create table probe_rows (
      name text constraint name_is_taken unique,
      late text constraint late_is_taken unique deferrable initially deferred,
      amount integer not null default 0 constraint amount_is_positive check (amount >= 0)
    )`);
  await witness.run(sql`
    create function end_this_backend() returns trigger language plpgsql
    as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`);
  await witness.run(sql`
    create constraint trigger dies_at_commit after insert on probe_rows
    deferrable initially deferred for each row when (new.name = 'dies at commit')
    execute function end_this_backend()`);
});
after(async () => {
  await db.close();
  await witness.close();
  await proxy.close();
  await database.drop();
});

const insert = (tx: Tx, name: string) =>
  tx.run(sql`insert into probe_rows (name) values (${name})`);
const exists = async (name: string) =>
  (await witness.rows(sql`select from probe_rows where name = ${name}`)).length === 1;

afterEach(async () => {
  const { pool } = db;
  assert.equal(pool.totalCount - pool.idleCount, 0, "a connection was not given back");
  const stuck = await witness.rows(sql`
    select from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`);
  assert.equal(stuck.length, 0, "a connection was left in the middle of a transaction");
});

describe("a transaction whose work", () => {
  test("ends well is there, with what the work gave", async () => {
    const given = await db.transaction(async (tx) => {
      await insert(tx, "well");
      return 42;
    });
    assert.equal(given, 42);
    assert(await exists("well"));
  });

  test("throws is not there, and the error is the work's own", async () => {
    const error = new Error("of the work");
    const work = db.transaction(async (tx) => {
      await insert(tx, "thrown");
      throw error;
    });
    await assert.rejects(work, (thrown) => thrown === error);
    assert.equal(await exists("thrown"), false);
  });

  test("swallows an error of the database is an assertion, not a success", async () => {
    const work = db.transaction(async (tx) => {
      await insert(tx, "swallowed");
      await tx.run(sql`select 1 / 0`).catch(() => undefined);
      return "fine";
    });
    await assert.rejects(work, { name: "AssertionError" });
    assert.equal(await exists("swallowed"), false);
  });

  for (const code of ["40001", "40P01"]) {
    test(`loses a race (${code}) runs again from the start`, async () => {
      let tries = 0;
      await db.transaction(async (tx) => {
        tries++;
        await insert(tx, `race ${code}`);
        if (tries < 3) await raise(tx, code);
      });
      assert.equal(tries, 3);
      assert(await exists(`race ${code}`));
    });

    test(`always loses its races (${code}) is given up after ${TRIES_MAX} tries, with 503`, async () => {
      let tries = 0;
      const work = db.transaction(async (tx) => {
        tries++;
        await insert(tx, `lost ${code}`);
        await raise(tx, code);
      });
      await assert.rejects(work, (error) => error instanceof Unavailable);
      assert(tries > 1 && tries <= TRIES_MAX, `${tries} tries`);
      assert.equal(await exists(`lost ${code}`), false);
    });
  }

  test("crosses another's, both get through and neither hears of the deadlock", async () => {
    for (const name of ["left", "right"]) await db.transaction((tx) => insert(tx, name));
    const add = (tx: Tx, name: string) =>
      tx.run(sql`update probe_rows set amount = amount + 1 where name = ${name}`);
    const met = Promise.withResolvers<void>();
    let begun = 0;
    const cross = (first: string, second: string) =>
      db.transaction(async (tx) => {
        await add(tx, first);
        begun++;
        if (begun === 2) met.resolve();
        await met.promise;
        await add(tx, second);
      });
    await Promise.all([cross("left", "right"), cross("right", "left")]);
    const rows = await witness.rows(sql`
      select amount from probe_rows where name in ('left', 'right')`);
    assert.deepEqual(rows, [{ amount: 2 }, { amount: 2 }]);
  });
});

test("whatever takes too long is given up with 503: a lock, a statement", async () => {
  await db.transaction((tx) => insert(tx, "locked"));
  const holder = await witness.pool.connect();
  await holder.query("begin; select from probe_rows where name = 'locked' for update");
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const isUnavailable = (error: unknown) => error instanceof Unavailable;
  const locked = db.transaction((tx) =>
    tx.run(sql`update probe_rows set amount = 9 where name = 'locked'`),
  );
  const slow = db.transaction((tx) => tx.run(sql`select pg_sleep(20)`));
  await Promise.all([
    assert.rejects(locked, isUnavailable).then(() => assert(seconds() < 3.5, `${seconds()} s`)),
    assert.rejects(slow, isUnavailable).then(() => assert(seconds() < 6.5, `${seconds()} s`)),
  ]);
  await holder.query("rollback");
  holder.release();
});

describe("when the answer to COMMIT is lost,", () => {
  const isThere = (name: string) => async () => ((await exists(name)) ? "found" : undefined);
  const isUnavailable = (error: unknown) => error instanceof Unavailable;

  test("work that is there is found by its own id, and the caller hears yes", async () => {
    proxy.cutNextCommit("after");
    const confirm = isThere("lost after");
    const given = await db.transaction(
      async (tx) => {
        await insert(tx, "lost after");
        return "told";
      },
      { confirm },
    );
    assert.equal(given, "found");
    assert(await exists("lost after"));
  });

  test("work that is not there is a 503, after it was looked for more than once", async () => {
    proxy.cutNextCommit("before");
    let asked = 0;
    const confirm = async () => {
      asked++;
      return isThere("lost before")();
    };
    const work = db.transaction((tx) => insert(tx, "lost before").then(() => "told"), { confirm });
    await assert.rejects(work, isUnavailable);
    assert(asked > 1);
    assert.equal(await exists("lost before"), false);
  });

  test("and nobody can look for the work, it is a 503 and never run again", async () => {
    proxy.cutNextCommit("after");
    let tries = 0;
    const work = db.transaction(async (tx) => {
      tries++;
      await insert(tx, "nobody looks");
    });
    await assert.rejects(work, isUnavailable);
    assert.equal(tries, 1);
    assert(await exists("nobody looks"));
  });

  test("and looking fails at first, it is looked again", async () => {
    proxy.cutNextCommit("after");
    let asked = 0;
    const confirm = async () => {
      asked++;
      if (asked < 3) throw new Error("the database is away");
      return isThere("looked again")();
    };
    const work = db.transaction((tx) => insert(tx, "looked again").then(() => "told"), { confirm });
    assert.equal(await work, "found");
  });

  test("because the backend died on the way, it is asked for too", async () => {
    let asked = 0;
    const confirm = async () => {
      asked++;
      return asked === 2 ? "settled" : undefined;
    };
    const work = db.transaction((tx) => insert(tx, "dies at commit").then(() => "told"), {
      confirm,
    });
    assert.equal(await work, "settled");
    assert.equal(await exists("dies at commit"), false);
  });

  test("the connection is thrown away, and the next work gets a good one", async () => {
    proxy.cutNextCommit("after");
    await assert.rejects(
      db.transaction((tx) => insert(tx, "thrown away")),
      isUnavailable,
    );
    await until(() => db.pool.idleCount === db.pool.totalCount, "nothing is lent out");
    await db.transaction((tx) => insert(tx, "after it"));
    assert(await exists("after it"));
  });
});

describe("a violated constraint", () => {
  class Taken extends ServiceError {
    constructor() {
      super({ status: 409, code: "taken", message: "It is taken." });
    }
  }
  const refusals = { name_is_taken: () => new Taken(), late_is_taken: () => new Taken() };
  const isTaken = (error: unknown) => error instanceof Taken;

  test("is the refusal that was named for it", async () => {
    await db.transaction((tx) => insert(tx, "once"));
    const again = db.transaction((tx) => onConstraint(refusals, insert(tx, "once")));
    await assert.rejects(again, isTaken);
  });

  test("that speaks at COMMIT is a plain no: refused, not there, and not asked for", async () => {
    const late = (name: string) =>
      db.transaction(
        (tx) => tx.run(sql`insert into probe_rows (name, late) values (${name}, 'late')`),
        { confirm: () => assert.fail("a plain no was taken for an unknown") },
      );
    await late("late one");
    await assert.rejects(onConstraint(refusals, late("late two")), isTaken);
    assert.equal(await exists("late two"), false);
  });

  test("that nobody named stays what it is, as does every other error", async () => {
    const negative = db.transaction((tx) =>
      onConstraint(
        refusals,
        tx.run(sql`insert into probe_rows (name, amount) values ('negative', -1)`),
      ),
    );
    await assert.rejects(negative, { code: "23514", constraint: "amount_is_positive" });
    const error = new Error("other");
    await assert.rejects(onConstraint(refusals, Promise.reject(error)), (one) => one === error);
    assert.equal(await onConstraint(refusals, Promise.resolve(7)), 7);
  });
});

async function raise(tx: Tx, code: string): Promise<void> {
  const text = `do $$ begin raise exception 'lost a race' using errcode = '${code}'; end $$`;
  await tx.run({ name: `raise_${code}`, text, values: [] });
}

/**
 * A transaction happened or did not happen: never a success that is none,
 * lost races are run again within bounds, and no connection is left in the middle.
 */

import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import { onConstraint } from "../../../src/infra/db/database-errors.ts";
import { prepared, sql } from "../../../src/infra/db/query.ts";
import type { Tx } from "../../../src/infra/db/transaction.ts";
import { ServiceError, Unavailable } from "../../../src/kit/errors.ts";
import { insertRow as insert, openProbeDatabase } from "../../../testkit/probe-database.ts";

const TRIES_MAX = 5;

const probe = await openProbeDatabase();
const { db, witness, exists } = probe;
after(() => probe.close());
afterEach(() => probe.expectNothingLeftOpen());

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

  test("asks by a plan for a table that was changed since runs again, elsewhere", async () => {
    await witness.run(sql`create table changing (name text)`);
    const statement = prepared("ask-changing", sql`select name from changing`);
    const ask = () => db.transaction((tx) => tx.rows(statement));
    // On some connections: each try throws one away, and there are only so many tries.
    await Promise.all(Array.from({ length: TRIES_MAX - 2 }, ask));
    await witness.run(sql`alter table changing alter column name type varchar`);
    assert.deepEqual(await ask(), []);
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

  test("loses a race does once what was to follow its commit, and not what failed", async () => {
    const told: string[] = [];
    let tries = 0;
    await db.transaction(async (tx) => {
      tries++;
      const name = `follows ${tries}`;
      tx.afterCommit(() => told.push(name));
      if (tries < 3) await raise(tx, "40001");
      assert.deepEqual(told, []);
    });
    const failing = db.transaction(async (tx) => {
      tx.afterCommit(() => told.push("failed"));
      throw new Error("of the work");
    });
    await assert.rejects(failing);
    assert.deepEqual(told, ["follows 3"]);
  });

  test("loses its race only at COMMIT runs again too: that answer is a plain no", async () => {
    let tries = 0;
    await db.transaction(async (tx) => {
      tries++;
      await insert(tx, "races at commit");
    });
    assert.equal(tries, 3);
    assert(await exists("races at commit"));
  });

  test("loses its backend on the way is a 503, and is not run again", async () => {
    let tries = 0;
    const work = db.transaction(async (tx) => {
      tries++;
      await insert(tx, "lost backend");
      await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    await assert.rejects(work, (error) => error instanceof Unavailable);
    assert.equal(tries, 1);
    assert.equal(await exists("lost backend"), false);
  });

  test("crosses another's, both get through and neither sees the deadlock", async () => {
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
  const locked = db.transaction((tx) =>
    tx.run(sql`update probe_rows set amount = 9 where name = 'locked'`),
  );
  const slow = db.transaction((tx) => tx.run(sql`select pg_sleep(20)`));
  // By the limit of each, which the server's own word tells, and not long after it.
  const byLimit = (code: string) => (error: Unavailable) =>
    error instanceof Unavailable && (error.cause as { code?: string }).code === code;
  try {
    await Promise.all([
      assert
        .rejects(locked, byLimit("55P03"))
        .then(() => assert(seconds() < 3.5, `${seconds()} s`)),
      assert.rejects(slow, byLimit("57014")).then(() => assert(seconds() < 6.5, `${seconds()} s`)),
    ]);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
});

describe("a violated constraint", () => {
  class Taken extends ServiceError {
    constructor() {
      super("email_taken", { message: "It is taken." });
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

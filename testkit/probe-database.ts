/**
 * A database for tests of transactions: reached by a wire that can be cut, seen by a witness who is
 * not, with a table whose rows can be made to lose their transaction at the moment of COMMIT.
 */

import assert from "node:assert/strict";
import { type Database, openDatabase } from "../src/infra/db/database.ts";
import { sql } from "../src/infra/db/query.ts";
import type { Tx } from "../src/infra/db/transaction.ts";
import { createLog } from "../src/infra/log.ts";
import { rowCheck } from "./check-rows.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import { freshDatabase } from "./database.ts";
import { until } from "./until.ts";

export interface ProbeDatabase {
  /** By way of the wire. */
  readonly db: Database;
  /** Straight, to see what is really there. */
  readonly witness: Database;
  readonly proxy: CuttingProxy;
  exists(name: string): Promise<boolean>;
  /** No connection is lent out, and none stands in the middle of a transaction. */
  expectNothingLeftOpen(): Promise<void>;
  close(): Promise<void>;
}

export async function openProbeDatabase(): Promise<ProbeDatabase> {
  const database = await freshDatabase();
  const proxy = await startCuttingProxy(database.url);
  const log = createLog({ level: "silent" });
  const db = openDatabase({ url: proxy.url, connectionsMax: 5, log, check: rowCheck });
  const witness = openDatabase({ url: database.url, connectionsMax: 5, log, check: rowCheck });
  await createRows(witness);
  return {
    db,
    witness,
    proxy,
    async exists(name) {
      return (await witness.rows(sql`select from probe_rows where name = ${name}`)).length === 1;
    },
    async expectNothingLeftOpen() {
      assert.equal(db.pool.totalCount - db.pool.idleCount, 0, "a connection was not given back");
      const stuck = sql`
        select from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`;
      // A server whose client was cut off needs a moment to notice.
      const isNobodyStuck = async () => (await witness.rows(stuck)).length === 0;
      await until(isNobodyStuck, "no connection is left in the middle of a transaction", 5);
    },
    async close() {
      await db.close();
      await witness.close();
      await proxy.close();
      await database.drop();
    },
  };
}

export function insertRow(tx: Tx, name: string): Promise<number> {
  return tx.run(sql`insert into probe_rows (name) values (${name})`);
}

async function createRows(db: Database): Promise<void> {
  await db.run(sql`
    create table probe_rows (
      name text constraint name_is_taken unique,
      late text constraint late_is_taken unique deferrable initially deferred,
      amount integer not null default 0 constraint amount_is_positive check (amount >= 0)
    )`);
  await db.run(sql`
    create function end_this_backend() returns trigger language plpgsql
    as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`);
  await db.run(sql`
    create constraint trigger dies_at_commit after insert on probe_rows
    deferrable initially deferred for each row when (new.name = 'dies at commit')
    execute function end_this_backend()`);
  await db.run(sql`
    create function raise_a_warning() returns trigger language plpgsql
    as 'begin raise warning ''the wait for the standby was cancelled''; return null; end'`);
  await db.run(sql`
    create constraint trigger warns_at_commit after insert on probe_rows
    deferrable initially deferred for each row when (new.name like 'warns at commit%')
    execute function raise_a_warning()`);
  await db.run(sql`create sequence commit_tries`);
  await db.run(sql`
    create function lose_two_races() returns trigger language plpgsql
    as 'begin
      if nextval(''commit_tries'') <= 2 then raise exception using errcode = ''40001''; end if;
      return null;
    end'`);
  await db.run(sql`
    create constraint trigger races_at_commit after insert on probe_rows
    deferrable initially deferred for each row when (new.name = 'races at commit')
    execute function lose_two_races()`);
}

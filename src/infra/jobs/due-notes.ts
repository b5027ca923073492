/**
 * Notes of what is owed: rows that are written in the tx that owes it, and worked off by every
 * process that does background work (Decisions 0098, 0143). Each is taken in the tx that does its
 * work, so a process that dies leaves the one or the other, and two processes never do it both.
 */

import { MINUTE_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import type { Database } from "../db/database.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../db/query.ts";
import { text } from "../db/row.ts";
import type { Tx } from "../db/transaction.ts";
import { createLoop, type Loop } from "./loop.ts";

const AT_ONCE_MAX = 100;
const PAUSE_MS = SECOND_MS;
/** Grows with each failure. */
const RETRY_SECONDS = MINUTE_SECONDS;
const RETRY_STEPS_MAX = 60;

/** A table with `attempt_count` and `next_try_at`, and its primary key. */
export interface NoteTable {
  readonly name: Sql;
  readonly id: Sql;
}

export interface NotedWork {
  readonly table: NoteTable;
  /** Takes the note and does its work, or nothing if another has taken it. */
  run(tx: Tx, id: string): Promise<void>;
  onError(error: unknown, id: string): void;
  /** What is due could not be read. */
  onUnread(error: unknown): void;
}

export function createNoteLoop(db: Database, noted: NotedWork): Loop {
  return createLoop(async () => {
    try {
      return (await workOffNotes(db, noted)) === AT_ONCE_MAX ? 0 : PAUSE_MS;
    } catch (error) {
      noted.onUnread(error);
      return PAUSE_MS;
    }
  });
}

/** One that fails waits, and keeps no other waiting. Returns how many were due. */
export async function workOffNotes(db: Database, noted: NotedWork): Promise<number> {
  const { table } = noted;
  const due = await db.rows(sqlOf({ id: text })`
    select ${table.id} as id from ${table.name}
    where next_try_at <= (select app_now()) order by next_try_at limit ${AT_ONCE_MAX}`);
  for (const { id } of due) {
    try {
      await db.transaction((tx) => noted.run(tx, id));
    } catch (error) {
      noted.onError(error, id);
      await postpone(db, table, id);
    }
  }
  return due.length;
}

/** Deletes the note, unless another is about to. */
export function takeNote({ name, id }: NoteTable, noted: string): Sql {
  return sql`delete from ${name} where ${id} = (
    select ${id} from ${name} where ${id} = ${noted} for update skip locked)`;
}

async function postpone(db: Queryable, { name, id }: NoteTable, noted: string): Promise<void> {
  await db.run(sql`
    update ${name} set attempt_count = attempt_count + 1,
      next_try_at = app_now()
        + make_interval(secs => ${RETRY_SECONDS} * least(attempt_count + 1, ${RETRY_STEPS_MAX}))
    where ${id} = ${noted}`);
}

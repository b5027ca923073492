/**
 * A spare copy of the snapshot that was used last (Decision 0116), made when nobody waits for it:
 * to restore that snapshot again, only names are exchanged. One in all, because each is as large as
 * the database.
 *
 * Who makes or takes it holds a lock. Making one gives way to other work of snapshots, because both
 * would write to the same disk, and the next spare is of another snapshot anyway.
 */

import type pg from "pg";
import {
  connectToMaintenanceDatabase,
  copyDatabase,
  dropDatabase,
  exists,
  LEFT_OVER,
  rename,
  SNAPSHOT,
  SPARE,
} from "./snapshot-store.ts";

const MAKER = "windward spare of ";
/** Any constant will do, as long as nothing else locks it on that database. */
const LOCK = 7_203_114_564;
/** What PostgreSQL says of a statement that was cancelled, and of a server that stops. */
const GIVEN_UP = ["57014", "57P01"];

/** False when it gave way, or when the snapshot is gone. */
export async function makeSpare(url: string, snapshot: string): Promise<boolean> {
  const client = await connectToMaintenanceDatabase(url, MAKER + snapshot);
  try {
    await holdSpares(client);
    await dropOthers(client, SPARE + snapshot);
    if (await exists(client, SPARE + snapshot)) return true;
    if (!(await exists(client, SNAPSHOT + snapshot))) return false;
    const copy = await copyDatabase(client, SNAPSHOT + snapshot);
    await rename(client, copy, SPARE + snapshot);
    return true;
  } catch (error) {
    if (GIVEN_UP.includes((error as pg.DatabaseError).code ?? "")) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** Until the client's connection ends nobody else makes or takes one. */
export async function holdSpares(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [LOCK]);
}

/** Ends the making of spares, but for one of this snapshot. */
export async function giveWay(client: pg.Client, exceptOf?: string): Promise<void> {
  await client.query(
    `select pg_cancel_backend(pid) from pg_stat_activity
     where starts_with(application_name, $1) and application_name is distinct from $2`,
    [MAKER, exceptOf === undefined ? null : MAKER + exceptOf],
  );
}

/**
 * The name of a whole copy: the spare, also one that is being made, or a new one. Undefined when
 * the snapshot was removed while this waited for the lock.
 */
export async function copyOfSnapshot(
  client: pg.Client,
  snapshot: string,
): Promise<string | undefined> {
  await giveWay(client, snapshot);
  await holdSpares(client);
  if (await exists(client, SPARE + snapshot)) return SPARE + snapshot;
  if (!(await exists(client, SNAPSHOT + snapshot))) return undefined;
  return copyDatabase(client, SNAPSHOT + snapshot);
}

/** Spares of other snapshots, which nobody is going to ask for next. */
async function dropOthers(client: pg.Client, kept: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where starts_with(datname, $1) and datname <> $2",
    [SPARE, kept],
  );
  for (const { datname } of rows) await dropDatabase(client, datname);
}

/** What a crash left: half copies, and spares whose snapshot is gone. */
export async function dropLeftOvers(url: string): Promise<void> {
  const client = await connectToMaintenanceDatabase(url);
  try {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database as one
       where starts_with(datname, $1)
         or datconnlimit = -2 and (starts_with(datname, $2) or starts_with(datname, $3))
         or starts_with(datname, $3) and not exists (
           select from pg_database where datname = $2 || substr(one.datname, length($3) + 1))`,
      [LEFT_OVER, SNAPSHOT, SPARE],
    );
    for (const { datname } of rows) await dropDatabase(client, datname);
  } finally {
    await client.end();
  }
}

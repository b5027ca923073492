/**
 * Snapshots of the embedded database: copies of it under other names on the same server (Decision
 * 0105). A copy is made under a name that nobody looks for and renamed when it is whole; a restore
 * exchanges two names in one tx. So a crash leaves the old state or the new one, and databases
 * whose names say that they are left over, which the next start drops.
 */

import { randomBytes } from "node:crypto";
import pg from "pg";
import { DATABASE } from "./cluster.ts";

export const SNAPSHOT = `${DATABASE}_snapshot_`;
export const SPARE = `${DATABASE}_spare_`;
export const LEFT_OVER = `${DATABASE}_left_`;
const CONNECT_MS_MAX = 5_000;
/** What a dropped database that was not dropped to its end is marked with, by PostgreSQL. */
const INVALID = -2;

export interface Snapshot {
  readonly name: string;
  readonly made_at: string;
  /** The sandbox's time in it. */
  readonly now: string;
  readonly shift_seconds: number;
  readonly bytes: number;
}

/** To `postgres`, which every server has: no database is copied or renamed from within. */
export async function connectToMaintenanceDatabase(
  url: string,
  application_name = "windward snapshots",
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: named(url, "postgres"),
    connectionTimeoutMillis: CONNECT_MS_MAX,
    application_name,
  });
  // Without a listener a lost connection would end our process.
  client.on("error", () => {});
  await client.connect();
  return client;
}

export async function listSnapshots(client: pg.Client): Promise<Snapshot[]> {
  const { rows } = await client.query<{ name: string; about: string; bytes: string }>(
    `select substr(datname, length($1) + 1) as name, pg_database_size(oid) as bytes,
       shobj_description(oid, 'pg_database') as about
     from pg_database
     where starts_with(datname, $1) and datconnlimit <> $2 order by datname`,
    [SNAPSHOT, INVALID],
  );
  return rows
    .map(({ name, about, bytes }) => ({ name, ...JSON.parse(about), bytes: Number(bytes) }))
    .toSorted((a, b) => a.made_at.localeCompare(b.made_at));
}

/** A whole copy under a name that says it is left over; renamed to be used. */
export async function copyDatabase(client: pg.Client, source: string): Promise<string> {
  const copy = newLeftOver();
  // As files: three times as quick as through the WAL.
  await client.query(
    `create database ${quoted(copy)} template ${quoted(source)} strategy file_copy`,
  );
  return copy;
}

/** Notes the copy's own clock beside it, and gives it the snapshot's name. */
export async function keepAsSnapshot(
  client: pg.Client,
  { url, copy, name }: { url: string; copy: string; name: string },
): Promise<Snapshot> {
  const about = await clockIn(named(url, copy));
  await client.query("begin");
  const text = pg.escapeLiteral(JSON.stringify(about));
  await client.query(`comment on database ${quoted(copy)} is ${text}`);
  await rename(client, copy, SNAPSHOT + name);
  await client.query("commit");
  const found = await client.query("select pg_database_size($1) as bytes", [SNAPSHOT + name]);
  return { name, ...about, bytes: Number(found.rows[0].bytes) };
}

/** In one tx, so that there is always one of that name. Gives the name of what is left over. */
export async function exchange(client: pg.Client, copy: string): Promise<string> {
  await client.query("begin");
  const leftOver = await renameToLeftOver(client, DATABASE);
  await rename(client, copy, DATABASE);
  await client.query("commit");
  return leftOver;
}

export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${quoted(name)} with (force)`);
}

/** Gone at once for the caller; gives the names of what is left over. */
export async function setAside(client: pg.Client, snapshot: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of [SNAPSHOT + snapshot, SPARE + snapshot])
    if (await exists(client, name)) names.push(await renameToLeftOver(client, name));
  return names;
}

export async function exists(client: pg.Client, name: string): Promise<boolean> {
  const text = "select from pg_database where datname = $1 and datconnlimit <> $2";
  return (await client.query(text, [name, INVALID])).rowCount !== 0;
}

/** Which database has the name now: another one after a restore. */
export async function currentDatabase(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select oid from pg_database where datname = $1", [DATABASE]);
  return rows[0]?.oid;
}

export function named(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function clockIn(url: string): Promise<Omit<Snapshot, "name" | "bytes">> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query(`
      select real_now() as made_at, app_now() as now, extract(epoch from ahead)::float8 as shift
      from clock_shift`);
    const [{ made_at, now, shift }] = rows;
    return {
      made_at: made_at.toISOString(),
      now: now.toISOString(),
      shift_seconds: Math.round(shift),
    };
  } finally {
    await client.end();
  }
}

function newLeftOver(): string {
  return LEFT_OVER + randomBytes(6).toString("hex");
}

async function renameToLeftOver(client: pg.Client, name: string): Promise<string> {
  const leftOver = newLeftOver();
  await rename(client, name, leftOver);
  return leftOver;
}

export async function rename(client: pg.Client, from: string, to: string): Promise<void> {
  await client.query(`alter database ${quoted(from)} rename to ${quoted(to)}`);
}

function quoted(name: string): string {
  return pg.escapeIdentifier(name);
}

/**
 * Brings the schema up to date: numbered SQL files, forward only, each run exactly once.
 *
 * However many processes start together, one migrates and the others wait on an advisory lock and
 * then find nothing to do. A database that is ahead of this program is refused rather than guessed
 * at.
 */

import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Log } from "../log.ts";
import { demandUnused, markUsed } from "./production-use.ts";

const MIGRATIONS_DIR = fileURLToPath(new URL("../../../db/migrations", import.meta.url));
/** A server that is starting up may take a while; one that is not there must not take for ever. */
const CONNECT_MS_MAX = 15_000;
const MIGRATIONS_TABLE = "schema_migrations";
/** Any constant will do, as long as nothing else locks it. */
export const MIGRATION_LOCK = 7_203_114_559;

export class SchemaIsNewer extends Error {
  constructor(names: readonly string[]) {
    super(
      `The database has migrations this program does not know (${names.join(", ")}). ` +
        "Start the newer version of Windward, or point DATABASE_URL at another database.",
    );
  }
}

/** `isProduction`: undefined for tools, which neither ask nor mark whose database it is. */
export async function migrate(options: {
  url: string;
  log: Log;
  isProduction?: boolean;
}): Promise<void> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: "windward",
    connectionTimeoutMillis: CONNECT_MS_MAX,
  });
  // A lost connection shows in the next statement; without a listener it would end our process.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    if (options.isProduction === false) await demandUnused(client);
    const known = await knownMigrations();
    const applied = await appliedMigrations(client);
    const strange = applied.filter((name) => !known.includes(name));
    if (strange.length > 0) throw new SchemaIsNewer(strange);
    if (applied.length < known.length) await runMigrations(client, options.log);
    await createJobQueue(client, options.url);
    if (options.isProduction === true) await markUsed(client);
  } finally {
    await client.end();
  }
}

/** The last one that this program knows. */
export async function latestMigration(): Promise<string> {
  return (await knownMigrations()).toSorted().at(-1) ?? "";
}

async function knownMigrations(): Promise<string[]> {
  const files = await readdir(MIGRATIONS_DIR);
  return files.filter((file) => file.endsWith(".sql")).map((file) => file.replace(/\.sql$/, ""));
}

async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const found = await client.query("select to_regclass($1) is not null as here", [
    MIGRATIONS_TABLE,
  ]);
  if (!found.rows[0].here) return [];
  return (await client.query(`select name from ${MIGRATIONS_TABLE}`)).rows.map((row) => row.name);
}

async function runMigrations(client: pg.Client, log: Log): Promise<void> {
  // Loaded only when there is something to do: it costs 60 ms, which every other start saves.
  const { runner } = await import("node-pg-migrate");
  const quiet = { debug() {}, info: (text: string) => log.debug(text) };
  await runner({
    dbClient: client,
    dir: MIGRATIONS_DIR,
    direction: "up",
    migrationsTable: MIGRATIONS_TABLE,
    singleTransaction: true,
    noLock: true, // ours is held, and waits where theirs would fail
    logger: { ...quiet, warn: (text) => log.warn(text), error: (text) => log.error(text) },
  });
  log.info("the schema was brought up to date");
}

/**
 * The job queue keeps its own schema and list of migrations; its runner brings an older one up to
 * date.
 */
async function createJobQueue(client: pg.Client, url: string): Promise<void> {
  const found = await client.query("select to_regclass('graphile_worker.migrations') as here");
  if (found.rows[0].here !== null) return;
  const { runMigrations: migrateQueue } = await import("graphile-worker");
  await migrateQueue({ connectionString: url });
}

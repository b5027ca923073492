/**
 * Runs once before all test files: one PostgreSQL for all of them, with a migrated template to
 * copy.
 *
 * `TEST_DATABASE_URL` points the tests at a server of your own (a superuser's URL), for example to
 * try another version of PostgreSQL. Without it an embedded one is started, without fsync: what it
 * holds dies with the run anyway. Tests of durability start their own, with fsync on.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrate } from "../src/infra/db/migrate.ts";
import { startEmbeddedPostgres } from "../src/infra/embedded-postgres/start-embedded-postgres.ts";
import { createLog } from "../src/infra/log.ts";
import { databaseUrl, TEMPLATE } from "./database.ts";

/**
 * Hundreds of processes load the same files: what the install or one of them has compiled, the
 * others need not (Decision 0060).
 */
const COMPILED = fileURLToPath(new URL("../node_modules/.cache/windward", import.meta.url));

const log = createLog({ level: "silent" });
let cleanUp = async () => {};

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
  const folder = await mkdtemp(path.join(tmpdir(), "windward-test-"));
  process.env.TEST_FOLDER = folder;
  cleanUp = () => rm(folder, { recursive: true, force: true });
  if (process.env.TEST_DATABASE_URL === undefined) {
    const settings = { fsync: "off", full_page_writes: "off", max_connections: "400" };
    const embedded = await startEmbeddedPostgres({
      dataDir: path.join(folder, "data"),
      log,
      settings,
    });
    process.env.TEST_DATABASE_URL = embedded.url;
    cleanUp = async () => {
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    };
  }
  await makeTemplate();
}

/** Anew, where there is one already. */
export async function makeTemplate(): Promise<void> {
  const admin = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await admin.connect();
  await admin.query(`drop database if exists ${TEMPLATE}`);
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  await migrate({ url: databaseUrl(TEMPLATE), log });
}

export async function globalTeardown(): Promise<void> {
  await cleanUp();
}

/** Databases for tests: each test file has its own, copied from a migrated template in a moment. */

import { randomBytes } from "node:crypto";
import pg from "pg";

export const TEMPLATE = "windward_template";

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** All migrations, no rows. */
export function freshDatabase(): Promise<TestDatabase> {
  return createDatabase(`template ${TEMPLATE}`);
}

/** Nothing at all, as on a new machine. */
export function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase("template template0");
}

export function databaseUrl(name: string): string {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined)
    throw new Error("Run tests with npm run test:one -- <file>: it starts the database they need.");
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function createDatabase(from: string): Promise<TestDatabase> {
  const name = `windward_test_${randomBytes(6).toString("hex")}`;
  // Copied as files, which takes a third of the time of copying it through the WAL.
  await asAdmin(`create database ${name} ${from} strategy file_copy`);
  return { url: databaseUrl(name), drop: () => asAdmin(`drop database ${name} with (force)`) };
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

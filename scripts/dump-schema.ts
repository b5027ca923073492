/**
 * Writes `db/schema.sql`, the schema a reviewer reads, and `src/infra/db/tables.ts`, the one the
 * compiler reads: `node scripts/dump-schema.ts <url>`.
 *
 * It is read from the catalogs and not by pg_dump, which the embedded PostgreSQL does not bring
 * and which writes a different text in every version; this gives the same on PostgreSQL 15 to 18.
 */

import { writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { readDefinitions } from "./schema/read-definitions.ts";
import { readTables } from "./schema/read-tables.ts";
import { renderSchema } from "./schema/render-schema.ts";
import { renderTables } from "./schema/render-tables.ts";

/** The text of each file, by its path in the project. */
interface SchemaFiles {
  readonly "db/schema.sql": string;
  readonly "src/infra/db/tables.ts": string;
}

export async function dumpSchema(db: pg.Client | pg.Pool): Promise<SchemaFiles> {
  if (!(db instanceof pg.Pool)) return dumpWith(db);
  const client = await db.connect();
  try {
    return await dumpWith(client);
  } finally {
    client.release();
  }
}

/** What a session may be set to, names without their schema and times as text, is fixed first. */
async function dumpWith(client: pg.ClientBase): Promise<SchemaFiles> {
  await client.query("begin isolation level repeatable read read only");
  try {
    await client.query("set local search_path = public");
    await client.query("set local intervalstyle = postgres");
    await client.query("set local datestyle = iso");
    await client.query("set local timezone = utc");
    const tables = await readTables(client);
    return {
      "db/schema.sql": renderSchema(tables, await readDefinitions(client)),
      "src/infra/db/tables.ts": renderTables(tables),
    };
  } finally {
    await client.query("rollback");
  }
}

if (import.meta.main) {
  const client = new pg.Client({ connectionString: process.argv[2] });
  await client.connect();
  for (const [file, text] of Object.entries(await dumpSchema(client)))
    writeFileSync(path.resolve(import.meta.dirname, "..", file), text);
  await client.end();
}

/**
 * Folders of databases that PostgreSQL does not know: a kill in the middle of a copy leaves one as
 * large as the database, and PostgreSQL never removes it (Decision 0116).
 *
 * Only while the server is being started, before anybody else has its address: then no copy is
 * under way whose row nobody sees yet, so a folder without a row belongs to nothing.
 */

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

/** Below it are the numbers of PostgreSQL's own databases. */
const FIRST_OF_USERS = 16_384;

/** Gives the names of those that it removed. */
export async function removeOrphanFolders(client: pg.Client, folder: string): Promise<string[]> {
  const base = join(folder, "base");
  const names = await readdir(base);
  const { rows } = await client.query<{ oid: number }>("select oid from pg_database");
  const known = new Set(rows.map(({ oid }) => String(oid)));
  const orphans = names.filter(
    (name) => /^\d+$/.test(name) && Number(name) >= FIRST_OF_USERS && !known.has(name),
  );
  for (const name of orphans) await rm(join(base, name), { recursive: true, force: true });
  return orphans;
}

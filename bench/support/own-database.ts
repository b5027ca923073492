/** A database of its own on the same server for a scene or a yardstick: none meets others' rows. */

import pg from "pg";

/** Gives its address. */
export async function createDatabase(server: string, name: string): Promise<URL> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url;
}

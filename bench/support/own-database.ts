/** A database of its own on the same server, for a scene or a yardstick. */

import pg from "pg";

/** Gives its address. */
export async function createDatabase(server: string, name: string): Promise<URL> {
  await asAdmin(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url;
}

export function dropDatabase(server: string, name: string): Promise<void> {
  return asAdmin(server, `drop database ${name} with (force)`);
}

async function asAdmin(server: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(statement).finally(() => admin.end());
}

/**
 * What is measured for the budget: a web process and a worker on a database of their own, and a
 * PostgreSQL that counts. Both have a name in PostgreSQL, so that their backends are told apart.
 */

import pg from "pg";
import { type Running, start } from "../../testkit/processes.ts";
import type { Tool } from "../../testkit/tool/run-tool.ts";
import { parentOf } from "../support/cpu-time.ts";
import { createDatabase, dropDatabase } from "../support/own-database.ts";
import { setServer } from "../support/stage.ts";

/** The WAL of a measurement is read afterwards: nothing of it may be recycled by then. */
const POSTGRES = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "all",
  "pg_stat_statements.track_planning": "on",
  track_functions: "all",
  max_wal_size: "16GB",
  checkpoint_timeout: "1h",
};

export interface Rig {
  readonly url: string;
  readonly database: string;
  readonly web: Running;
  readonly worker: Running;
  readonly postmaster: number;
  readonly db: pg.Client;
}

export function setCountingServer(tool: Tool): Promise<Record<string, string>> {
  return setServer(tool, POSTGRES);
}

/** `flags`: of Node, for the web process and for the worker. */
export async function withRig<T>(
  settings: Record<string, string>,
  { name, flags = [] }: { name: string; flags?: readonly string[] },
  use: (rig: Rig) => Promise<T>,
): Promise<T> {
  const server = settings.DATABASE_URL ?? "";
  const { href: database } = await createDatabase(server, name);
  const db = new pg.Client({ connectionString: database, application_name: "bench" });
  await db.connect();
  const open = (role: string) =>
    start({
      settings: {
        ...settings,
        ROLE: role,
        DATABASE_URL: `${database}?application_name=${role}`,
      },
      flags,
    });
  try {
    const web = await open("web");
    const worker = await open("worker");
    await db.query("create extension pg_stat_statements; create extension pg_walinspect");
    const { rows } = await db.query("select pg_backend_pid() as pid");
    const postmaster = parentOf(rows[0].pid);
    const rig = { url: web.url, database, web, worker, postmaster, db };
    return await use(rig).finally(() => stopServices(rig));
  } finally {
    await db.end();
    await dropDatabase(server, name);
  }
}

/** A backend that ends tells all that it counted. */
export async function stopServices({ web, worker }: Rig): Promise<void> {
  await Promise.all([web.stop(), worker.stop()]);
}

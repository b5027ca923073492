/**
 * What is measured for the budget: a web process and a worker on a database of their own, or the
 * sketch without rules, and a PostgreSQL that counts. Each has a name in PostgreSQL, so that their
 * backends are told apart.
 */

import pg from "pg";
import { start } from "../../testkit/processes.ts";
import type { Tool } from "../../testkit/tool/run-tool.ts";
import { type SketchOf, withSketch } from "../sketch/with-sketch.ts";
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

interface Measured {
  readonly pid: number;
  stop(): Promise<unknown>;
}

export interface Rig {
  readonly url: string;
  readonly database: string;
  readonly web: Measured;
  /** Absent: `web` does all. */
  readonly worker?: Measured;
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
    const rig = { url: web.url, database, web, worker, postmaster: await beginCounting(db), db };
    return await use(rig).finally(() => stopServices(rig));
  } finally {
    await db.end();
    await dropDatabase(server, name);
  }
}

/** The same for the sketch, which is one process. */
export function withSketchRig<T>(
  settings: Record<string, string>,
  sketchOf: SketchOf,
  use: (rig: Rig) => Promise<T>,
): Promise<T> {
  return withSketch({ settings }, sketchOf, async ({ url, pid, end, db }) => {
    const web = { pid, stop: async () => end() };
    return use({ url, database: "", web, postmaster: await beginCounting(db), db });
  });
}

/** Gives the process that all of PostgreSQL's stand below. */
async function beginCounting(db: pg.Client): Promise<number> {
  await db.query("create extension pg_stat_statements; create extension pg_walinspect");
  const { rows } = await db.query("select pg_backend_pid() as pid");
  return parentOf(rows[0].pid);
}

/** A backend that ends tells all that it counted. */
export async function stopServices({ web, worker }: Rig): Promise<void> {
  await Promise.all([web.stop(), worker?.stop()]);
}

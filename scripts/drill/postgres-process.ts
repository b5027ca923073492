/** What is done to a server of the drill from outside: statements, waiting for it, kill -9. */

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import pg from "pg";
import { until } from "../../testkit/until.ts";

/** Whose connections are reserved: the service is an ordinary user. */
export const OWNER = "postgres";
const READY_SECONDS_MAX = 20;
const POLL_MS = 25;

export async function runStatement(port: number, text: string): Promise<Record<string, unknown>[]> {
  const connectionString = `postgres://${OWNER}@127.0.0.1:${port}/postgres`;
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Its children follow their parent at once, or they are killed, too: no stray one writes on. */
export async function killWhole(server: ChildProcess): Promise<void> {
  const pids = childrenOf(server.pid ?? 0);
  const ended = once(server, "exit");
  server.kill("SIGKILL");
  for (const pid of pids.filter((one) => one > 0))
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has gone by itself.
    }
  await ended;
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").map(Number) : [];
}

export async function becomesReady(
  query: (text: string) => Promise<unknown>,
  exitCode: () => number | null,
  logFile: string,
): Promise<void> {
  const isUp = () => {
    if (exitCode() !== null)
      throw new Error(`A PostgreSQL ended; its last words are in ${logFile}.`);
    return query("select 1").then(
      () => true,
      () => false,
    );
  };
  const what = `PostgreSQL takes connections (its log is ${logFile})`;
  await until(isUp, what, READY_SECONDS_MAX, { pauseMs: POLL_MS });
}

export async function untilSynchronous(
  query: (text: string) => Promise<Record<string, unknown>[]>,
  standby: string,
): Promise<void> {
  const look = `select from pg_stat_replication
    where application_name = '${standby}' and sync_state = 'sync' and state = 'streaming'`;
  const isSynchronous = async () => (await query(look)).length > 0;
  await until(isSynchronous, `${standby} is synchronous`, READY_SECONDS_MAX, { pauseMs: POLL_MS });
}

/**
 * Processes that own an embedded PostgreSQL, for tests that kill them; every process and folder
 * made here is gone after `clean`, whatever the test did.
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { lazy } from "./lazy.ts";
import { patiently, until } from "./until.ts";

const SCRIPT = fileURLToPath(new URL("./embedded-postgres-owner.ts", import.meta.url));

export const IN_USE =
  /is in use by another Windward \((PostgreSQL )?process \d+\)\. Stop it, or set DATA_DIR/;
export const RECOVERY_SECONDS_MAX = 30;

export interface Owner {
  readonly process: ChildProcess;
  /** What it said: where its database is, or why it has none. */
  readonly url: string;
  readonly pid: number;
  readonly ms: number;
  readonly refusal: string | undefined;
}

const folders = new Set<string>();
const processes = new Set<ChildProcess>();

export async function makeDataDir(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, "windward-"));
  // Anybody may pass, so that a test that says nothing about permissions does not depend on them.
  await chmod(folder, 0o755);
  folders.add(folder);
  return join(folder, "data");
}

let used: Promise<string> | undefined;

/** A folder with a cluster that was stopped in order: a copy, which is quicker than initdb. */
export async function makeUsedDataDir(): Promise<string> {
  const isTest = process.env.TEST_FOLDER !== undefined;
  used ??= isTest ? lazy("used-data", makeOriginal) : makeOriginal();
  const dataDir = await makeDataDir();
  execFileSync("cp", ["-a", await used, dataDir]);
  return dataDir;
}

async function makeOriginal(): Promise<string> {
  const dataDir = await makeDataDir();
  await stopOwner(await startOwner({ dataDir }));
  return dataDir;
}

/** Starts an owner and waits for its word. */
export async function startOwner(options: StartOptions): Promise<Owner> {
  return listen(launchOwner(options));
}

export interface StartOptions {
  readonly dataDir: string;
  readonly settings?: Record<string, string>;
  readonly exitAfterStart?: boolean;
  readonly as?: { uid: number; gid: number };
}

export function launchOwner({ as, ...options }: StartOptions): ChildProcess {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
    ...as,
  });
  processes.add(child);
  return child;
}

export async function listen(child: ChildProcess): Promise<Owner> {
  let said = "";
  let complaints = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    complaints += text;
  });
  const hasEnded = once(child, "close").then(() => true);
  while (!said.includes("\n")) {
    if (await Promise.race([hasEnded, sleep(5, false)])) break;
  }
  if (said === "") throw new Error(`The owner said nothing. ${complaints}`);
  const { url = "", pid = 0, ms = 0, refusal } = JSON.parse(said);
  return { process: child, url, pid, ms, refusal };
}

/** Ends an owner in order and tells its exit code; it must leave without being pushed. */
export async function stopOwner({ process: child }: Owner): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  return code;
}

/** kill -9 of the owner alone: its PostgreSQL goes on. */
export async function killOwner({ process: child }: Owner): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function commit(owner: Owner, number: number): Promise<void> {
  await query(owner.url, "create table if not exists kept (number int)");
  await query(owner.url, `insert into kept values (${number})`);
}

export async function committed(owner: Owner): Promise<unknown[]> {
  const rows = await query(owner.url, "select number from kept");
  return rows.map((row) => row.number);
}

export async function answersAgain(owner: Owner): Promise<void> {
  await patiently(
    () => query(owner.url, "select 1"),
    () => true,
    RECOVERY_SECONDS_MAX,
  );
}

/** Processes that work in this folder: a PostgreSQL server and its children. */
export async function processesIn(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const place = await readlink(`/proc/${name}/cwd`).catch(() => "");
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    if (place.startsWith(folder) && !stat.includes(") Z ")) found.push(Number(name));
  }
  return found;
}

export async function killAllIn(folder: string): Promise<void> {
  for (const pid of await processesIn(folder)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has gone by itself.
    }
  }
}

/** A process that has ended, and whose parent has become one that never asks for its exit code. */
export async function makeZombie(as: { uid: number; gid: number }): Promise<string> {
  const script = "sleep 0.1 & echo $!; exec sleep 60";
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], ...as });
  processes.add(child);
  const [text] = await once(child.stdout, "data");
  const pid = String(text).trim();
  const hasEnded = async () => (await readFile(`/proc/${pid}/stat`, "utf8")).includes(") Z ");
  await until(hasEnded, "the process has ended");
  return pid;
}

export async function makeStranger(as: { uid: number; gid: number }): Promise<string> {
  const child = spawn("sleep", ["60"], { stdio: "ignore", ...as });
  processes.add(child);
  return String(child.pid);
}

export async function clean(): Promise<void> {
  for (const child of processes) child.kill("SIGKILL");
  for (const folder of folders) {
    const isEmpty = async () => {
      await killAllIn(folder);
      return (await processesIn(folder)).length === 0;
    };
    await until(isEmpty, `no process works in ${folder}`);
    await rm(folder, { recursive: true, force: true });
  }
  processes.clear();
  folders.clear();
}

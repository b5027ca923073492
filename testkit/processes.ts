/**
 * Windward as whole processes, started by the very command of `npm start`, for tests that stop,
 * kill and multiply them.
 *
 * Each has a process group of its own, an empty folder to stand in (so that nobody's `.env` is
 * read) and only the settings a test gives it. Everything started or made here is gone after
 * `endAll`, whatever the test did.
 */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type AskedAnswer, type AskOptions, ask } from "./ask.ts";
import { clean, makeDataDir } from "./database-owners.ts";
import { KEPT_SETTINGS } from "./kept-settings.ts";
import { lazy } from "./lazy.ts";
import { NO_LIMITS } from "./no-limits.ts";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));
const READY_MS_MAX = 120_000;
/** Limits out of the way and quick hashing, for tests that are about neither, on any machine. */
export const UNHINDERED = {
  PASSWORD_HASHING: "floor",
  OVERLOAD_LOOP_DELAY_MS: "0",
  ...NO_LIMITS,
};

export interface Launched {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Resolves when it has ended and all it said has arrived. */
  readonly ended: Promise<Ending>;
  /** What it wrote so far. */
  stdout(): string;
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  /** The same, for it and all its children, as a terminal or a service manager does. */
  signalGroup(name: NodeJS.Signals): void;
}

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** When, by `performance.now()`. */
  readonly at: number;
}

export interface Running extends Launched {
  /** Where it listens; empty for a worker, which does not. */
  readonly url: string;
  readonly readyMs: number;
  ask(route: string, asked?: AskOptions): Promise<AskedAnswer>;
  /** Ends it in order. */
  stop(): Promise<Ending>;
  /** kill -9 of this process alone. */
  kill(): Promise<Ending>;
}

export interface LaunchOptions {
  readonly settings: Record<string, string>;
  readonly cwd?: string;
  /** Further flags of Node, before the script. */
  readonly flags?: readonly string[];
  readonly node?: string;
  /** Where another version of the program is. */
  readonly project?: string | undefined;
}

const launched = new Set<ChildProcess>();
const folders = new Set<string>();

// A test file that fails in a hook never comes to its clean-up.
process.on("exit", killGroups);

/** The arguments of `npm start` after `node`. */
export function startArguments(project = PROJECT): { flags: string[]; script: string } {
  const { scripts } = JSON.parse(readFileSync(path.join(project, "package.json"), "utf8"));
  const [node, ...rest] = String(scripts.start).split(" ");
  const script = rest.pop();
  if (node !== "node" || script === undefined) throw new Error("npm start is not node any more");
  return { flags: rest, script: path.join(project, script) };
}

export function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-cwd-"));
  folders.add(folder);
  return folder;
}

let seeded: Promise<string> | undefined;

/** A folder that a Windward was started on and stopped: a copy, which is quicker than doing it. */
export async function makeSeededDataDir(): Promise<string> {
  seeded ??= lazy("seeded-data", seedDataDir);
  const dataDir = await makeDataDir();
  execFileSync("cp", ["-a", await seeded, dataDir]);
  return dataDir;
}

async function seedDataDir(): Promise<string> {
  const dataDir = await makeDataDir();
  await (await start({ settings: { DATA_DIR: dataDir } })).stop();
  return dataDir;
}

export function launch(options: LaunchOptions): Launched {
  const { flags, script } = startArguments(options.project);
  const args = [...flags, ...(options.flags ?? []), script];
  const child = spawn(options.node ?? process.execPath, args, {
    cwd: options.cwd ?? makeFolder(),
    env: { ...KEPT_SETTINGS, HOST: "127.0.0.1", PORT: "0", ...options.settings },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
  });
  launched.add(child);
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text) => {
      said[name] += text;
    });
  const { pid } = child;
  if (pid === undefined) throw new Error("the process could not be started");
  return {
    process: child,
    pid,
    ended: new Promise((resolve) => {
      child.once("close", (code, signal) => {
        resolve({ code, signal, ...said, at: performance.now() });
      });
    }),
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    signal: (name) => void child.kill(name),
    signalGroup: (name) => void process.kill(-pid, name),
  };
}

/** Launches one and waits until it says that it is ready. */
export async function start(options: LaunchOptions): Promise<Running> {
  return whenReady(launch(options));
}

export async function whenReady(one: Launched): Promise<Running> {
  const beganAt = performance.now();
  const url = await new Promise<string>((resolve, reject) => {
    const giveUp = (why: string) =>
      reject(new Error(`A process ${why}.\n${one.stdout()}\n${one.stderr()}`));
    const timer = setTimeout(() => giveUp("was not ready in time"), READY_MS_MAX);
    one.process.once("message", (message: { address?: string }) => {
      clearTimeout(timer);
      resolve(message.address ?? "");
    });
    one.ended.then(({ code, signal }) => {
      clearTimeout(timer);
      giveUp(`ended at start with ${code ?? signal}`);
    });
  });
  return {
    ...one,
    url,
    readyMs: performance.now() - beganAt,
    ask: (route, asked) => ask(url + route, asked),
    stop() {
      one.signal("SIGTERM");
      return one.ended;
    },
    kill() {
      one.signal("SIGKILL");
      return one.ended;
    },
  };
}

/**
 * After every test file: nothing that was started here runs on, nothing that was made here stays.
 */
export async function endAll(): Promise<void> {
  killGroups();
  launched.clear();
  await clean();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders.clear();
}

function killGroups(): void {
  for (const { pid } of launched)
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch {
      // It and its children have gone by themselves.
    }
}

/**
 * One run of the program `postgres` as our own direct child, from its start to its end.
 *
 * It is our child and not pg_ctl's, so that its end is told to us and it never stays a zombie. It
 * leads a process group of its own: Ctrl-C in a terminal reaches the whole group of Windward, and
 * must not take the database away from requests under way. Ready is what pg_ctl calls ready, too:
 * the word in the lock file.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { endServer } from "./end-server.ts";
import { OWNER_SETTING } from "./ownership.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { spawnPlace } from "./runtime-user.ts";

export interface ServerLog {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
}

export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** Settles when the process has ended, with how it ended. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  /** What the log says since this start, from its end back; of rivals on the same cluster, too. */
  words(): Promise<string>;
  stop(): Promise<void>;
}

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const WORDS_BYTES_MAX = 16 * 1024;
const POLL_MS = 10;

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "128MB",
  timezone: "UTC",
  log_timezone: "UTC",
  password_encryption: "scram-sha-256",
  deadlock_timeout: "200ms",
  // What people entrust to us stays out of the log: no parameters, and none of the DETAIL lines
  // that repeat whole rows.
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_error_verbosity: "terse",
};

export async function spawnServer(plan: {
  cluster: Cluster;
  port: number;
  settings: Readonly<Record<string, string>>;
}): Promise<ServerProcess> {
  const { cluster, port } = plan;
  const { folder, user, binaries } = cluster;
  const { pgdata, options } = spawnPlace({ folder, user });
  const settings = { ...SETTINGS, ...plan.settings, [OWNER_SETTING]: String(process.pid) };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = await openLog(cluster.logFile);
  const logStart = (await log.stat()).size;
  const child = spawn(binaries.postgres, ["-D", pgdata, "-p", String(port), ...flags], {
    ...options,
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  await log.close();
  // The last resort of a process that exits without stop(); after its end nobody will start the
  // server again.
  const signalAtExit = () => void child.kill("SIGINT");
  process.once("exit", signalAtExit);
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
    process.off("exit", signalAtExit);
  });
  return {
    pid: child.pid ?? 0,
    port,
    ended,
    hasEnded: () => hasEnded,
    words: () => readWords({ path: cluster.logFile, from: logStart }),
    async stop() {
      if (hasEnded || child.pid === undefined) return;
      await endServer({
        pid: child.pid,
        endsWithin: (ms) => settlesWithin({ promise: ended, ms }),
      });
    },
  };
}

/**
 * True when the server accepts connections, false when it has ended instead. There is no limit of
 * time: a recovery after a crash takes as long as it takes, and a server that cannot start ends by
 * itself.
 */
export async function becomesReady(on: {
  server: ServerProcess;
  folder: string;
}): Promise<boolean> {
  while (!on.server.hasEnded()) {
    const file = await readPostmasterFile(on.folder);
    if (file?.pid === on.server.pid && file.isReady) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/**
 * A port that is free now. It may be taken before PostgreSQL binds it, so starting is tried more
 * than once.
 */
export async function findFreePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  listener.close();
  await once(listener, "close");
  return address !== null && typeof address === "object" ? address.port : 0;
}

async function openLog(path: string) {
  const size = await stat(path).then(
    (facts) => facts.size,
    () => 0,
  );
  if (size > LOG_BYTES_MAX) await rename(path, `${path}.1`);
  return open(path, "a", 0o600);
}

async function readWords(of: { path: string; from: number }): Promise<string> {
  const log = await open(of.path, "r");
  try {
    const { size } = await log.stat();
    const position = Math.max(of.from, size - WORDS_BYTES_MAX);
    const { buffer, bytesRead } = await log.read({ position, length: WORDS_BYTES_MAX });
    return buffer.toString("utf8", 0, bytesRead).trim();
  } finally {
    await log.close();
  }
}

async function settlesWithin(of: { promise: Promise<unknown>; ms: number }): Promise<boolean> {
  const limit = new AbortController();
  const late = sleep(of.ms, false, { signal: limit.signal }).catch(() => false);
  const settled = await Promise.race([of.promise.then(() => true), late]);
  limit.abort();
  return settled;
}

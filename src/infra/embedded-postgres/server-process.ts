/**
 * One run of the program `postgres` as our own direct child, from its start to its end.
 *
 * It is our child and not pg_ctl's, so that we are notified of its end and it never stays a zombie.
 * It leads a process group of its own: Ctrl-C in a terminal reaches the whole group of Windward,
 * and must not take the database away from requests under way.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, rename, stat } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { lastLines } from "./cannot-start-database.ts";
import type { Cluster } from "./cluster.ts";
import { readPostmasterFile, stopServer } from "./running-server.ts";
import { spawnOptions } from "./runtime-user.ts";

export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** Settles when the process has ended, with how it ended. */
  readonly ended: Promise<string>;
  /**
   * True when the server accepts connections, false when it has ended instead. There is no time
   * limit: recovery after a crash takes as long as it takes, and a server that cannot start ends.
   */
  isReady(): Promise<boolean>;
  /** The end of what was logged since this start. */
  lastWords(): Promise<string>;
  stop(): Promise<void>;
}

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const LAST_WORDS_BYTES_MAX = 16 * 1024;
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
  // Personal data stays out of the log: no parameters, and none of the DETAIL lines that repeat
  // whole rows.
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_error_verbosity: "terse",
};

export async function spawnServer(plan: {
  cluster: Cluster;
  port: number;
  settings?: Readonly<Record<string, string>> | undefined;
}): Promise<ServerProcess> {
  const { cluster, port } = plan;
  const { folder, user, binaries, logFile } = cluster;
  const { pgdata, options } = spawnOptions({ folder, user });
  const settings = Object.entries({ ...SETTINGS, ...plan.settings });
  const flags = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = await openLog(logFile);
  const logStart = (await log.stat()).size;
  const child = spawn(binaries.postgres, ["-D", pgdata, "-p", String(port), ...flags], {
    ...options,
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  const { pid = 0 } = child;
  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  await log.close();
  // The last resort of a process that exits without stop().
  const signalAtExit = () => void child.kill("SIGINT");
  process.once("exit", signalAtExit);
  ended.then(() => {
    hasEnded = true;
    process.off("exit", signalAtExit);
  });
  return {
    pid,
    port,
    ended,
    async isReady() {
      while (!hasEnded) {
        const file = await readPostmasterFile(folder);
        if (file?.pid === pid && file.isReady) return true;
        await sleep(POLL_MS);
      }
      return false;
    },
    lastWords: () => readLastWords(logFile, logStart),
    async stop() {
      if (hasEnded || pid === 0) return;
      await stopServer(pid, (ms) =>
        Promise.race([ended.then(() => true), sleep(ms, false, { ref: false })]),
      );
    },
  };
}

/** A port that is free now. It may be taken before PostgreSQL binds it. */
export async function findFreePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  await once(listener.close(), "close");
  return port;
}

async function openLog(path: string) {
  const facts = await stat(path).catch(() => undefined);
  if (facts && facts.size > LOG_BYTES_MAX) await rename(path, `${path}.1`);
  return open(path, "a", 0o600);
}

async function readLastWords(path: string, from: number): Promise<string> {
  await using log = await open(path, "r");
  const { size } = await log.stat();
  const position = Math.max(from, size - LAST_WORDS_BYTES_MAX);
  const { buffer, bytesRead } = await log.read({ position, length: LAST_WORDS_BYTES_MAX });
  return lastLines(buffer.toString("utf8", 0, bytesRead));
}

/**
 * The lock that makes one data folder the database of one Windward: a listening socket named after
 * the folder's inode. The system releases it when the process ends, however it ends, so a lock that
 * can be taken proves that no owner lives, and everything under the folder may be changed without
 * regard to rivals. `postgres.owner` names the owner's process for the sentence of a refusal only.
 */
import { once } from "node:events";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inUse } from "./cannot-start-database.ts";
import { findServer } from "./running-server.ts";

const OWNER_FILE_MS_MAX = 1_000;
const POLL_MS = 20;

/** Resolves to what releases it. */
export async function takeOwnerLock(dataDir: string): Promise<() => Promise<void>> {
  const path = await socketPath(dataDir);
  const server = (await listen(path)) ?? (await listenAfterCrash(path));
  if (!server) throw inUse(dataDir, await describeOwner(dataDir));
  const ownerFile = ownerFileOf(dataDir);
  await writeFile(ownerFile, String(process.pid));
  return async () => {
    await rm(ownerFile, { force: true });
    await once(server.close(), "close");
  };
}

async function socketPath(dataDir: string): Promise<string> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  const name = `windward-${dev}-${ino}`;
  // Linux has abstract sockets, which need no file.
  return process.platform === "linux" ? `\0${name}` : `/tmp/${name}.sock`;
}

async function listen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    await once(server.listen({ path, exclusive: true }), "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return undefined;
    throw error;
  }
}

/**
 * Where the socket is a file, a crash leaves it behind: one that refuses connections is removed.
 */
async function listenAfterCrash(path: string): Promise<Server | undefined> {
  if (!path.startsWith("/")) return undefined;
  const client = connect(path);
  const code = await once(client, "connect").then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  client.destroy();
  if (code !== "ECONNREFUSED") return undefined;
  await rm(path, { force: true });
  return listen(path);
}

async function describeOwner(dataDir: string): Promise<string> {
  const running = await findServer(join(dataDir, "postgres"));
  if (running) return `PostgreSQL process ${running.pid}`;
  // An owner that has just taken the lock has not written its file yet.
  const deadline = performance.now() + OWNER_FILE_MS_MAX;
  while (performance.now() < deadline) {
    const pid = await readFile(ownerFileOf(dataDir), "utf8").catch(() => "");
    if (pid !== "") return `process ${pid}`;
    await sleep(POLL_MS);
  }
  return "process unknown";
}

function ownerFileOf(dataDir: string): string {
  return join(dataDir, "postgres.owner");
}

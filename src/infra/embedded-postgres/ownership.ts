/**
 * Who owns a running PostgreSQL: the Windward that holds an advisory lock in its database
 * `postgres`, on a connection of its own, for as long as it lives. When that process dies, however
 * it dies, the system closes the connection and the lock is free; so whoever can take it knows that
 * the owner is dead.
 *
 * A server that has just started has an owner that has not got the lock yet. It is told by its
 * parent: the server carries its starter's process id as a setting, and a server whose starter is
 * still its parent has a living owner.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DATABASE_USER } from "./cluster.ts";
import { factsOf } from "./process-facts.ts";

export interface Door {
  readonly port: number;
  readonly password: string;
}

/** The setting that tells who started the server. */
export const OWNER_SETTING = "windward.owner_pid";

const OWNER_LOCK = 5_207_318_846n;
const CONNECT_MS_MAX = 2_000;
const RETRY_MS = 50;

export async function connect(door: Door & { database: string }): Promise<pg.Client> {
  const client = new pg.Client({
    ...door,
    host: "127.0.0.1",
    user: DATABASE_USER,
    ssl: false,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    application_name: "windward owner",
  });
  // A lost connection shows in its "end"; without a listener the same loss would end our process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** A connection that holds the lock, or undefined when somebody else holds it. */
export async function tryToOwn(door: Door): Promise<pg.Client | undefined> {
  const client = await connect({ ...door, database: "postgres" });
  const { rows } = await orEnd(
    client,
    client.query("select pg_try_advisory_lock($1) as taken", [OWNER_LOCK]),
  );
  if (rows[0]?.taken) return client;
  await client.end();
  return undefined;
}

/**
 * Takes the lock of our own server. A starter that examines us may hold it for a moment, hence the
 * tries.
 */
export async function own(door: Door & { msMax: number }): Promise<pg.Client | undefined> {
  const deadline = performance.now() + door.msMax;
  do {
    const lock = await tryToOwn(door);
    if (lock) return lock;
    await sleep(RETRY_MS);
  } while (performance.now() < deadline);
  return undefined;
}

/**
 * Is the starter of this server dead? Then the answer is the lock, to be held while the server is
 * being stopped, so that of several starters only one goes on.
 */
export async function takeFromDeadOwner(
  server: Door & { pid: number },
): Promise<pg.Client | undefined> {
  const lock = await tryToOwn(server);
  if (!lock) return undefined;
  const { rows } = await orEnd(
    lock,
    lock.query("select current_setting($1, true) as owner", [OWNER_SETTING]),
  );
  const parent = (await factsOf(server.pid))?.parent;
  if (parent === undefined || parent !== Number(rows[0]?.owner)) return lock;
  await lock.end();
  return undefined;
}

/** A connection whose question failed is closed, because it may hold the lock. */
async function orEnd<T>(client: pg.Client, question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

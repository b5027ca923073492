/**
 * Work that processes which start together do one after another, because it looks first and writes
 * then. The lock belongs to a connection, so it ends with a process that is killed.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../db/database.ts";

const LOOK_AGAIN_MS = 20;

export async function oneAtATime(
  db: Database,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  const client = await db.pool.connect();
  const call = (name: string) =>
    client.query(`select ${name}(hashtextextended($1, 0)) as done`, [`one at a time: ${what}`]);
  try {
    // Asked again and again, because waiting inside PostgreSQL is cut by our lock timeout.
    while (!(await call("pg_try_advisory_lock")).rows[0].done) await sleep(LOOK_AGAIN_MS);
    await work();
    await call("pg_advisory_unlock");
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

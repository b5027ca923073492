/**
 * PostgreSQL copies and renames only a database without users (Decision 0105): waits until they
 * have gone by themselves, and then keeps them out.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { DATABASE } from "../embedded-postgres/cluster.ts";

const TERMINATE_EVERY_MS = 50;
/** After that the work of others is broken off: their requests get 503. */
const PATIENCE_MS = 1_000;
const CONNECTIONS = `
  from pg_stat_activity where datname = '${DATABASE}' and backend_type = 'client backend'`;

/** Until every connection was closed by its process, or patience is at its end. */
export async function waitForDisconnects(client: pg.Client, stopped: Promise<void>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  await Promise.race([stopped, sleep(PATIENCE_MS)]);
  while (performance.now() < deadline) {
    const { rowCount } = await client.query(`select ${CONNECTIONS}`);
    if (rowCount === 0) return;
    await sleep(TERMINATE_EVERY_MS / 5);
  }
}

/**
 * Runs what needs a database without connections. Those that are still there are terminated, and
 * while it runs PostgreSQL accepts no new ones.
 */
export async function terminateOthersDuring(
  terminator: pg.Client,
  work: () => Promise<void>,
): Promise<void> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  // From the start: it may fail while it is not waited for yet.
  const ended = working.catch(() => {});
  while (!isDone) {
    // Whether that was needed shows in the work, which PostgreSQL refuses while others are there.
    await terminator.query(`select pg_terminate_backend(pid) ${CONNECTIONS}`).catch(() => {});
    await Promise.race([ended, sleep(TERMINATE_EVERY_MS)]);
  }
  await working;
}

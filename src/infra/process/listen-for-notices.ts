/**
 * A connection on which a process is told of every pause (Decision 0105). One that is lost is
 * replaced; what was missed meanwhile shows in the database that has the name then.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import {
  connectToMaintenanceDatabase,
  currentDatabase,
} from "../embedded-postgres/snapshot-store.ts";

const CHANNEL = "windward_pause";
const RECONNECT_MS = 500;

interface Options {
  readonly url: string;
  /** Another process is about to pause all. */
  onNotice(client: pg.Client): void;
  /** It listens again; `database` is the one that has the name now. */
  onReplaced(client: pg.Client, database: number): void;
}

export async function listenForNotices({ url, onNotice, onReplaced }: Options) {
  let isStopping = false;
  let ownBackend = 0;
  const first = await listen();
  let listening = first.client;

  async function listen() {
    const client = await connectToMaintenanceDatabase(url);
    try {
      client.on("notification", ({ processId }) => {
        if (processId !== ownBackend) onNotice(client);
      });
      await client.query(`listen ${CHANNEL}`);
      const current = await currentDatabase(client);
      // Not before: one that is lost until here is replaced by the caller.
      client.once("end", () => {
        if (!isStopping) void listenAgain();
      });
      return { client, database: current };
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** Nobody waits for it, so it does not fail: it tries until there is a connection again. */
  async function listenAgain(): Promise<void> {
    await sleep(RECONNECT_MS);
    if (isStopping) return;
    const next = await listen().catch(() => undefined);
    if (next === undefined) return listenAgain();
    if (isStopping) return next.client.end();
    listening = next.client;
    onReplaced(listening, next.database);
  }

  return {
    /** The one that had the name as it began to listen. */
    database: first.database,
    client: () => listening,
    async notifyOthers(client: pg.Client): Promise<void> {
      ownBackend = (await client.query("select pg_backend_pid() as pid")).rows[0].pid;
      await client.query(`notify ${CHANNEL}`);
    },
    async stop(): Promise<void> {
      isStopping = true;
      await listening.end();
    },
  };
}

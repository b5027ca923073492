/** One process at work: answers requests, runs jobs, or both; and stops without dropping either. */

import { setTimeout as sleep } from "node:timers/promises";
import { appJobs, createApp, createContext } from "./app.ts";
import { seedDemoWorld } from "./demo-world.ts";
import type { Config } from "./infra/config.ts";
import { openDatabase } from "./infra/db/database.ts";
import type { Server } from "./infra/http/server.ts";
import { runJobs } from "./infra/jobs/run-jobs.ts";
import type { Log } from "./infra/log.ts";

const IDLE_CHECK_MS = 50;

export interface Service {
  /** Where it listens; undefined for a worker, which does not. */
  readonly address: string | undefined;
  stop(): Promise<void>;
}

export async function runService(options: {
  config: Config;
  databaseUrl: string;
  log: Log;
}): Promise<Service> {
  const { config, log } = options;
  const { connectionsMax } = config.database;
  const db = openDatabase({ url: options.databaseUrl, connectionsMax, log });
  const ctx = await createContext({ config, log, db });
  if (config.demoWorld) await seedDemoWorld(ctx);
  const { role } = config.processes;
  const server = role === "worker" ? undefined : createApp(ctx);
  const { host, port } = config.http;
  const address = await server?.app.listen({ host, port });
  const jobs = role === "web" ? undefined : await runJobs(ctx, appJobs);
  return {
    address,
    async stop() {
      if (server !== undefined) await stopServing(server);
      await jobs?.stop();
      await ctx.keyUsage.stop();
      await db.close();
    },
  };
}

/** Idle connections are closed as they appear, so that a quiet keep-alive does not hold us up. */
async function stopServing(server: Server): Promise<void> {
  server.drain();
  let closed = false;
  const closing = server.app.close().then(() => {
    closed = true;
  });
  while (!closed) {
    server.app.server.closeIdleConnections();
    await Promise.race([closing, sleep(IDLE_CHECK_MS)]);
  }
}

/**
 * The running service of one process: what it has opened for one state of the database, which is
 * connections, caches, queues, jobs and requests. When the state is exchanged (Decision 0105) all
 * of it is closed and opened again, so nothing remembered outlives what it was about; only the port
 * and its connections stay.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { type AppContext, createApp, createContext } from "./app.ts";
import { seedDemoWorld } from "./demo-world.ts";
import type { Config } from "./infra/config.ts";
import { demandSettings, openDatabase } from "./infra/db/database.ts";
import type { Server } from "./infra/http/listen/server.ts";
import type { Log } from "./infra/log.ts";
import { oneAtATime } from "./infra/process/one-at-a-time.ts";
import { createStopList, type StopList } from "./infra/process/stop.ts";
import { SECOND_MS } from "./kit/clock.ts";
import { askLiveNow } from "./modules/checkout/session/ask-gateway.ts";
import type { Snapshots } from "./modules/sandbox-snapshots/snapshots.ts";
import { settleLiveNow } from "./modules/transactions/settle-refunds.ts";
import { returnLiveNow } from "./modules/trusted-cards/return-check.ts";
import { startWork } from "./start-work.ts";

/** Then what is still under way is left to fail. */
const PAUSE_MS_MAX = SECOND_MS;

export interface RuntimeOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly log: Log;
  /** Undefined: the database is not ours to copy. */
  readonly snapshots?: Snapshots | undefined;
}

export interface Runtime {
  /** Undefined for a worker, which answers no requests. */
  readonly server: Server | undefined;
  /** Closes all but the port; a request of this process that asked for it goes on. */
  pause(options: { isOwn: boolean }): Promise<void>;
  stop(): Promise<void>;
}

export async function openRuntime(options: RuntimeOptions, after?: Runtime): Promise<Runtime> {
  const stops = createStopList();
  try {
    return await open(options, stops, after);
  } catch (error) {
    await stops
      .stopAll()
      .catch((err) => options.log.warn({ err }, "and stopping went wrong as well"));
    throw error;
  }
}

async function open(options: RuntimeOptions, stops: StopList, after?: Runtime): Promise<Runtime> {
  const { config, log, snapshots } = options;
  const { connectionsMax, standbyUrl } = config.database;
  const db = openDatabase({ url: options.databaseUrl, standbyUrl, connectionsMax, log });
  stops.add(() => db.close());
  await demandSettings(db);
  const ctx = await createContext({ config, log, db }, { snapshots });
  stopWith(ctx, stops);
  ctx.readiness.start();
  if (config.demoWorld) await oneAtATime(db, "demo world", () => seedDemoWorld(ctx));
  const { role } = config.processes;
  // Jobs before requests, because stopping goes backwards and a request may still add a job.
  if (role !== "web") await startWork(ctx, stops);
  const server = role === "worker" ? undefined : createApp(ctx, { after: after?.server });
  const { drainSeconds } = config.http;

  async function quieten(isOwn: boolean): Promise<void> {
    await server?.pause(isOwn ? 1 : 0);
    await ctx.liveStreams.stop();
    await stops.stopAll();
  }

  return {
    server,
    async pause({ isOwn }) {
      const quiet = quieten(isOwn).catch((err) => log.warn({ err }, "a pause broke something off"));
      await Promise.race([quiet, sleep(PAUSE_MS_MAX)]);
      // Not waited for: what hangs is put out by its server, and sends nothing more.
      db.close().catch(() => {});
    },
    async stop() {
      // Before the server, which would wait for them.
      await ctx.liveStreams.stop();
      server?.drain();
      await server?.close(drainSeconds * SECOND_MS);
      await stops.stopAll();
    },
  };
}

function stopWith(ctx: AppContext, stops: StopList): void {
  const { live } = ctx.gateways;
  stops.add(async () => ctx.readiness.stop());
  stops.add(() => ctx.keyUsage.stop());
  stops.add(() => ctx.v1Use.stop());
  stops.add(() => ctx.requestLog.stop());
  stops.add(() => ctx.images.stop());
  stops.add(async () => {
    await live?.stop();
  });
  live?.onUp(() => {
    const all = [askLiveNow(ctx), settleLiveNow(ctx), returnLiveNow(ctx)];
    Promise.all(all).catch((err) =>
      ctx.log.error({ err }, "orders that wait for the gateway could not be rescheduled"),
    );
  });
}

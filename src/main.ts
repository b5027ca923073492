/**
 * The entry of the service: read the settings, start PostgreSQL if none is configured, migrate,
 * then run in this process or in several. It always stops in order: no new requests, finish those
 * under way, finish jobs, close the database, end PostgreSQL.
 */

import cluster from "node:cluster";
import { existsSync } from "node:fs";
import process from "node:process";
import { banner } from "./banner.ts";
import { readDemoHashKey } from "./demo-keys.ts";
import { type Config, readConfig } from "./infra/config.ts";
import { migrate } from "./infra/db/migrate.ts";
import { demandFreePort } from "./infra/http/listen/listen-addresses.ts";
import { createLog, type Log } from "./infra/log.ts";
import { serveMetrics } from "./infra/process/serve-metrics.ts";
import { startTracing } from "./infra/process/start-tracing.ts";
import { explainEmbedded, reasonOf, reportStartupError } from "./infra/process/startup-error.ts";
import {
  createStopList,
  createStopOnce,
  onStopSignal,
  type Stop,
  type StopList,
  type StopOnce,
  stopOnMistake,
} from "./infra/process/stop.ts";
import {
  serveSupervisor,
  superviseWorkers,
  tellSupervisorWhyNot,
} from "./infra/process/supervise-workers.ts";
import { SECOND_MS } from "./kit/clock.ts";
import { runService } from "./run-service.ts";

/** Tells workers that the DATABASE_URL they get is that of the embedded one. */
const EMBEDDED = "WINDWARD_EMBEDDED_DATABASE";
/** After DRAIN_SECONDS requests are cut off; what is left to do then gets this long. */
const KILL_WORKER_EXTRA_MS = 6_000;
const FORCE_EXTRA_MS = 8_000;
const STOPPING =
  "\n  Stopping: what is under way is finished first. Ctrl-C again stops at once.\n\n";

export async function main(): Promise<void> {
  try {
    const config = readConfig(process.env);
    const log = createLog({ level: config.logLevel });
    const stopTracing = await startTracing(config.tracing, log);
    if (cluster.isWorker) await startWorker(config, log, stopTracing);
    else await startPrimary(config, log, stopTracing);
  } catch (error) {
    if (cluster.isWorker) tellSupervisorWhyNot(reasonOf(error));
    else {
      reportStartupError("Windward did not start.", error);
      process.exit(1);
    }
  }
}

/** A process under the supervisor: the database is there and migrated. */
async function startWorker(config: Config, log: Log, stopTracing: Stop): Promise<void> {
  const isEmbedded = process.env[EMBEDDED] !== undefined;
  const starting = runService({ config, databaseUrl: config.database.url ?? "", log, isEmbedded });
  const stop = stopOn(config, log, async () => (await starting).stop().finally(stopTracing));
  const { address } = await starting;
  serveSupervisor(address, stop);
}

async function startPrimary(config: Config, log: Log, stopTracing: Stop): Promise<void> {
  // The reader may be gone: `npm start | head` must not end the service.
  process.stdout.on("error", () => {});
  const stops = createStopList();
  stops.add(stopTracing);
  const starting = start(config, log, stops);
  let isStopping = false;
  stopOn(config, log, async () => {
    isStopping = true;
    // Shown at once, because requests under way may take a while.
    process.stdout.write(STOPPING);
    // In the middle of its start a database could not be ended in order.
    await starting.catch(() => {});
    await stops.stopAll();
  });
  try {
    const started = await starting;
    if (!isStopping) announce(config, started);
  } catch (error) {
    await stops.stopAll().catch((err) => log.warn({ err }, "and stopping went wrong as well"));
    throw config.database.url === undefined ? explainEmbedded(error) : error;
  }
}

interface Started {
  readonly address: string | undefined;
  /** Of the demo merchant; production has none. */
  readonly hashKey: string | undefined;
}

async function start(config: Config, log: Log, stops: StopList): Promise<Started> {
  // Before a database is made, so that a taken port is reported at once.
  if (config.processes.role !== "worker") await demandFreePort(config.http);
  const databaseUrl = await findDatabase(config, log, stops);
  await migrate({ url: databaseUrl, log, isProduction: config.database.isProduction });
  const address = await startServing(config, log, databaseUrl, stops);
  await startMetrics(config, stops);
  return { address, hashKey: await readDemoHashKey(config, { databaseUrl, log }) };
}

async function findDatabase(config: Config, log: Log, stops: StopList): Promise<string> {
  if (config.database.url !== undefined) return config.database.url;
  // Only here: with a DATABASE_URL this code need not be loaded.
  const { startEmbeddedPostgres } = await import(
    "./infra/embedded-postgres/start-embedded-postgres.ts"
  );
  const { dataDir } = config.database;
  if (!existsSync(dataDir))
    process.stdout.write(`\n  Making the database in ${dataDir}. This takes some seconds, once.\n`);
  const embedded = await startEmbeddedPostgres({ dataDir, log });
  stops.add(() => embedded.stop());
  const { dropLeftOvers } = await import("./infra/embedded-postgres/spare-copy.ts");
  // Not waited for: what a crash left takes room and nothing else.
  void dropLeftOvers(embedded.url).catch((err) =>
    log.warn({ err }, "databases that a snapshot left over are still there"),
  );
  return embedded.url;
}

async function startServing(
  config: Config,
  log: Log,
  databaseUrl: string,
  stops: StopList,
): Promise<string | undefined> {
  const { workers } = config.processes;
  const isEmbedded = config.database.url === undefined;
  if (workers === 1) {
    const service = await runService({ config, databaseUrl, log, isEmbedded });
    stops.add(() => service.stop());
    return service.address;
  }
  // Only development has an embedded one.
  const embedded = isEmbedded ? { [EMBEDDED]: "1", STAGE: "development" } : {};
  const env = { DATABASE_URL: databaseUrl, ...embedded };
  const supervisor = superviseWorkers({ count: workers, env, log });
  stops.add(() => supervisor.stop(drainMs(config) + KILL_WORKER_EXTRA_MS));
  return supervisor.ready;
}

async function startMetrics(config: Config, stops: StopList): Promise<void> {
  const { metricsPort: port, metricsHost: host } = config.http;
  if (port === undefined) return;
  const server = await serveMetrics({ host, port });
  stops.add(async () => void server.close());
}

/** From the first moment on, so that a signal during the start leaves nothing behind either. */
function stopOn(config: Config, log: Log, stop: Stop): StopOnce {
  const stopOnce = createStopOnce({ log, stop, forceMs: drainMs(config) + FORCE_EXTRA_MS });
  onStopSignal(stopOnce);
  stopOnMistake(log, stopOnce);
  return stopOnce;
}

function drainMs(config: Config): number {
  return config.http.drainSeconds * SECOND_MS;
}

function announce(config: Config, { address, hashKey }: Started): void {
  const database = config.database.url === undefined ? config.database.dataDir : "DATABASE_URL";
  if (address !== undefined) process.stdout.write(banner(config, { address, database, hashKey }));
  else process.stdout.write("\n  Windward is working on background jobs. Ctrl-C stops it.\n\n");
  process.send?.({ address });
}

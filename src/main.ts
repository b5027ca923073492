/**
 * One way in: read the settings, start PostgreSQL if none is given, migrate, then run in this
 * process or in several. Whatever asks it to stop, it stops in order: no new requests, finish those
 * under way, finish jobs, close the database, end PostgreSQL.
 */

import cluster from "node:cluster";
import process from "node:process";
import { banner } from "./banner.ts";
import { type Config, readConfig } from "./infra/config.ts";
import { migrate } from "./infra/db/migrate.ts";
import { startEmbeddedPostgres } from "./infra/embedded-postgres/start-embedded-postgres.ts";
import { createLog, type Log } from "./infra/log.ts";
import { sayWhyNot } from "./infra/process/say-why-not.ts";
import { serveMetrics } from "./infra/process/serve-metrics.ts";
import { onStopSignal } from "./infra/process/stop-signals.ts";
import {
  onSupervisorStop,
  superviseWorkers,
  tellSupervisor,
} from "./infra/process/supervise-workers.ts";
import { runService } from "./run-service.ts";

const HARD_STOP_EXTRA_MS = 5_000;

type Stop = () => Promise<void>;

try {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel });
  if (cluster.isWorker) await startWorker(config, log);
  else await startPrimary(config, log);
} catch (error) {
  sayWhyNot("Windward did not start.", error);
  process.exit(1);
}

/** A process under the supervisor: the database is there and migrated. */
async function startWorker(config: Config, log: Log): Promise<void> {
  const service = await runService({ config, databaseUrl: config.database.url ?? "", log });
  onSupervisorStop(stopOnce(config, log, () => service.stop()));
  tellSupervisor({ address: service.address });
}

async function startPrimary(config: Config, log: Log): Promise<void> {
  const stops: Stop[] = [];
  const stopAll = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  try {
    const databaseUrl = await findDatabase(config, log, stops);
    await migrate({ url: databaseUrl, log });
    const address = await startServing(config, log, databaseUrl, stops);
    await startMetrics(config, stops);
    onStopSignal(stopOnce(config, log, stopAll));
    announce(config, address);
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function findDatabase(config: Config, log: Log, stops: Stop[]): Promise<string> {
  if (config.database.url !== undefined) return config.database.url;
  const embedded = await startEmbeddedPostgres({ dataDir: config.database.dataDir, log });
  stops.push(() => embedded.stop());
  return embedded.url;
}

async function startServing(
  config: Config,
  log: Log,
  databaseUrl: string,
  stops: Stop[],
): Promise<string | undefined> {
  const { workers } = config.processes;
  if (workers === 1) {
    const service = await runService({ config, databaseUrl, log });
    stops.push(() => service.stop());
    return service.address;
  }
  const env = { DATABASE_URL: databaseUrl };
  const supervisor = superviseWorkers({ count: workers, env, log });
  stops.push(() => supervisor.stop(config.http.drainSeconds * 1000 + HARD_STOP_EXTRA_MS));
  return supervisor.ready;
}

async function startMetrics(config: Config, stops: Stop[]): Promise<void> {
  const { metricsPort: port, host } = config.http;
  if (port === undefined) return;
  const server = await serveMetrics({ host, port });
  stops.push(async () => void server.close());
}

/** Stops in order, and by force when the order takes too long. */
function stopOnce(config: Config, log: Log, stop: Stop): (why: string) => void {
  let begun = false;
  return (why) => {
    if (begun) return;
    begun = true;
    log.info({ why }, "stopping");
    const hardStopMs = config.http.drainSeconds * 1000 + HARD_STOP_EXTRA_MS;
    setTimeout(() => process.exit(1), hardStopMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "stopping went wrong");
        process.exit(1);
      },
    );
  };
}

function announce(config: Config, address: string | undefined): void {
  const database = config.database.url === undefined ? config.database.dataDir : "DATABASE_URL";
  if (address !== undefined) process.stdout.write(banner(config, { address, database }));
  else process.stdout.write("\n  Windward is working on background jobs. Ctrl-C stops it.\n\n");
  process.send?.({ address });
}

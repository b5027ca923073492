/**
 * Starts a real PostgreSQL of our own when no DATABASE_URL is given, in `<dataDir>/postgres`.
 *
 * One folder has one Windward (`owner-lock`): of any number of starters one gets the database and
 * the others a sentence. A PostgreSQL whose Windward was killed is stopped and replaced; one that
 * ends by itself is started again. What was committed survives all of it.
 */
import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { CannotStartDatabase, endedAtStart, explainFileError } from "./cannot-start-database.ts";
import { type Cluster, DATABASE, prepareCluster, urlOf } from "./cluster.ts";
import { removeOrphanFolders } from "./orphan-folders.ts";
import { takeOwnerLock } from "./owner-lock.ts";
import { clearLeftOvers } from "./running-server.ts";
import { findFreePort, type ServerProcess, spawnServer } from "./server-process.ts";

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface ServerOptions {
  readonly log: {
    info(about: object, message: string): void;
    warn(about: object, message: string): void;
  };
  /** Settings of the server beside our own, as in { log_statement: "all" }. */
  readonly settings?: Record<string, string>;
}

interface ServerPlan extends ServerOptions {
  readonly cluster: Cluster;
}

const STARTS_MAX = 5;
const CONNECT_MS_MAX = 5_000;
const EXIT_EVENT_MS = 100;
const RESTART_MS_FIRST = 50;
const RESTART_MS_MAX = 5_000;

/** What PostgreSQL logs when another try may help: its port was taken, or its lock file. */
const WORTH_ANOTHER_TRY = new RegExp(
  [
    "could not create any TCP/IP sockets",
    'lock file "postmaster.pid" already exists',
    'lock file "postmaster.pid" is empty',
    "pre-existing shared memory block",
  ].join("|"),
);

export async function startEmbeddedPostgres(
  options: ServerOptions & { readonly dataDir: string },
): Promise<EmbeddedPostgres> {
  const startedAt = performance.now();
  const dataDir = resolve(options.dataDir);
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const releaseLock = await takeOwnerLock(dataDir);
    try {
      const plan = { ...options, cluster: await prepareCluster(dataDir) };
      const server = await startServer(plan);
      const { port, pid } = server;
      const ms = Math.round(performance.now() - startedAt);
      plan.log.info({ port, postgres: pid, ms }, "PostgreSQL is running");
      return superviseServer({ ...plan, server, afterStop: releaseLock });
    } catch (error) {
      await releaseLock();
      throw error;
    }
  } catch (error) {
    throw explainFileError(error, dataDir);
  }
}

async function startServer({ cluster, log, settings }: ServerPlan): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    await clearLeftOvers(cluster.folder);
    const server = await spawnServer({ cluster, port: await findFreePort(), settings });
    const isReady = await server.isReady();
    if (isReady && (await putInOrder(cluster, server))) return server;
    const how = await server.ended;
    const lastWords = await server.lastWords();
    log.info({ attempt, how }, "PostgreSQL ended while it was being started");
    const wasKilled = isReady || how === "SIGKILL";
    if (attempt < STARTS_MAX && (wasKilled || WORTH_ANOTHER_TRY.test(lastWords))) continue;
    throw endedAtStart({ program: "PostgreSQL", how, lastWords, dataDir: cluster.dataDir });
  }
}

/**
 * Makes the database, at every start, because the first one may have been killed between initdb and
 * here; removes what a killed copy left. False when the server ended meanwhile.
 */
async function putInOrder(
  { dataDir, folder, password }: Cluster,
  { port, ended, stop }: ServerProcess,
): Promise<boolean> {
  const client = new pg.Client({
    connectionString: urlOf(password, port, "postgres"),
    ssl: false,
    connectionTimeoutMillis: CONNECT_MS_MAX,
  });
  // Without a listener a lost connection would end our process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const found = await client.query(`select from pg_database where datname = '${DATABASE}'`);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
    await removeOrphanFolders(client, folder);
    return true;
  } catch (error) {
    // The connection breaks a moment before the process's end is reported.
    if (await Promise.race([ended, sleep(EXIT_EVENT_MS, undefined)])) return false;
    await stop();
    if ((error as pg.DatabaseError).code !== "28P01") throw error;
    throw new CannotStartDatabase(
      `The password in ${dataDir}/postgres.password does not open the database beside it. ` +
        "Put the right file back, or move the folder postgres away " +
        "to begin with an empty database.",
      { cause: error },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts a server again that ends by itself, on the same port, so that clients keep their address.
 * There is no last try: a full disk that is cleaned an hour later brings the database back.
 */
function superviseServer(
  plan: ServerPlan & { server: ServerProcess; afterStop(): Promise<void> },
): EmbeddedPostgres {
  const { cluster, log, settings } = plan;
  const stopping = new AbortController();
  const { signal } = stopping;
  const url = urlOf(cluster.password, plan.server.port);
  let { server } = plan;
  let stopped: Promise<void> | undefined;
  const watching = watch();

  async function watch(): Promise<void> {
    for (let delayMs = 0; ; ) {
      const how = await server.ended;
      if (signal.aborted) return;
      const lastWords = await server.lastWords().catch(() => "");
      const about = { postgres: server.pid, how, lastWords };
      log.warn(about, "PostgreSQL ended by itself; starting it again");
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      const isBack = await startAgain().catch((error) => {
        log.warn({ err: error }, "PostgreSQL could not be started");
        return false;
      });
      if (signal.aborted) return;
      // The delay grows only while the server does not come back.
      const grown = Math.max(delayMs * 2, RESTART_MS_FIRST);
      delayMs = isBack ? RESTART_MS_FIRST : Math.min(grown, RESTART_MS_MAX);
    }
  }

  async function startAgain(): Promise<boolean> {
    await clearLeftOvers(cluster.folder);
    if (signal.aborted) return false;
    server = await spawnServer({ cluster, port: server.port, settings });
    if (signal.aborted || !(await server.isReady())) return false;
    log.info({ postgres: server.pid }, "PostgreSQL is back");
    return true;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await server.stop();
    await watching;
    // The watch may have been in the middle of spawning another one.
    await server.stop();
    await plan.afterStop();
  }

  return {
    url,
    get pid() {
      return server.pid;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Starts a real PostgreSQL of our own when no DATABASE_URL is given, in `<dataDir>/postgres`.
 *
 * The rule that matters: one folder has one Windward. Of any number of starters one gets the
 * database and the others a sentence; a PostgreSQL whose Windward was killed is stopped and
 * replaced; one that dies is started again. What was committed survives all of it. Next door:
 * `cluster` (what is on disk), `clear-the-way` (what an earlier server left), `server-process` (one
 * run), `supervise-server` (one run after another), `ownership` (whose server it is).
 */
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import {
  CannotStartDatabase,
  endedAtStart,
  explainFileError,
  inUse,
} from "./cannot-start-database.ts";
import { clearTheWay } from "./clear-the-way.ts";
import { type Cluster, DATABASE, prepareCluster, urlOf } from "./cluster.ts";
import { removeOwnerFile, writeOwnerFile } from "./owner-file.ts";
import { own } from "./ownership.ts";
import {
  becomesReady,
  findFreePort,
  type ServerLog,
  type ServerProcess,
  spawnServer,
} from "./server-process.ts";
import { superviseServer } from "./supervise-server.ts";

export interface EmbeddedPostgres {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly dataDir: string;
  readonly log: ServerLog;
  /** Settings of the server beside our own, as in { log_statement: "all" }. */
  readonly settings?: Record<string, string>;
}

const STARTS_MAX = 5;
const OWN_MS_MAX = 5_000;
const END_IS_TOLD_MS = 100;
const LAST_WORDS_LINES_MAX = 8;

/** Words of a server that another try may cure: its port was taken, or a rival was quicker. */
const WORTH_ANOTHER_TRY = new RegExp(
  [
    "could not create any TCP/IP sockets",
    'lock file "postmaster.pid" already exists',
    'lock file "postmaster.pid" is empty',
    "pre-existing shared memory block",
  ].join("|"),
);

export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    return await start({ ...options, dataDir });
  } catch (error) {
    throw explainFileError({ error, dataDir });
  }
}

async function start({ dataDir, log, settings = {} }: StartOptions): Promise<EmbeddedPostgres> {
  const startedAt = performance.now();
  const cluster = await prepareCluster(dataDir);
  const { server, lock } = await startServer({ cluster, log, settings });
  const supervised = superviseServer({ cluster, server, settings, lock, log });
  const { port, pid } = server;
  log.info(
    { port, postgres: pid, ms: Math.round(performance.now() - startedAt) },
    "PostgreSQL is running",
  );
  return {
    url: urlOf({ password: cluster.password, port }),
    get pid() {
      return supervised.pid;
    },
    async stop() {
      await supervised.stop();
      await removeOwnerFile(dataDir);
    },
  };
}

async function startServer(on: {
  cluster: Cluster;
  log: ServerLog;
  settings: Record<string, string>;
}): Promise<{ server: ServerProcess; lock: pg.Client }> {
  const { cluster, log, settings } = on;
  for (let attempt = 1; ; attempt += 1) {
    await clearTheWay({ cluster, log });
    const server = await spawnServer({ cluster, port: await findFreePort(), settings });
    const isReady = await becomesReady({ server, folder: cluster.folder });
    const lock = isReady ? await takePossession({ cluster, server }) : undefined;
    if (lock) return { server, lock };
    const how = await server.ended;
    const words = await server.words();
    log.info({ attempt, how }, "PostgreSQL ended while it was being started");
    const wasKilled = isReady || how === "SIGKILL";
    if (attempt < STARTS_MAX && (wasKilled || WORTH_ANOTHER_TRY.test(words))) continue;
    const lastWords = words.split("\n").slice(-LAST_WORDS_LINES_MAX).join("\n");
    throw endedAtStart({ program: "PostgreSQL", how, lastWords, dataDir: cluster.dataDir });
  }
}

/** Makes the server ours and its database present; undefined when it ended meanwhile. */
async function takePossession(of: {
  cluster: Cluster;
  server: ServerProcess;
}): Promise<pg.Client | undefined> {
  const { dataDir, password } = of.cluster;
  const { port, pid, hasEnded, stop } = of.server;
  try {
    const lock = await own({ port, password, msMax: OWN_MS_MAX });
    if (!lock) throw inUse({ dataDir, by: `PostgreSQL process ${pid}` });
    // At every start, because the first one may have been killed between initdb and here.
    const { rowCount } = await lock.query("select from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await lock.query(`create database ${DATABASE}`);
    await writeOwnerFile(dataDir);
    return lock;
  } catch (error) {
    // The connection breaks a moment before the end of the process is told.
    await sleep(END_IS_TOLD_MS);
    if (hasEnded()) return undefined;
    await stop();
    if (!(error instanceof Error && "code" in error && error.code === "28P01")) throw error;
    throw new CannotStartDatabase(
      `The password in ${dataDir}/postgres.password does not open the database beside it. ` +
        "Put the right file back, or move the folder postgres away " +
        "to begin with an empty database.",
      { cause: error },
    );
  }
}

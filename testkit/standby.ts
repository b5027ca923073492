/**
 * PostgreSQL with standbys: real servers, made from copies of one stopped cluster, so no other
 * program is needed than those that the service brings. Folders and servers are gone after `clean`
 * of `database-owners.ts`.
 *
 * The service is an ordinary user here, as it is in production.
 */

import { chown, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { register } from "prom-client";
import { migrate } from "../src/infra/db/migrate.ts";
import { type Cluster, prepareCluster, urlOf } from "../src/infra/embedded-postgres/cluster.ts";
import {
  findFreePort,
  type ServerProcess,
  spawnServer,
} from "../src/infra/embedded-postgres/server-process.ts";
import { createLog } from "../src/infra/log.ts";
import { killAllIn, makeUsedDataDir, processesIn, query, startOwner } from "./database-owners.ts";
import { until } from "./until.ts";

const ORDINARY = "ordinary";
/** A standby that starts late finds all it has missed. */
const SETTINGS = { wal_keep_size: "1GB", wal_level: "replica" };

export interface Server {
  /** As its owner, who may do everything. */
  readonly ownerUrl: string;
  /** As the service. */
  readonly url: string;
  query(text: string): Promise<Record<string, unknown>[]>;
}

export interface Primary extends Server {
  /** Of the server's first process. */
  readonly pid: number;
}

export interface Standby extends Server {
  start(): Promise<void>;
  /** kill -9 of the server and every process of it. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Until it has replayed what the primary has flushed by now. */
  catchUp(): Promise<void>;
  /** Receives and replays nothing of it from now on, until it is to. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** It leads from now on, on a timeline of its own. */
  promote(): Promise<void>;
  /** All that it wrote into its log. */
  logged(): Promise<string>;
}

/** How often reads that a standby may serve ended in which way, in this process. */
export async function readOutcomes(): Promise<Readonly<Record<string, number>>> {
  const metric = await register.getSingleMetric("windward_standby_reads_total")?.get();
  const values = metric?.values ?? [];
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
}

/** Does it again and again until that outcome has been counted once more. */
export async function untilCounted(outcome: string, work: () => Promise<unknown>): Promise<void> {
  const before = (await readOutcomes())[outcome] ?? 0;
  const isCounted = async () => {
    await work();
    return ((await readOutcomes())[outcome] ?? 0) > before;
  };
  await until(isCounted, `a read is ${outcome}`);
}

async function startPrimary(settings: Readonly<Record<string, string>>): Promise<Primary> {
  const dataDir = await makeUsedDataDir();
  const { url, pid } = await startOwner({ dataDir, settings: { ...SETTINGS, ...settings } });
  const password = new URL(url).password;
  await query(url, `create role ${ORDINARY} login in role windward password '${password}'`);
  return { ...serverAt(url), pid };
}

/** A migrated database, the standby that follows it, and what a service on both is started with. */
export async function startPair(
  settings: Readonly<Record<string, string>> = {},
  ofPrimary: Readonly<Record<string, string>> = {},
) {
  const primary = await startPrimary(ofPrimary);
  await migrate({ url: primary.ownerUrl, log: createLog({ level: "silent" }) });
  const standby = await startStandby(primary, settings);
  await standby.catchUp();
  return { primary, standby, options: serviceOn(primary, standby.url) };
}

/** For `startService`. */
export function serviceOn({ url }: Server, standbyUrl: string) {
  const database = { url, drop: async () => {} };
  return { database, settings: { DATABASE_URL: url, STANDBY_DATABASE_URL: standbyUrl } };
}

/** Follows that one, from the beginning on. */
export async function startStandby(
  from: Server,
  settings: Readonly<Record<string, string>> = {},
): Promise<Standby> {
  const dataDir = await makeUsedDataDir();
  const cluster = await prepareCluster(dataDir);
  const signal = path.join(cluster.folder, "standby.signal");
  const { uid, gid } = await stat(cluster.folder);
  await writeFile(signal, "");
  await chown(signal, uid, gid);
  const port = await findFreePort();
  const { username, password, hostname, port: portFrom } = new URL(from.ownerUrl);
  const given = {
    ...SETTINGS,
    primary_conninfo: `host=${hostname} port=${portFrom} user=${username} password=${password}`,
    wal_retrieve_retry_interval: "100ms",
    ...settings,
  };
  const server = serverAt(urlOf(cluster.password, port));
  const running = runServer(cluster, port, given);
  const standby = {
    ...server,
    ...running,
    async start() {
      await running.start();
      const answers = () =>
        server.query("select 1").then(
          () => true,
          () => false,
        );
      await until(answers, "the standby answers");
    },
    async catchUp() {
      const [flushed] = await from.query("select pg_current_wal_flush_lsn() as lsn");
      const look = `select pg_last_wal_replay_lsn() >= '${flushed?.lsn}' as is_so`;
      await until(async () => (await server.query(look))[0]?.is_so === true, "it has caught up");
    },
    async pauseReplay() {
      await server.query("select pg_wal_replay_pause()");
      const look = "select pg_get_wal_replay_pause_state() = 'paused' as is_so";
      await until(async () => (await server.query(look))[0]?.is_so === true, "it is paused");
    },
    async resumeReplay() {
      await server.query("select pg_wal_replay_resume()");
    },
    async promote() {
      await server.query("select pg_promote()");
      const look = "select pg_is_in_recovery() as is_so";
      await until(async () => (await server.query(look))[0]?.is_so === false, "it leads");
    },
    logged: () => readFile(cluster.logFile, "utf8"),
  };
  await standby.start();
  return standby;
}

function serverAt(ownerUrl: string): Server {
  const url = new URL(ownerUrl);
  url.username = ORDINARY;
  return { ownerUrl, url: url.href, query: (text) => query(ownerUrl, text) };
}

function runServer(cluster: Cluster, port: number, settings: Readonly<Record<string, string>>) {
  let server: ServerProcess | undefined;
  return {
    async start() {
      server = await spawnServer({ cluster, port, settings });
    },
    async kill() {
      const isEmpty = async () => {
        await killAllIn(cluster.folder);
        return (await processesIn(cluster.folder)).length === 0;
      };
      await until(isEmpty, `no process works in ${cluster.folder}`);
      await server?.ended;
    },
    async stop() {
      await server?.stop();
    },
  };
}

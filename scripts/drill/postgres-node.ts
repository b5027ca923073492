/**
 * One PostgreSQL of the drill: made new, or as the copy of another; killed, promoted, rewound.
 * It is set as docs/operations.md tells an operator to set it, by the same file; what the drill has
 * of its own stands here.
 *
 * The server is our direct child, so that its end is told to us and a killed one is never a zombie
 * that keeps the next from starting.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chown, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  becomesReady,
  isRunning,
  killWhole,
  OWNER,
  runStatement,
  untilSynchronous,
} from "./postgres-process.ts";
import type { Programs } from "./postgres-programs.ts";

export const NODE_NAMES = ["node_a", "node_b"] as const;
export type NodeName = (typeof NODE_NAMES)[number];

const SERVICE = "windward";
const SETTINGS = new URL("../../docs/operations/postgresql.conf", import.meta.url);
/** Two servers in one temporary folder, for two minutes: of two lines the later one counts. */
const OWN_SETTINGS = `
unix_socket_directories = ''
archive_mode = off
shared_buffers = 128MB
max_slot_wal_keep_size = 1GB
wal_retrieve_retry_interval = 200ms
`;

export interface PostgresNode {
  readonly name: NodeName;
  readonly port: number;
  start(): Promise<void>;
  /** kill -9 of the server and every process of it. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  promote(): Promise<void>;
  /** One statement of the database's owner, on a connection of its own. */
  query(text: string): Promise<Record<string, unknown>[]>;
  /** Which standby must have a commit before it is answered; none when empty. */
  waitFor(standby: NodeName | ""): Promise<void>;
}

interface Place {
  readonly name: NodeName;
  readonly port: number;
  readonly folder: string;
  readonly programs: Programs;
}

export async function makePrimary(place: Place): Promise<PostgresNode> {
  const { folder, programs } = place;
  await makeFolder(place);
  const flags = ["--auth=trust", `--username=${OWNER}`, "--encoding=UTF8", "--locale=C"];
  // Without checksums (or wal_log_hints) a former primary could not be rewound.
  await programs.run("initdb", ["-D", folder, ...flags, "--data-checksums", "--no-sync"], folder);
  const auth = `host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n`;
  await writeFile(path.join(folder, "pg_hba.conf"), auth);
  const settings = await readFile(SETTINGS, "utf8");
  await appendFile(path.join(folder, "postgresql.conf"), `\n${settings}${OWN_SETTINGS}`);
  const node = nodeAt(place);
  await node.start();
  await node.query(`create role ${SERVICE} login`);
  await node.query(`create database ${SERVICE} owner ${SERVICE}`);
  return node;
}

/** A copy of the primary that follows it, by a slot of its own. */
export async function copyPrimary(place: Place, primary: PostgresNode): Promise<PostgresNode> {
  await rm(place.folder, { recursive: true, force: true });
  await makeFolder(place);
  await makeSlot(primary, place.name);
  const from = ["-d", `postgres://${OWNER}@127.0.0.1:${primary.port}`, "-c", "fast"];
  await place.programs.run("pg_basebackup", ["-D", place.folder, ...from], place.folder);
  await follow(place, primary);
  return nodeAt(place);
}

/** A former primary has commits that nobody was told of; they are undone, and it follows. */
export async function rewind(place: Place, primary: PostgresNode): Promise<PostgresNode> {
  await makeSlot(primary, place.name);
  // The point of divergence is told by a checkpoint of the new timeline.
  await primary.query("checkpoint");
  const source = `host=127.0.0.1 port=${primary.port} user=${OWNER} dbname=postgres`;
  const args = ["-D", place.folder, `--source-server=${source}`];
  await place.programs.run("pg_rewind", args, place.folder);
  await follow(place, primary);
  return nodeAt(place);
}

async function makeSlot(primary: PostgresNode, name: NodeName): Promise<void> {
  await primary.query(`select pg_create_physical_replication_slot('${name}', true)
    where not exists (select from pg_replication_slots where slot_name = '${name}')`);
}

async function follow({ folder, name, programs }: Place, primary: PostgresNode): Promise<void> {
  const conninfo = `host=127.0.0.1 port=${primary.port} user=${OWNER} application_name=${name}`;
  // Promoted, it would wait for a standby that is not there yet: the caller decides.
  const settings = [
    `primary_conninfo = '${conninfo}'`,
    `primary_slot_name = '${name}'`,
    "synchronous_standby_names = ''",
  ];
  await writeFile(path.join(folder, "postgresql.auto.conf"), `${settings.join("\n")}\n`);
  await writeFile(path.join(folder, "standby.signal"), "");
  const { user } = programs;
  if (user === undefined) return;
  for (const file of ["standby.signal", "postgresql.auto.conf"])
    await chown(path.join(folder, file), user.uid, user.gid);
}

async function makeFolder({ folder, programs: { user } }: Place): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (user !== undefined) await chown(folder, user.uid, user.gid);
}

function nodeAt(place: Place): PostgresNode {
  const { name, port, folder, programs } = place;
  let child: ChildProcess | undefined;
  const query = (text: string) => runStatement(port, text);
  return {
    name,
    port,
    query,
    async start() {
      const log = await open(`${folder}.log`, "a");
      const args = ["-D", folder, "-p", String(port)];
      const stdio = ["ignore", log.fd, log.fd] as const;
      child = spawn(programs.pathOf("postgres"), args, {
        cwd: folder,
        env: { LC_ALL: "C" },
        stdio: [...stdio],
        ...programs.user,
      });
      await log.close();
      // The last resort of a drill that ends without its clean-up.
      process.once("exit", () => child?.kill("SIGINT"));
      await becomesReady(query, () => child?.exitCode ?? null, `${folder}.log`);
    },
    async kill() {
      if (child !== undefined && isRunning(child)) await killWhole(child);
    },
    async stop() {
      if (child === undefined || !isRunning(child)) return;
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
    },
    async promote() {
      await programs.run("pg_ctl", ["-D", folder, "-w", "promote"], folder);
    },
    async waitFor(standby) {
      const names = standby === "" ? "" : `FIRST 1 (${standby})`;
      await query(`alter system set synchronous_standby_names = '${names}'`);
      await query("select pg_reload_conf()");
      if (standby !== "") await untilSynchronous(query, standby);
    },
  };
}

/** How the service finds its database at this port. */
export function serviceUrl(port: number): string {
  return `postgres://${SERVICE}@127.0.0.1:${port}/${SERVICE}`;
}

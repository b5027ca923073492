/**
 * The cluster on disk: `<dataDir>/postgres`, its log `postgres.log` and its password
 * `postgres.password` (0600).
 *
 * A cluster is either whole or absent: initdb works in a temporary sibling that is renamed when it
 * is done, so a start that was killed half-way leaves nothing that looks like a database.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as files from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Binaries, findBinaries } from "./binaries.ts";
import { CannotStartDatabase, endedAtStart, lastLines } from "./cannot-start-database.ts";
import { findServer } from "./running-server.ts";
import { chooseRuntimeUser, type RuntimeUser, spawnOptions } from "./runtime-user.ts";

const DATABASE_USER = "windward";
export const DATABASE = "windward";

export interface Cluster {
  readonly dataDir: string;
  readonly folder: string;
  readonly logFile: string;
  readonly password: string;
  readonly user: RuntimeUser | undefined;
  readonly binaries: Binaries;
}

export function urlOf(password: string, port: number, database = DATABASE): string {
  return `postgres://${DATABASE_USER}:${password}@127.0.0.1:${port}/${database}`;
}

/** The address of the embedded PostgreSQL that a running Windward has started in this folder. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const server = await findServer(join(dataDir, "postgres"));
  if (!server?.isReady) return undefined;
  return urlOf(await readPassword(dataDir), server.port);
}

/** Finds the cluster of this folder, or makes it. Only its owner may call this. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const folder = join(dataDir, "postgres");
  const version = await versionOf(folder);
  const hasCluster = version !== undefined;
  const user = chooseRuntimeUser({
    ownUid: process.getuid?.(),
    clusterOwner: hasCluster ? await files.stat(folder) : undefined,
    dataDirOwner: await files.stat(dataDir),
    passwd: await files.readFile("/etc/passwd", "utf8").catch(() => ""),
  });
  const binaries = await findBinaries(user);
  if (hasCluster && version !== binaries.majorVersion) {
    throw new CannotStartDatabase(
      `The database in ${folder} was made by PostgreSQL ${version}, ` +
        `and this Windward brings PostgreSQL ${binaries.majorVersion}. ` +
        "Move its content with pg_dump and pg_restore, or set DATA_DIR to another folder.",
    );
  }
  const password = hasCluster ? await readPassword(dataDir) : await makePassword(dataDir);
  const logFile = join(dataDir, "postgres.log");
  const cluster = { dataDir, folder, logFile, password, user, binaries };
  if (hasCluster) await restoreOwnership(cluster);
  else await makeCluster(cluster);
  return cluster;
}

/** The major version that made the cluster, or undefined where there is none yet. */
async function versionOf(folder: string): Promise<string | undefined> {
  const ifMissing = (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  };
  const version = await files.readFile(join(folder, "PG_VERSION"), "utf8").catch(ifMissing);
  if (version !== undefined) return version.trim();
  const content = (await files.readdir(folder).catch(ifMissing)) ?? [];
  if (content.length === 0) return undefined;
  throw new CannotStartDatabase(
    `The folder ${folder} holds something that is no PostgreSQL database. ` +
      "Move it away, or set DATA_DIR to another folder.",
  );
}

async function readPassword(dataDir: string): Promise<string> {
  const path = join(dataDir, "postgres.password");
  try {
    return (await files.readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new CannotStartDatabase(
      `The file ${path} is missing, and the database beside it opens only with its content. ` +
        "Put the file back, or move the folder postgres away to begin with an empty database.",
    );
  }
}

/** On disk before initdb gets it, because the cluster cannot be opened without it. */
async function makePassword(dataDir: string): Promise<string> {
  const password = randomBytes(24).toString("base64url");
  const path = join(dataDir, "postgres.password");
  await files.writeFile(path, password, { mode: 0o600, flush: true });
  return password;
}

async function makeCluster(cluster: Cluster): Promise<void> {
  const { dataDir, folder, user } = cluster;
  for (const name of await files.readdir(dataDir)) {
    if (!name.startsWith("postgres.new-")) continue;
    // An initdb whose Windward was killed may still write there; then the next start removes it.
    await remove(join(dataDir, name)).catch(() => undefined);
  }
  const temporary = await files.mkdtemp(`${folder}.new-`);
  try {
    const unfinished = join(temporary, "cluster");
    await files.mkdir(unfinished, { mode: 0o700 });
    for (const made of [temporary, unfinished])
      if (user) await files.chown(made, user.uid, user.gid);
    await runInitdb(cluster, unfinished);
    await files.rename(unfinished, folder);
  } finally {
    await remove(temporary);
  }
  // PostgreSQL syncs what is inside the cluster; its name is for us to sync.
  for (const parent of [dataDir, dirname(dataDir)]) {
    const handle = await files.open(parent, "r").catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
  }
}

function remove(folder: string): Promise<void> {
  return files.rm(folder, { recursive: true, force: true, maxRetries: 2 });
}

async function runInitdb(cluster: Cluster, unfinished: string): Promise<void> {
  const { dataDir, password, user, binaries } = cluster;
  const { pgdata, options } = spawnOptions({ folder: unfinished, user });
  // Beside the cluster, where the server's user may read it whatever the folders above allow.
  const passwordFile = join(dirname(unfinished), "password");
  await files.writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) await files.chown(passwordFile, user.uid, user.gid);
  const flags = [
    `--pgdata=${pgdata}`,
    `--pwfile=${pgdata}/../password`,
    `--username=${DATABASE_USER}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // The same order of text on every machine, whatever locales its operating system has.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
  ];
  try {
    await promisify(execFile)(binaries.initdb, flags, options);
  } catch (error) {
    const { code, signal, stderr, message } = error as Error & Record<string, unknown>;
    const lastWords = lastLines(String(stderr || message));
    throw endedAtStart({ program: "initdb", how: String(signal ?? code), lastWords, dataDir });
  }
}

/** A restored cluster may have lost its owner and mode, and PostgreSQL insists on both. */
async function restoreOwnership({ folder, user }: Cluster): Promise<void> {
  const facts = await files.stat(folder);
  if (user && facts.uid !== user.uid) {
    for (const name of await files.readdir(folder, { recursive: true }))
      await files.lchown(join(folder, name), user.uid, user.gid);
    await files.chown(folder, user.uid, user.gid);
  }
  if ((facts.mode & 0o077) !== 0) await files.chmod(folder, 0o700);
}

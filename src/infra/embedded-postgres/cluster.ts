/**
 * The cluster on disk: `<dataDir>/postgres`, its log `postgres.log` and its password
 * `postgres.password` (0600).
 *
 * The rule that matters: a cluster is either whole or absent. initdb works in a temporary sibling
 * that is renamed when it is done, so a start that was killed half-way leaves nothing the next one
 * could mistake for a database.
 */
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import {
  access,
  chmod,
  chown,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  stat,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { CannotStartDatabase, endedAtStart } from "./cannot-start-database.ts";
import { type Binaries, findBinaries } from "./find-binaries.ts";
import { readOrMakePassword } from "./password.ts";
import { chooseRuntimeUser, type RuntimeUser, spawnPlace } from "./runtime-user.ts";
import { appearAtOnce } from "./temporary-sibling.ts";

export const DATABASE_USER = "windward";
export const DATABASE = "windward";

export interface Cluster {
  readonly dataDir: string;
  readonly folder: string;
  readonly logFile: string;
  readonly password: string;
  readonly user: RuntimeUser | undefined;
  readonly binaries: Binaries;
}

export function urlOf(at: { password: string; port: number }): string {
  return `postgres://${DATABASE_USER}:${at.password}@127.0.0.1:${at.port}/${DATABASE}`;
}

/** Finds the cluster of this folder, or makes it. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const folder = join(dataDir, "postgres");
  await mkdir(dataDir, { recursive: true });
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const version = await versionOf(folder);
  const user = chooseRuntimeUser({
    ownUid: process.getuid?.(),
    clusterOwner: version === undefined ? undefined : await stat(folder),
    dataDirOwner: await stat(dataDir),
    passwd: await readFile("/etc/passwd", "utf8").catch(() => ""),
  });
  const binaries = await findBinaries(user);
  refuseOtherVersion({ folder, version, expected: binaries.majorVersion });
  const hasCluster = version !== undefined;
  const password = await readOrMakePassword({ dataDir, hasCluster });
  const logFile = join(dataDir, "postgres.log");
  const cluster = { dataDir, folder, logFile, password, user, binaries };
  if (hasCluster) await mendOwnership(cluster);
  else await makeCluster(cluster);
  return cluster;
}

/** The major version that made the cluster, or undefined where there is none yet. */
async function versionOf(folder: string): Promise<string | undefined> {
  const ifMissing = (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  };
  const version = await readFile(join(folder, "PG_VERSION"), "utf8").catch(ifMissing);
  if (version !== undefined) return version.trim();
  const content = await readdir(folder).catch(ifMissing);
  if (content === undefined || content.length === 0) return undefined;
  throw new CannotStartDatabase(
    `The folder ${folder} holds something that is no PostgreSQL database. ` +
      "Move it away, or set DATA_DIR to another folder.",
  );
}

function refuseOtherVersion(about: {
  folder: string;
  version: string | undefined;
  expected: string;
}): void {
  const { folder, version, expected } = about;
  if (version === undefined || version === expected) return;
  throw new CannotStartDatabase(
    `The database in ${folder} was made by PostgreSQL ${version}, ` +
      `and this Windward brings PostgreSQL ${expected}. ` +
      "Move its content with pg_dump and pg_restore, or set DATA_DIR to another folder.",
  );
}

async function makeCluster(cluster: Cluster): Promise<void> {
  const { dataDir, folder, user } = cluster;
  await appearAtOnce({
    path: folder,
    async build(temporary) {
      const unfinished = join(temporary, "cluster");
      for (const made of [temporary, unfinished]) {
        await mkdir(made, { mode: 0o700 });
        if (user) await chown(made, user.uid, user.gid);
      }
      await runInitdb({ cluster, unfinished });
      return unfinished;
    },
  });
  // PostgreSQL makes durable what is inside the cluster; that the cluster has its name is for us to
  // make durable.
  for (const parent of [dataDir, dirname(dataDir)]) {
    const handle = await open(parent, "r").catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
  }
}

async function runInitdb(on: { cluster: Cluster; unfinished: string }): Promise<void> {
  const { dataDir, password, user, binaries } = on.cluster;
  const { pgdata, options } = spawnPlace({ folder: on.unfinished, user });
  // Beside the cluster, where the server's user may read it whatever the folders above allow.
  const passwordFile = await open(join(dirname(on.unfinished), "password"), "wx", 0o600);
  await passwordFile.writeFile(`${password}\n`);
  if (user) await passwordFile.chown(user.uid, user.gid);
  await passwordFile.close();
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
    const lastWords = String(stderr || message)
      .trim()
      .split("\n")
      .slice(-8)
      .join("\n");
    throw endedAtStart({ program: "initdb", how: String(signal ?? code), lastWords, dataDir });
  }
}

/**
 * A cluster put back from a copy may have lost its owner and mode, and PostgreSQL insists on both.
 */
async function mendOwnership({ folder, user }: Cluster): Promise<void> {
  const facts = await stat(folder);
  if (user && facts.uid !== user.uid) {
    for (const name of await readdir(folder, { recursive: true })) {
      await lchown(join(folder, name), user.uid, user.gid);
    }
    await chown(folder, user.uid, user.gid);
  }
  if ((facts.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/**
 * Debian's PostgreSQL that archives by the shipped settings to a repository of pgBackRest beside
 * it, and the shipped scripts: all paths of docs/operations.md lead into a folder.
 */

import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { chooseRuntimeUser } from "../../src/infra/embedded-postgres/runtime-user.ts";
import { unpackDebianPackage } from "../../testkit/debian-package.ts";
import { freePort } from "../../testkit/free-port.ts";
import { inFolder } from "../../testkit/guide/paths.ts";

const SHIPPED = new URL("../../docs/operations/", import.meta.url);
const PROGRAMS = "/usr/lib/postgresql/15/bin";
const DATA = "/var/lib/postgresql/15/windward";
const FOLDERS = ["/var/lib/pgbackrest", "/var/lib/prometheus/node-exporter", "/var/run/postgresql"];
const SCRIPTS = ["pgbackrest-push.sh", "restore.sh", "restore-test.sh"];
/** The repository is on this machine, and nothing is asked of others. */
const REMOTE = /^(pg\d-host|pg[23]-|tls-|backup-standby).*\n/gm;

export interface ArchivedPostgres {
  readonly url: string;
  /** A path of the guide, in the folder. */
  at(file: string): string;
  /** A program, by its name or by a path of the guide; gives what it wrote. */
  run(program: string, ...args: string[]): Promise<string>;
  /** Statements by psql as the superuser, to the server behind this socket. */
  query(text: string, socket?: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const root = mkdtempSync(path.join(tmpdir(), "windward-backups-"));
  chmodSync(root, 0o755);
  await unpackDebianPackage(
    {
      name: "pgbackrest",
      others: ["postgresql-15", "postgresql-client-15"],
      program: "usr/bin/pgbackrest",
    },
    { folder: root, launcher: "launch" },
  );
  const at = (file: string) => inFolder(root, file);
  for (const folder of [...FOLDERS, DATA].map(at)) mkdirSync(folder, { recursive: true });
  const port = await freePort();
  install(at, port);
  const run = runnerIn(root, at);
  await run(`${PROGRAMS}/initdb`, "-D", at(DATA), "-U", "postgres", "-A", "trust", "--no-sync");
  const own = [`port = ${port}`, `unix_socket_directories = '${at("/var/run/postgresql")}'`];
  const settings = [at(read("postgresql.conf")), "listen_addresses = '127.0.0.1'", ...own];
  writeFileSync(`${at(DATA)}/postgresql.conf`, `${settings.join("\n")}\n`);
  await run(`${PROGRAMS}/pg_ctl`, "-D", at(DATA), "-w", "-l", `${at(DATA)}/log`, "start");
  const psql = async (text: string, ...to: string[]) =>
    (await run(`${PROGRAMS}/psql`, ...to, "-U", "postgres", "-qAtXc", text)).trim();
  const server = ["-h", "127.0.0.1", "-p", String(port)];
  await psql("create role windward login", ...server, "postgres");
  await psql("create database windward owner windward", ...server, "postgres");
  await run("pgbackrest", "--stanza=windward", "stanza-create");
  return {
    url: `postgres://windward@127.0.0.1:${port}/windward`,
    at,
    run,
    query: (text, socket) =>
      psql(text, ...(socket === undefined ? server : ["-h", socket]), "windward"),
    async stop() {
      await run(`${PROGRAMS}/pg_ctl`, "-D", at(DATA), "-m", "immediate", "stop");
      rmSync(root, { recursive: true });
    },
  };
}

const read = (name: string) => readFileSync(new URL(name, SHIPPED), "utf8");

function install(at: (file: string) => string, port: number): void {
  const config = read("pgbackrest-repository.conf").replace(REMOTE, "");
  const filled = config.replace("@backups_password@", "a test's");
  writeFileSync(at("/etc/pgbackrest.conf"), `${at(filled)}\npg1-port=${port}\n`);
  const folder = at("/usr/local/lib/windward");
  mkdirSync(folder, { recursive: true });
  for (const name of SCRIPTS)
    writeFileSync(path.join(folder, name), at(read(name)), { mode: 0o755 });
}

/** PostgreSQL refuses to run as root, and all of it belongs to one user. */
function runnerIn(root: string, at: (file: string) => string): ArchivedPostgres["run"] {
  const user = chooseRuntimeUser({
    ownUid: process.getuid?.(),
    clusterOwner: undefined,
    dataDirOwner: statSync("/"),
    passwd: readFileSync("/etc/passwd", "utf8"),
  });
  if (user !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, root]);
  const libraries = ["x86_64", "aarch64"].map((one) => `${root}/usr/lib/${one}-linux-gnu`);
  const env = {
    LC_ALL: "C",
    PATH: `${root}/usr/bin:/usr/bin:/bin`,
    LD_LIBRARY_PATH: libraries.join(":"),
    PGBACKREST_CONFIG: at("/etc/pgbackrest.conf"),
  };
  return async (program, ...args) => {
    const options = { cwd: root, env, ...user };
    const { stdout } = await promisify(execFile)(at(program), args, options);
    return stdout;
  };
}

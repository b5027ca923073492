/**
 * The machine for backups: pgBackRest's repository and the shipped units that make backups and test
 * them, run as their files say. No systemd runs, so their timers are only read (test/docs).
 */

import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { variablesOf } from "../../../testkit/guide/unit-variables.ts";
import { run } from "./command.ts";
import { onMachine, runGuide } from "./guide.ts";
import { type Command, Machine } from "./machine.ts";
import { addressOf, BACKUP, NODES } from "./network.ts";
import { backupServer, type Ground } from "./node.ts";
import { INSTALLED_BIN, type Packages } from "./packages.ts";

const UNITS = fileURLToPath(new URL("../../../docs/operations", import.meta.url));
const OWNED = ["/var/lib/postgresql/15", "/var/lib/pgbackrest"];
const FOLDERS = ["/var/lib/prometheus", ...OWNED];
const CONFIG = "/etc/pgbackrest.conf";
/** Those that the guide installs, with paths of the guide in them. */
const SCRIPTS = ["restore.sh", "restore-test.sh"].map((name) => `/usr/local/lib/windward/${name}`);

export interface BackupMachine {
  readonly machine: Machine;
  guide(block: string, more?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs the unit as its timer would; gives what it wrote. */
  start(unit: string): Promise<string>;
  /** A path of the guide, as it is on this machine. */
  at(file: string): string;
  /** Asks a database that the guide has restored into this folder. */
  query(folder: string, text: string): Promise<string>;
}

export async function makeBackupMachine(
  packages: Packages,
  folder: string,
): Promise<BackupMachine> {
  const machine = new Machine(BACKUP, path.join(folder, BACKUP));
  const at = (file: string) => onMachine(machine, file);
  for (const made of [...FOLDERS.map(at), path.dirname(at(INSTALLED_BIN))])
    await mkdir(made, { recursive: true });
  for (const owned of OWNED) await run("chown", ["postgres:postgres", at(owned)]);
  await symlink(INSTALLED_BIN, at(INSTALLED_BIN));
  const env = {
    ...packages.env,
    HOME: machine.folder,
    ADDRESS: addressOf(BACKUP),
    PGBACKREST_CONFIG: at(CONFIG),
  };
  defineUnits(machine, { packages, env });
  const guide: BackupMachine["guide"] = (block, more = {}) =>
    runGuide(block, { machine, env: { ...env, ...more } });
  await guide("backup-machine");
  for (const file of SCRIPTS.map(at)) await writeFile(file, at(await readFile(file, "utf8")));
  const nodes = NODES.map((name) => new Machine(name, path.join(folder, name)));
  const config = (await readFile(at(CONFIG), "utf8")).split("\n");
  await writeFile(
    at(CONFIG),
    config.map((line) => onMachine(whose(line, nodes) ?? machine, line)).join("\n"),
  );
  return {
    machine,
    guide,
    at,
    async start(unit) {
      const before = await machine.logOf(unit).catch(() => "");
      await machine.start(unit);
      return (await machine.logOf(unit)).slice(before.length);
    },
    async query(restored, text) {
      const [first = "", ...rest] = machine.entry("postgres");
      const asked = ["-h", `${at(restored)}/socket`, "-qAtX", "-c", text, "windward"];
      return run(first, [...rest, `${INSTALLED_BIN}/psql`, ...asked], { env });
    },
  };
}

/** `pg2-path` is a path on the second node. */
function whose(line: string, nodes: readonly Machine[]): Machine | undefined {
  const [, number] = /^pg(\d)-(?:socket-)?path=/.exec(line) ?? [];
  return number === undefined ? undefined : nodes[Number(number) - 1];
}

function defineUnits(machine: Machine, ground: Ground): void {
  machine.define("pgbackrest", async () => backupServer(ground));
  for (const type of ["full", "diff"])
    machine.defineOneshot(`windward-backup@${type}`, () =>
      commandOf("windward-backup.service", { machine, ground, instance: type }),
    );
  machine.defineOneshot("windward-restore-test", () =>
    commandOf("windward-restore-test.service", { machine, ground }),
  );
}

interface Unit {
  readonly machine: Machine;
  readonly ground: Ground;
  readonly instance?: string;
}

/** What the shipped unit starts, and as whom. */
async function commandOf(
  file: string,
  { machine, ground: { packages, env }, instance = "" }: Unit,
): Promise<Command> {
  const unit = variablesOf(await readFile(path.join(UNITS, file), "utf8"));
  const [program = "", ...args] = (unit.ExecStart ?? "").replaceAll("%i", instance).split(" ");
  if (unit.User !== "postgres") throw new Error(`${file} is to run as postgres`);
  const isPackage = program === "/usr/bin/pgbackrest";
  const found = isPackage ? packages.pathOf("pgbackrest") : onMachine(machine, program);
  return { program: found, args, env, user: unit.User };
}

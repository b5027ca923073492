/**
 * A node of the cluster: its disk, etcd and Patroni, set by the guide's commands. What the drill
 * has of its own stands here: three nodes on one machine, for some minutes.
 */

import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { variablesOf } from "../../../testkit/guide/unit-variables.ts";
import { run } from "./command.ts";
import { type DiskKind, mountDisk } from "./disk.ts";
import { onMachine, runGuide } from "./guide.ts";
import { type Command, Machine } from "./machine.ts";
import { addressOf, NODES, type NodeName } from "./network.ts";
import { INSTALLED_BIN, type Packages } from "./packages.ts";

/** Of two lines the later one counts. */
const OWN_SETTINGS = `
shared_buffers = 96MB
max_wal_size = 192MB
wal_keep_size = 64MB
max_slot_wal_keep_size = 256MB
log_line_prefix = '%m [%p] '
`;
const CONFIG = "/etc/patroni/config.yml";
const SCRIPTS = ["pgbackrest-push.sh", "archive-again.sh", "restore.sh"];
const DISK = "var/lib";

export interface Node {
  readonly name: NodeName;
  readonly machine: Machine;
  readonly disk: { readonly place: string; readonly kind: DiskKind };
  /** A path of the guide, as it is on this machine. */
  at(file: string): string;
  /** Runs a block of the guide here, about this node or another one. */
  guide(block: string, about?: NodeName, more?: Readonly<Record<string, string>>): Promise<string>;
  /** Statements as the database's superuser, by psql on the Unix socket; gives their lines. */
  query(text: string, database?: string): Promise<string>;
}

export async function makeNode(
  name: NodeName,
  { packages, folder }: { packages: Packages; folder: string },
): Promise<Node> {
  const machine = new Machine(name, path.join(folder, name));
  const at = (file: string) => onMachine(machine, file);
  const place = path.join(machine.folder, DISK);
  const kind = await mountDisk(place);
  for (const made of ["/etc/default", "/var/run/postgresql", "/var/lib/etcd"])
    await mkdir(at(made), { recursive: true });
  await mkdir(at("/var/lib/postgresql"), { recursive: true });
  await mkdir(path.dirname(at(INSTALLED_BIN)), { recursive: true });
  await symlink(INSTALLED_BIN, at(INSTALLED_BIN));
  for (const owned of ["/var/run/postgresql", "/var/lib/etcd", "/var/lib/postgresql"])
    await run("chown", ["postgres:postgres", at(owned)]);
  const env = {
    ...packages.env,
    HOME: machine.folder,
    PGHOST: at("/var/run/postgresql"),
    OWN_BIN: at(INSTALLED_BIN),
    NEXT_BIN: packages.nextBin,
    ETCDCTL_ENDPOINTS: NODES.map((one) => `http://${addressOf(one)}:2379`).join(","),
    PGBACKREST_CONFIG: at("/etc/pgbackrest.conf"),
    // All nodes of the drill have one /tmp.
    PGBACKREST_LOCK_PATH: at("/var/lib/postgresql/locks"),
  };
  defineUnits(machine, { packages, env });
  return {
    name,
    machine,
    disk: { place, kind },
    at,
    guide: (block, about = name, more = {}) =>
      runGuide(block, {
        machine,
        env: { ...env, NODE: about, ADDRESS: addressOf(about), ...more },
      }),
    async query(text, database = "postgres") {
      const [first = "", ...rest] = machine.entry("postgres");
      const asked = ["-qAtX", "-v", "ON_ERROR_STOP=1", "-c", text, database];
      const psql = [`${INSTALLED_BIN}/psql`, ...asked];
      const limits = { PGCONNECT_TIMEOUT: "5", PGOPTIONS: "-c statement_timeout=20s" };
      return run(first, [...rest, ...psql], { env: { ...env, ...limits }, cwd: machine.folder });
    },
  };
}

export interface Ground {
  readonly packages: Packages;
  readonly env: Readonly<Record<string, string>>;
}

function defineUnits(machine: Machine, { packages, env }: Ground): void {
  machine.define("etcd", async () => {
    const settings = await readFile(onMachine(machine, "/etc/default/etcd"), "utf8");
    return {
      program: packages.pathOf("etcd"),
      args: [],
      env: { ...env, ...variablesOf(settings) },
      user: "postgres",
    };
  });
  machine.define("patroni", async () => ({
    program: "/usr/bin/python3",
    args: [packages.pathOf("patroni"), onMachine(machine, CONFIG)],
    env,
    user: "postgres",
  }));
  machine.define("pgbackrest", async () => backupServer({ packages, env }));
}

/** As Debian's unit has it, on the nodes and on the machine for backups. */
export function backupServer({ packages, env }: Ground): Command {
  return { program: packages.pathOf("pgbackrest"), args: ["server"], env, user: "postgres" };
}

/** The guide's settings, and then what differs here. */
export async function setUp({ machine, guide }: Node): Promise<void> {
  await guide("settings");
  const edit = async (file: string, change: (text: string) => string) => {
    const place = onMachine(machine, file);
    await writeFile(place, change(onMachine(machine, await readFile(place, "utf8"))));
  };
  await edit(CONFIG, withoutWatchdog);
  await edit("/etc/default/etcd", (text) => text);
  await edit("/etc/pgbackrest.conf", (text) => text);
  for (const script of SCRIPTS) await edit(`/usr/local/lib/windward/${script}`, (text) => text);
  await edit("/etc/patroni/postgresql.conf", (text) => text + OWN_SETTINGS);
}

/** One would reset the machine that the drill runs on. */
export function withoutWatchdog(config: string): string {
  const shipped = "mode: automatic";
  if (!config.includes(shipped)) throw new Error(`patroni.yml does not say ${shipped} any more`);
  return config.replace(shipped, 'mode: "off"');
}

/** As a new machine of the same name and address is: nothing runs, and the disk is empty. */
export async function replaceMachine(node: Node): Promise<void> {
  const { machine } = node;
  await machine.losePower();
  for (const folder of ["/var/lib/postgresql/15", "/var/lib/etcd/windward"])
    await rm(onMachine(machine, folder), { recursive: true, force: true });
  await machine.becomeNew();
  await setUp(node);
}

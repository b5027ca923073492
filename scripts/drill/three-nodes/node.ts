/**
 * A node of the cluster: its disk, etcd and Patroni, set by the guide's commands. What the drill
 * has of its own stands here: three nodes on one machine, for some minutes.
 */

import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "./command.ts";
import { type DiskKind, mountDisk } from "./disk.ts";
import { onMachine, runGuide } from "./guide.ts";
import { Machine } from "./machine.ts";
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
const DISK = "var/lib";

export interface Node {
  readonly name: NodeName;
  readonly machine: Machine;
  readonly disk: { readonly place: string; readonly kind: DiskKind };
  /** Runs a block of the guide here, about this node or another one. */
  guide(block: string, about?: NodeName): Promise<string>;
  /** One statement as the database's superuser, by psql on the Unix socket; gives its lines. */
  query(text: string): Promise<string>;
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
  };
  defineUnits(machine, { packages, env });
  return {
    name,
    machine,
    disk: { place, kind },
    guide: (block, about = name) =>
      runGuide(block, { machine, env: { ...env, NODE: about, ADDRESS: addressOf(about) } }),
    async query(text) {
      const [first = "", ...rest] = machine.entry("postgres");
      const psql = [`${INSTALLED_BIN}/psql`, "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", text];
      const limits = { PGCONNECT_TIMEOUT: "5", PGOPTIONS: "-c statement_timeout=20s" };
      return run(first, [...rest, ...psql], { env: { ...env, ...limits }, cwd: machine.folder });
    },
  };
}

interface Ground {
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
}

/** The lines `NAME=value` of an environment file. */
export function variablesOf(file: string): Record<string, string> {
  return Object.fromEntries(
    [...file.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
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

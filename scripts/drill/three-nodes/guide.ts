/**
 * The commands of docs/operations.md, which the drill runs: each block that it takes has a name in
 * a comment before it. Paths lead into the machine's folder, addresses into the drill's network;
 * all else is run as it is printed (Decision 0124).
 */

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Machine } from "./machine.ts";
import { withOurAddresses } from "./network.ts";

export const PROJECT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const GUIDE = path.join(PROJECT, "docs/operations.md");
const BLOCK = /<!-- drill: ([\w-]+) -->\n+```sh\n([\s\S]*?)```/g;
const COMMAND_MS_MAX = 120_000;
/** Folders of the guide that each machine of the drill has for itself. */
const OWN_FOLDERS = [
  "/etc/patroni",
  "/etc/default",
  "/etc/systemd",
  "/etc/haproxy",
  "/run/haproxy",
  "/var/lib/postgresql",
  "/var/lib/etcd",
  "/var/run/postgresql",
  "/var/lib/pgbackrest",
  "/var/lib/prometheus",
  "/usr/local/lib/windward",
  "/etc/pgbackrest",
  "/etc/windward-backup",
  "/usr/lib/postgresql/15/bin",
];
/** What an operator carries from one machine to the others. */
const COMMON_FOLDERS = ["/etc/windward-ca"];

/** What the drill has in place of the machine's own tools: the unit is the drill's to start. */
const STAND_INS = `set -eu
systemctl() {
  echo "$*" >&3
  read -r answer <&4
  [ "$answer" = done ] || { echo "$answer" >&2; return 1; }
}
apt-get() { ln -sfn "$NEXT_BIN" "$OWN_BIN"; }
runuser() { shift 3; setpriv --reuid=postgres --regid=postgres --init-groups "$@" 3>&- 4<&-; }
`;

export interface GuideOptions {
  readonly machine: Machine;
  readonly env: Readonly<Record<string, string>>;
}

/** By name, as they are printed. */
export function guideBlocks(): ReadonlyMap<string, string> {
  const page = readFileSync(GUIDE, "utf8");
  return new Map([...page.matchAll(BLOCK)].map(([, name = "", block = ""]) => [name, block]));
}

/** A path or a text with paths of the guide, as it is on this machine. */
export function onMachine(machine: Machine, words: string): string {
  let told = withOurAddresses(words).replaceAll("/opt/windward", PROJECT);
  for (const folder of OWN_FOLDERS) told = told.replaceAll(folder, machine.folder + folder);
  const common = path.dirname(machine.folder);
  for (const folder of COMMON_FOLDERS) told = told.replaceAll(folder, common + folder);
  return told;
}

/** Runs a block on a machine as root; gives what it printed. */
export async function runGuide(name: string, { machine, env }: GuideOptions): Promise<string> {
  const block = guideBlocks().get(name);
  if (block === undefined) throw new Error(`docs/operations.md has no block ${name} any more`);
  const [first = "", ...rest] = [...machine.entry("root"), "bash", "-c"];
  const child = spawn(first, [...rest, STAND_INS + onMachine(machine, block)], {
    cwd: machine.folder,
    env: { ...env, TERM: "dumb" },
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
    timeout: COMMAND_MS_MAX,
  });
  const [, , , orders, answers] = child.stdio as unknown as [null, null, null, Readable, Writable];
  answers.on("error", () => {});
  void obey(machine, orders, answers);
  const said = Promise.all([text(child.stdout as Readable), text(child.stderr as Readable)]);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  const [stdout, stderr] = await said;
  if (code !== 0) throw new Error(`the guide's ${name} failed on ${machine.name}:\n${stderr}`);
  return stdout;
}

/** `enable --now etcd patroni`, `restart etcd`, `stop patroni`, `daemon-reload`; timers wait. */
async function obey(machine: Machine, orders: Readable, answers: Writable): Promise<void> {
  let left = "";
  for await (const chunk of orders.setEncoding("utf8")) {
    const lines = (left + chunk).split("\n");
    left = lines.pop() ?? "";
    for (const line of lines) {
      const [verb = "", ...words] = line.split(" ");
      try {
        for (const unit of words.filter((word) => !/^-|\.timer$/.test(word))) {
          if (verb === "stop" || verb === "restart") await machine.stop(unit);
          if (verb !== "stop") await machine.start(unit);
        }
        answers.write("done\n");
      } catch (error) {
        answers.write(`${String(error).replaceAll("\n", " ")}\n`);
      }
    }
  }
}

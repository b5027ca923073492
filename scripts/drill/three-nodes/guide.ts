/**
 * The commands of docs/operations.md, which the drill runs: each block that it takes has a name in
 * a comment before it. Paths lead into the machine's folder, addresses into the drill's network;
 * all else is run as it is printed (Decision 0124).
 */

import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { guideBlocks } from "../../../testkit/guide/blocks.ts";
import { inFolder } from "../../../testkit/guide/paths.ts";
import type { Machine } from "./machine.ts";
import { withOurAddresses } from "./network.ts";

const COMMAND_MS_MAX = 120_000;

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

/** A path or a text with paths of the guide, as it is on this machine. */
export function onMachine(machine: Machine, words: string): string {
  return inFolder(machine.folder, withOurAddresses(words));
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

/**
 * The network of the three-node drill: a namespace with its own address for each machine, joined by
 * a bridge as by a switch. A second bridge is the other side of a partition: machines that are
 * moved there reach each other, and none of the others.
 *
 * Callers come from outside, over a network of their own, which no partition touches.
 */

import { execFile } from "node:child_process";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

export const NODES = ["node_a", "node_b", "node_c"] as const;
export const APPS = ["app_1", "app_2"] as const;
export type NodeName = (typeof NODES)[number];
export type AppName = (typeof APPS)[number];
/** The machine for backups. */
export const BACKUP = "backup";
export type MachineName = NodeName | AppName | typeof BACKUP;
const MACHINES: readonly MachineName[] = [...NODES, ...APPS, BACKUP];

/** What docs/operations.md calls its network, and what the drill has in its place. */
const GUIDE_NETWORK = "10.0.0.";
/** Of the range for trials between networks (RFC 2544): nobody's machine is there. */
const INSIDE = "198.18.73.";
const OUTSIDE = "198.18.74.";
const PREFIX = "wwd-";
const HOSTS: Readonly<Record<MachineName, number>> = {
  node_a: 11,
  node_b: 12,
  node_c: 13,
  app_1: 21,
  app_2: 22,
  backup: 31,
};
const POLL_MS = 20;
const BRIDGES = ["main", "cut", "public"] as const;

export const addressOf = (name: MachineName) => INSIDE + HOSTS[name];
/** Where callers find it. */
export const publicAddressOf = (name: AppName) => OUTSIDE + HOSTS[name];
export const namespaceOf = (name: MachineName) => PREFIX + name;

/** A text of the guide, with the drill's addresses. */
export function withOurAddresses(text: string): string {
  return text.replaceAll(GUIDE_NETWORK, INSIDE);
}

const ip = (...args: string[]) => promisify(execFile)("ip", args);

export async function makeNetwork(): Promise<void> {
  for (const bridge of BRIDGES) {
    await ip("link", "add", PREFIX + bridge, "type", "bridge");
    await ip("link", "set", PREFIX + bridge, "up");
  }
  await ip("addr", "add", `${INSIDE}1/24`, "dev", `${PREFIX}main`);
  await ip("addr", "add", `${OUTSIDE}1/24`, "dev", `${PREFIX}public`);
  for (const name of MACHINES) {
    await ip("netns", "add", namespaceOf(name));
    await ip("-n", namespaceOf(name), "link", "set", "lo", "up");
    await plug(name, { device: "eth0", bridge: "main", address: addressOf(name) });
  }
  for (const name of APPS)
    await plug(name, { device: "eth1", bridge: "public", address: publicAddressOf(name) });
}

interface Plug {
  readonly device: "eth0" | "eth1";
  readonly bridge: (typeof BRIDGES)[number];
  readonly address: string;
}

async function plug(name: MachineName, { device, bridge, address }: Plug): Promise<void> {
  const namespace = namespaceOf(name);
  const ours = cableOf(name, device);
  await ip("link", "add", ours, "type", "veth", "peer", "name", device, "netns", namespace);
  await ip("link", "set", ours, "master", PREFIX + bridge, "up");
  await ip("-n", namespace, "addr", "add", `${address}/24`, "dev", device);
  await ip("-n", namespace, "link", "set", device, "up");
}

/** Fifteen characters at most. */
function cableOf(name: MachineName, device: "eth0" | "eth1" = "eth0"): string {
  return `${PREFIX}${name}${device === "eth0" ? "" : "p"}`;
}

/** These machines reach each other, and none of the others. */
export async function cutOff(names: readonly MachineName[]): Promise<void> {
  for (const name of names) await ip("link", "set", cableOf(name), "master", `${PREFIX}cut`);
}

export async function joinAgain(names: readonly MachineName[]): Promise<void> {
  for (const name of names) await ip("link", "set", cableOf(name), "master", `${PREFIX}main`);
}

/** Pulled, so that nobody is told that the connections of a dead machine have ended. */
export async function pullCable(name: MachineName): Promise<void> {
  await ip("link", "set", cableOf(name), "down");
}

export async function plugInAgain(name: MachineName): Promise<void> {
  await ip("link", "set", cableOf(name), "up");
}

export async function pidsIn(name: MachineName): Promise<number[]> {
  const { stdout } = await ip("netns", "pids", namespaceOf(name));
  return stdout.split("\n").filter(Boolean).map(Number);
}

/** All of it, by name: also what a drill left behind that could not tidy up. */
export async function removeNetwork(): Promise<void> {
  for (const name of MACHINES) {
    await killAllIn(name).catch(() => {});
    await ip("netns", "del", namespaceOf(name)).catch(() => {});
  }
  const cables = MACHINES.flatMap((name) => [cableOf(name), cableOf(name, "eth1")]);
  for (const link of [...cables, ...BRIDGES.map((bridge) => PREFIX + bridge)])
    await ip("link", "del", link).catch(() => {});
}

export async function killAllIn(name: MachineName): Promise<void> {
  for (;;) {
    const pids = await pidsIn(name);
    if (pids.length === 0) return;
    signalAll(pids, "SIGKILL");
    await sleep(POLL_MS);
  }
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // It has gone by itself.
    }
}

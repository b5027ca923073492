/**
 * The network of compose.yaml: a namespace with its own address for each container, and one more
 * with a switch that joins them. Nothing of it is seen from the machine's own network; a test gets
 * in through Unix sockets.
 */

import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { until } from "../until.ts";

export interface Network {
  /** What `commandInRoot` calls it. */
  namespaceOf(container: string): string;
  /** A Unix socket that leads to this port, as a published port of an engine does. */
  publish(socket: string, to: { address: string; port: number }): Promise<void>;
  remove(): void;
}

interface Wish {
  /** The program `ip`. */
  readonly ip: string;
  /** As in 172.30.73.0/24. */
  readonly subnet: string;
  readonly addresses: ReadonlyMap<string, string>;
}

const BRIDGE = "bridge";
const FORWARD = `
  const [socket, host, port] = process.argv.slice(1);
  require("node:net").createServer((near) => {
    const far = require("node:net").connect(port, host);
    for (const end of [near, far]) end.on("error", () => { near.destroy(); far.destroy(); });
    near.pipe(far).pipe(near);
  }).listen(socket);`;

export function makeNetwork({ ip: program, subnet, addresses }: Wish): Network {
  const ip = (...args: string[]) => execFileSync(program, args, { stdio: "pipe" });
  const namespaceOf = (name: string) => `windward-${process.pid}-${name}`;
  const bridge = namespaceOf(BRIDGE);
  const names = [BRIDGE, ...addresses.keys()].map(namespaceOf);
  const doors = new Set<ReturnType<typeof spawn>>();
  const network: Network = {
    namespaceOf,
    async publish(socket, { address, port }) {
      const inBridge = [`--net=/run/netns/${bridge}`, process.execPath, "-e", FORWARD];
      const door = spawn("nsenter", [...inBridge, socket, address, String(port)]);
      doors.add(door);
      await until(() => existsSync(socket), `${address}:${port} is published`);
    },
    remove() {
      process.off("exit", network.remove);
      for (const door of doors) door.kill("SIGKILL");
      for (const name of names) if (existsSync(`/run/netns/${name}`)) ip("netns", "delete", name);
    },
  };
  // A test that fails in a hook never comes to its clean-up.
  process.once("exit", network.remove);
  for (const name of names) {
    ip("netns", "add", name);
    ip("-n", name, "link", "set", "lo", "up");
    // As engines do: a port below 1024 is for every user.
    const lowPorts = "echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start";
    execFileSync("nsenter", [`--net=/run/netns/${name}`, "sh", "-c", lowPorts]);
  }
  const [network24, prefix] = subnet.split("/");
  const gateway = network24?.replace(/0$/, "1");
  ip("-n", bridge, "link", "add", BRIDGE, "type", "bridge");
  ip("-n", bridge, "addr", "add", `${gateway}/${prefix}`, "dev", BRIDGE);
  ip("-n", bridge, "link", "set", BRIDGE, "up");
  for (const [name, address] of addresses) {
    const own = namespaceOf(name);
    const near = `to-${name}`;
    ip(...["-n", bridge, "link", "add", near, "type", "veth"], ...["peer", "eth0", "netns", own]);
    ip("-n", bridge, "link", "set", near, "master", BRIDGE, "up");
    ip("-n", own, "addr", "add", `${address}/${prefix}`, "dev", "eth0");
    ip("-n", own, "link", "set", "eth0", "up");
  }
  return network;
}

/** The supervisor's hand on the wires: opens them and hits them, in a process of their own. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { WireFault } from "./chaos-proxy.ts";
import type { Order } from "./proxy-process.ts";

const PROGRAM = fileURLToPath(new URL("proxy-process.ts", import.meta.url));

export interface Proxies {
  /** A wire to a port of this machine; gives the port to connect to instead. */
  open(name: string, port: number): Promise<number>;
  /** False: nobody is there any more to do it. */
  hit(name: string, fault: WireFault, options: { share: number; lastsMs: number }): boolean;
  close(): Promise<void>;
}

export function startProxies(seed: number): Proxies {
  const child: ChildProcess = fork(PROGRAM, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const tell = (order: Order) => child.connected && child.send(order);
  // One listener for all who wait: two messages may come in one go, and be told one after the other
  // before anybody who waits for the second could listen again.
  const opening = new Map<string, (port: number) => void>();
  child.on("message", (said: { opened: string; port: number }) =>
    opening.get(said.opened)?.(said.port),
  );
  return {
    open: (name, port) =>
      new Promise((resolve) => {
        opening.set(name, resolve);
        tell({ open: name, port, seed });
      }),
    hit: (name, fault, options) => tell({ hit: name, fault, ...options }),
    async close() {
      // Ctrl-C in a terminal reaches it, too.
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

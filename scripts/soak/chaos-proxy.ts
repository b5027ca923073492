/**
 * A wire that can be cut, reset, slowed down or left half open, in front of one TCP server. What is
 * half open swallows every byte and says nothing, until the fault is over; then it is reset, as a
 * machine that comes back resets what it does not remember.
 */

import { once } from "node:events";
import net from "node:net";
import { chanceOf } from "./random.ts";

export type WireFault = "cut" | "reset" | "delay" | "half-open";

export interface ChaosProxy {
  readonly port: number;
  /** Hits a share of the open connections; a delay also those that come while it lasts. */
  hit(fault: WireFault, options: { share: number; lastsMs: number }): void;
  close(): Promise<void>;
}

interface Wire {
  readonly client: net.Socket;
  readonly server: net.Socket;
  isDead: boolean;
}

const DELAY_MS = 120;

export async function startChaosProxy(to: { port: number; seed: number }): Promise<ChaosProxy> {
  const chance = chanceOf(to.seed, `wire ${to.port}`);
  const wires = new Set<Wire>();
  let slowUntil = 0;

  const listener = net.createServer({ noDelay: true }, (client) => {
    const server = net.connect({ host: "127.0.0.1", port: to.port, noDelay: true });
    const wire: Wire = { client, server, isDead: false };
    wires.add(wire);
    join(wire, client, server);
    join(wire, server, client);
  });

  function join(wire: Wire, from: net.Socket, into: net.Socket): void {
    from.on("error", () => {});
    from.on("close", () => {
      wires.delete(wire);
      if (!wire.isDead) into.destroy();
    });
    let waiting = 0;
    from.on("data", (bytes) => {
      if (wire.isDead) return;
      const write = () => void (wire.isDead || into.destroyed || into.write(bytes));
      if (waiting === 0 && performance.now() >= slowUntil) return write();
      // Nothing overtakes what waits: timers of one length fire in the order they were set.
      waiting += 1;
      setTimeout(() => {
        waiting -= 1;
        write();
      }, DELAY_MS);
    });
  }

  const chosen = (share: number) => [...wires].filter(() => chance.part() < share);
  const ends: Record<WireFault, (share: number, lastsMs: number) => void> = {
    cut: (share) => each(chosen(share), (socket) => socket.destroy()),
    reset: (share) => each(chosen(share), (socket) => socket.resetAndDestroy()),
    delay: (_, lastsMs) => {
      slowUntil = performance.now() + lastsMs;
    },
    "half-open": (share, lastsMs) => {
      const hit = chosen(share);
      for (const wire of hit) wire.isDead = true;
      setTimeout(() => each(hit, (socket) => socket.resetAndDestroy()), lastsMs);
    },
  };

  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as net.AddressInfo).port,
    hit: (fault, { share, lastsMs }) => ends[fault](share, lastsMs),
    async close() {
      listener.close();
      each([...wires], (socket) => socket.destroy());
      await once(listener, "close");
    },
  };
}

function each(wires: readonly Wire[], end: (socket: net.Socket) => void): void {
  for (const { client, server } of wires)
    for (const socket of [client, server]) if (!socket.destroyed) end(socket);
}

/**
 * A receiver that answers with whatever bytes a test gives it, and keeps count of what it was sent
 * and what it could get rid of.
 */

import net from "node:net";
import { readConfig } from "../../src/infra/config.ts";

export interface Rogue {
  readonly port: number;
  readonly url: string;
  /** Everything that was sent to it, over all connections. */
  readonly received: () => string;
  readonly connectionCount: () => number;
  readonly openCount: () => number;
  /** How much it has written on the connections that are closed. */
  readonly bytesWritten: () => number;
  readonly close: () => Promise<void>;
}

/** Calls back with each connection once the head of a request is there. */
export async function startRogue(answer: (socket: net.Socket) => void): Promise<Rogue> {
  const sockets = new Set<net.Socket>();
  let received = "";
  let connections = 0;
  let written = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      written += socket.bytesWritten;
      sockets.delete(socket);
    });
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (chunk.includes("\r\n\r\n")) answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received: () => received,
    connectionCount: () => connections,
    openCount: () => sockets.size,
    bytesWritten: () => written,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes without end, as fast as it is taken. */
export function pour(socket: net.Socket, chunk: Buffer): void {
  const more = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
}

/** What a request of these tests carries. */
export const PARCEL = {
  headers: { "content-type": "application/json", "webhook-id": "evt_1" },
  body: '{"a":"ü"}',
} as const;

/** As in development: loopback may be reached, so that there is something to misbehave. */
export const PRIVATE_ALLOWED = readConfig({});
export const PRIVATE_REFUSED = readConfig({ WEBHOOK_PRIVATE_TARGETS: "refuse" });

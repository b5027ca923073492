/**
 * How many connections one address may hold open. Without it a single machine that opens sockets
 * and says nothing takes every place there is. Listed proxies are exempt: all the world comes from
 * them.
 */

import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config.ts";
import { blockListOf, isIn, limitedAddress, plainAddress } from "./client-address.ts";

export function limitConnections(server: Server, config: Config["http"]): void {
  const trusted = blockListOf(config.trustedProxies);
  const open = new Map<string, number>();
  server.on("connection", (socket) => {
    const address = plainAddress(socket.remoteAddress ?? "");
    if (isIn(trusted, address)) return;
    const place = limitedAddress(address);
    const count = (open.get(place) ?? 0) + 1;
    if (count > config.connectionsPerAddressMax) return void socket.destroy();
    open.set(place, count);
    socket.once("close", () => {
      const left = (open.get(place) ?? 1) - 1;
      if (left === 0) open.delete(place);
      else open.set(place, left);
    });
  });
}

/** How long somebody whose connection ends has to read why. */
const LINGER_MS = 500;

/** `end` closes our side only, and a client that never closes its own would keep the connection. */
export function endSlowly(socket: Socket, lastWords = ""): void {
  socket.end(lastWords);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

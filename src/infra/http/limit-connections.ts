/**
 * How many connections there are, and how many of them one address may hold. Without it a single
 * machine that opens sockets and says nothing takes every place there is. Listed proxies may hold
 * any number: all the world comes from them.
 *
 * When nearly all places are taken, a newcomer gets that of somebody who holds clearly more than it
 * does: the oldest connection of the address with the most, rather one on which nothing is asked.
 * So slow clients lose places to honest ones, and those that hold about as many as each other gain
 * nothing by coming again (Decision 0056).
 */

import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config.ts";
import { blockListOf, isIn, limitedAddress, plainAddress } from "./admit/client-address.ts";

const CONNECTIONS_MAX = 2_000;
/** Slots for newcomers while those who make room for them are on their way out. */
const SPARE = 100;
/**
 * How many times the newcomer's own. Without it attackers that hold about as many as each other
 * would push each other out for ever, each time with a new connection to read from.
 */
const TIMES_MORE_MIN = 1.1;

interface Holder {
  readonly isTrusted: boolean;
  /** In the order they came. */
  readonly sockets: Set<Socket>;
}

export function limitConnections(server: Server, config: Config["http"]): void {
  const trusted = blockListOf(config.trustedProxies);
  const holders = new Map<string, Holder>();
  let open = 0;
  server.on("connection", (socket) => {
    const address = plainAddress(socket.remoteAddress ?? "");
    const place = limitedAddress(address);
    const holder = holders.get(place) ?? { isTrusted: isIn(trusted, address), sockets: new Set() };
    const { isTrusted, sockets } = holder;
    if (!isTrusted && sockets.size >= config.connectionsPerAddressMax) return void socket.destroy();
    // Counted here and not by Node, which counts what came in through one of several sockets.
    if (open >= CONNECTIONS_MAX) return void socket.destroy();
    if (open >= CONNECTIONS_MAX - SPARE && !makeRoom(holders, holder)) return void socket.destroy();
    holders.set(place, holder);
    sockets.add(socket);
    open += 1;
    socket.once("close", () => {
      open -= 1;
      sockets.delete(socket);
      if (sockets.size === 0) holders.delete(place);
    });
  });
}

/** False when nobody holds clearly more than the newcomer would. */
function makeRoom(holders: ReadonlyMap<string, Holder>, newcomer: Holder): boolean {
  let most = newcomer;
  for (const holder of holders.values()) if (holder.sockets.size > most.sockets.size) most = holder;
  if (most.sockets.size <= (newcomer.sockets.size + 1) * TIMES_MORE_MIN) return false;
  // Those on their way out are no place for another; `limit-crowd.ts` keeps the count.
  const alive = () => most.sockets.values().filter(({ destroyed }) => !destroyed);
  const idle = alive().find(({ unanswered }) => !unanswered);
  // A proxy's connection that is at work may be anybody's.
  const found = idle ?? (most.isTrusted ? undefined : alive().next().value);
  found?.destroy();
  return found !== undefined;
}

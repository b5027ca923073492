/**
 * Listens on one port through several sockets. Node accepts one connection of each listening socket
 * with each turn of its loop: with a single one, whoever comes anew while turns are long waits in
 * the kernel behind all others, and a question after our health with them (Decision 0058).
 *
 * The kernel lets sockets of one user share a port when all of them say so. Another service of the
 * same user could join them and take half of our connections: so nobody else may be there when the
 * first door opens.
 *
 * localhost may stand for several addresses, each with a door. Fastify would open them with servers
 * of their own, which have none of our limits.
 */

import cluster from "node:cluster";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { type AddressInfo, createServer, isIP, type ListenOptions, type Server } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

const DOORS = 32;
/** While we close: newcomers may never cease. */
const TURNS_MAX = 50;
/** Where we have seen several sockets share a port, and the kernel their connections. */
const CAN_SHARE = process.platform === "linux" || process.platform === "freebsd";
/** Of an address that this machine does not have, such as that of localhost in IPv6. */
const NOT_OURS = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

interface Place {
  readonly host: string;
  /** 0 takes one that is free at the first address. */
  readonly port: number;
}

/**
 * Where to listen for a host, the first of which must be there: its addresses, or the name itself
 * where Node shall choose one.
 */
type Slots = readonly [string, ...string[]];
type Resolve = (host: string) => Promise<Slots>;

export class HostLeadsNowhere extends Error {
  constructor(host: string, options: ErrorOptions) {
    super(
      `HOST is ${host}, a name that leads nowhere. Set it to an address of this machine.`,
      options,
    );
  }
}

/** Gives the first address, as a link. */
export async function openDoors(
  app: FastifyInstance,
  place: Place,
  resolve: Resolve = addressesOf,
): Promise<string> {
  const places = await resolve(place.host);
  const [first, ...further] = places;
  // Several processes accept from one socket that they share.
  const mayShare = CAN_SHARE && !cluster.isWorker && isIP(first) !== 0;
  const shared = mayShare ? { reusePort: true } : {};
  const others: Server[] = [];
  let closing: Promise<unknown>[] = [];
  app.addHook("preClose", async () => {
    await letAllIn(app.server);
    closing = others.map((door) => once(door.close(), "close"));
  });
  // Each waits for the connections that came through it.
  app.addHook("onClose", async () => void (await Promise.all(closing)));
  // What takes time comes before the port is looked at: nobody may come in between.
  await app.ready();
  if (mayShare) await demandFree(places, place.port);
  const address = await app.listen({ host: first, port: place.port, ...shared });
  const { port } = app.server.address() as AddressInfo;
  const open = async (at: ListenOptions) => {
    // As Node's own server takes them in, whose limits hold for all that comes in through any.
    const door = createServer({ noDelay: true, allowHalfOpen: true });
    door.on("connection", (socket) => app.server.emit("connection", socket));
    await once(door.listen(at), "listening");
    others.push(door);
  };
  while (mayShare && others.length < DOORS - 1) await open({ host: first, port, ...shared });
  // A port that was free at the first address may be taken at another: nobody asked for that one.
  const mayFail = place.port === 0 ? [...NOT_OURS, "EADDRINUSE"] : NOT_OURS;
  for (const host of further) await open({ host, port }).catch(rethrowUnless(mayFail));
  return address;
}

/**
 * Whoever waits in the kernel when its door closes is reset, though it may have asked already:
 * takes all of them in, until a turn brings nobody. What they ask is answered as while we stop.
 */
async function letAllIn(server: Server): Promise<void> {
  let hasCome = true;
  const note = () => {
    hasCome = true;
  };
  server.on("connection", note);
  for (let turn = 0; hasCome && turn < TURNS_MAX; turn++) {
    hasCome = false;
    // Between two of these the loop looks at every door.
    for (const _ of [1, 2]) await setImmediate();
  }
  server.off("connection", note);
}

/** Rejects as listening does. Port 0 is always free. */
export async function demandFreePort({ host, port }: Place): Promise<void> {
  await demandFree(await addressesOf(host), port);
}

async function demandFree([first, ...further]: Slots, port: number): Promise<void> {
  if (port === 0) return;
  const probe = async (address: string) => {
    const door = createServer().listen({ host: address, port });
    await once(door, "listening");
    await once(door.close(), "close");
  };
  await probe(first);
  for (const other of further) await probe(other).catch(rethrowUnless(NOT_OURS));
}

async function addressesOf(host: string): Promise<Slots> {
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true }).catch((cause) => {
    throw new HostLeadsNowhere(host, { cause });
  });
  // Of another name Node takes one address: whoever names a machine need not mean all it has.
  if (host !== "localhost") return [host];
  // Some systems tell the same one twice.
  const [first = host, ...further] = new Set(found.map(({ address }) => address));
  return [first, ...further];
}

function rethrowUnless(codes: readonly string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? "")) throw error;
  };
}

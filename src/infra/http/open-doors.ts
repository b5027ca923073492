/**
 * Listens on one port through several sockets. Node accepts one connection of each listening socket
 * with each turn of its loop: with a single one, whoever comes anew while turns are long waits in
 * the kernel behind all others, and a question after our health with them (Decision 0058).
 *
 * The kernel lets sockets of one user share a port when all of them say so. Another service of the
 * same user could join them and take half of our connections: so nobody else may be there when the
 * first door opens.
 */

import cluster from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, createServer, isIP, type Server } from "node:net";
import type { FastifyInstance } from "fastify";

const DOORS = 32;
/** Where we have seen several sockets share a port, and the kernel their connections. */
const CAN_SHARE = process.platform === "linux" || process.platform === "freebsd";

interface Place {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/** Gives the address, as a link. */
export async function openDoors(app: FastifyInstance, place: Place): Promise<string> {
  // Of several processes, the one that started them accepts for all and does nothing else. A name
  // may stand for several addresses.
  const mayShare = CAN_SHARE && !cluster.isWorker && isIP(place.host) !== 0;
  if (!mayShare) return app.listen({ ...place });
  const others: Server[] = [];
  let closing: Promise<unknown>[] = [];
  app.addHook("preClose", async () => {
    closing = others.map((door) => once(door.close(), "close"));
  });
  // Each waits for the connections that came through it.
  app.addHook("onClose", async () => void (await Promise.all(closing)));
  // What takes time comes before the port is looked at: nobody may come in between.
  await app.ready();
  await demandFreePort(place);
  const shared = { reusePort: true };
  const address = await app.listen({ ...place, ...shared });
  const { address: host, port } = app.server.address() as AddressInfo;
  while (others.length < DOORS - 1) {
    // As Node's own server takes them in.
    const door = createServer({ noDelay: true, allowHalfOpen: true });
    door.on("connection", (socket) => app.server.emit("connection", socket));
    others.push(door);
    await once(door.listen({ host, port, ...shared }), "listening");
  }
  return address;
}

/** Rejects as listening does. Port 0 is always free. */
export async function demandFreePort({ host, port }: Place): Promise<void> {
  if (port === 0) return;
  const probe = createServer().listen({ host, port });
  await once(probe, "listening");
  await once(probe.close(), "close");
}

/**
 * The one address at which the service finds its database: a forwarder of TCP that an operator
 * points at another server. While it leads nowhere, connections are refused at once.
 */

import { once } from "node:events";
import net from "node:net";

export interface DatabaseDoor {
  readonly port: number;
  /** From now on new connections lead there; those that are open end. */
  leadTo(port: number | undefined): void;
  close(): Promise<void>;
}

export async function openDoor(): Promise<DatabaseDoor> {
  const pairs = new Set<() => void>();
  let target: number | undefined;
  const server = net.createServer((client) => {
    if (target === undefined) return void client.destroy();
    const database = net.connect({ host: "127.0.0.1", port: target });
    const end = () => {
      client.destroy();
      database.destroy();
      pairs.delete(end);
    };
    pairs.add(end);
    for (const socket of [client, database]) {
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", end);
    }
    client.pipe(database);
    database.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endAll = () => {
    for (const end of pairs) end();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    leadTo(port) {
      target = port;
      endAll();
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      endAll();
      await closed;
    },
  };
}

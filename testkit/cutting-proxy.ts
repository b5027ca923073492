/**
 * A wire between the service and PostgreSQL that can be cut: altogether, as when the database is
 * away, or at the one moment that matters, when COMMIT has been sent and its answer is on the way.
 * Or it drops what a connection sends from some word on, so that the database never receives it.
 */

import { once } from "node:events";
import net from "node:net";

/** `pg` sends it as a simple query. */
const COMMIT = Buffer.from("Q\0\0\0\x0bcommit\0", "latin1");

export interface CuttingProxy {
  /** The database's address, by way of the proxy. */
  readonly url: string;
  /**
   * Cuts the next connection that commits: `before` the database receives it, or `after` it has
   * committed and before the answer comes back. By COMMIT, or by the prepared statement that is
   * named because it is a tx by itself.
   */
  cutNextCommit(when: "before" | "after", statement?: string): void;
  /** Whether the cut that was asked for has been made. */
  hasCut(): boolean;
  /** From the moment a connection says this, nothing of it reaches the database any more. */
  swallowFrom(text: string): void;
  hasSwallowed(): boolean;
  /** Cuts every connection and takes no new ones. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** What happens to the connection that says it next. */
interface Plans {
  cut?: { when: "before" | "after"; bytes: Buffer } | undefined;
  swallow?: Buffer | undefined;
}

export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<net.Socket>();
  const plans: Plans = {};

  const server = net.createServer((client) => {
    const database = net.connect({ host: target.hostname, port: Number(target.port) });
    const end = () => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        end();
      });
    }
    join({ client, database, end }, plans);
  });

  let isClosed = false;
  async function listen(port: number): Promise<void> {
    // A test that failed may still go on, and would open it for ever.
    if (isClosed) return;
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  }
  async function goAway(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  }

  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) });
  return {
    url: url.href,
    cutNextCommit(when, statement) {
      const bytes = statement === undefined ? COMMIT : Buffer.from(`${statement}\0`);
      plans.cut = { when, bytes };
    },
    hasCut: () => plans.cut === undefined,
    swallowFrom(text) {
      plans.swallow = Buffer.from(text);
    },
    hasSwallowed: () => plans.swallow === undefined,
    goAway,
    comeBack: () => listen(port),
    async close() {
      isClosed = true;
      if (server.listening) await goAway();
    },
  };
}

interface Wires {
  readonly client: net.Socket;
  readonly database: net.Socket;
  end(): void;
}

/** Hands on what each says to the other, until it is what a plan waits for. */
function join({ client, database, end }: Wires, plans: Plans): void {
  let isCutting = false;
  let isSwallowing = false;
  client.on("data", (bytes) => {
    if (plans.swallow !== undefined && bytes.includes(plans.swallow)) {
      isSwallowing = true;
      plans.swallow = undefined;
    }
    if (isSwallowing) return;
    if (plans.cut !== undefined && bytes.includes(plans.cut.bytes)) {
      isCutting = true;
      const { when } = plans.cut;
      plans.cut = undefined;
      if (when === "before") return end();
    }
    database.write(bytes);
  });
  database.on("data", (bytes) => {
    if (isCutting) end();
    else client.write(bytes);
  });
}

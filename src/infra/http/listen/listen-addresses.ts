/**
 * Listens at every address that HOST stands for, once the port is known to be free there, and stops
 * without dropping a request.
 */

import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, createServer, isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const IDLE_CHECK_MS = 50;

export interface ListenAddress {
  readonly host: string;
  /** 0 takes one that is free at the first address. */
  readonly port: number;
}

/** Of an address that this machine does not have, such as that of localhost in IPv6. */
const NOT_OURS: readonly string[] = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

export class HostNotFound extends Error {
  constructor(host: string, options: ErrorOptions) {
    super(
      `HOST is ${host}, a name that leads nowhere. Set it to an address of this machine.`,
      options,
    );
  }
}

/** The first must exist on this machine. Of a name other than localhost Node chooses one. */
export async function addressesOf(host: string): Promise<[string, ...string[]]> {
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true }).catch((cause) => {
    throw new HostNotFound(host, { cause });
  });
  if (host !== "localhost") return [host];
  // Some systems return the same one twice.
  const [first = host, ...further] = new Set(found.map(({ address }) => address));
  return [first, ...further];
}

/** Rejects as listening does. Port 0 is always free. */
export async function demandFreePort({ host, port }: ListenAddress): Promise<void> {
  if (port === 0) return;
  const [first, ...further] = await addressesOf(host);
  await probe(first, port);
  for (const other of further)
    await probe(other, port).catch((error: NodeJS.ErrnoException) => {
      if (!NOT_OURS.includes(error.code ?? "")) throw error;
    });
}

async function probe(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  await once(server.close(), "close");
}

export interface Listening {
  /** At the first address. */
  readonly url: string;
  /** Waits for requests under way; after `cutAfterMs` their connections are closed. */
  close(cutAfterMs: number): Promise<void>;
}

/** localhost may stand for several addresses; the further ones lead to the same server. */
export async function listenAt(
  http: Server,
  { host, port }: ListenAddress,
  resolve = addressesOf,
): Promise<Listening> {
  const [first, ...further] = await resolve(host);
  await once(http.listen({ host: first, port }), "listening");
  const { port: actual } = http.address() as AddressInfo;
  const closings = [() => once(http.close(), "close")];
  // A port that was free at the first address may be taken at another, if nobody asked for it.
  const mayFail = port === 0 ? [...NOT_OURS, "EADDRINUSE"] : NOT_OURS;
  for (const other of further) {
    const listener = createServer({ noDelay: true, allowHalfOpen: true });
    listener.maxConnections = http.maxConnections;
    listener.on("connection", (socket) => http.emit("connection", socket));
    try {
      await once(listener.listen({ host: other, port: actual }), "listening");
      closings.push(() => once(listener.close(), "close"));
    } catch (error) {
      if (mayFail.includes((error as NodeJS.ErrnoException).code ?? "")) continue;
      await closeAll(http, closings, 0);
      throw error;
    }
  }
  return {
    url: `http://${first.includes(":") ? `[${first}]` : first}:${actual}`,
    close: (cutAfterMs) => closeAll(http, closings, cutAfterMs),
  };
}

/**
 * Idle connections are closed as they appear, so that a quiet keep-alive does not hold us up; after
 * the limit the others are closed too, because Node no longer looks for late clients by then.
 */
async function closeAll(
  http: Server,
  closings: readonly (() => Promise<unknown>)[],
  cutAfterMs: number,
): Promise<void> {
  if (!http.listening) return;
  const cutAt = performance.now() + cutAfterMs;
  let isClosed = false;
  const closing = Promise.all(closings.map((close) => close())).then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    if (performance.now() < cutAt) http.closeIdleConnections();
    else http.closeAllConnections();
    await Promise.race([closing, sleep(IDLE_CHECK_MS)]);
  }
}

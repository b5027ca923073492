/** The addresses that HOST stands for, and whether the port is free there. */

import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, isIP } from "node:net";

export interface ListenAddress {
  readonly host: string;
  /** 0 takes one that is free at the first address. */
  readonly port: number;
}

/** Of an address that this machine does not have, such as that of localhost in IPv6. */
export const NOT_OURS: readonly string[] = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

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

/** Listens at every address that the host stands for, and stops without dropping a request. */

import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { addressesOf, type ListenAddress, NOT_OURS } from "./listen-address.ts";

const IDLE_CHECK_MS = 50;

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

/**
 * A connection on which nothing moves for a while ends: a client that takes nothing of what waits
 * for it is gone, whatever its connection says, and one on which nothing is asked makes room.
 *
 * Two looks. Node tells of a connection on which no byte came or went. It stands in for Node's own
 * limit for kept connections, which makes two timers for each request: one when its answer is out,
 * and one that takes its place when the next request comes. But whoever sends an empty line now and
 * then asks nothing and is not silent: so what the kernel has taken of our answers is counted, too,
 * of all that is sent, large or small or many small ones asked for ahead. Who reads so much that
 * the kernel takes more of it in that time is left alone; a byte a second is not enough.
 */

import type { Server } from "node:http";
import type { Socket } from "node:net";

/** As every answer tells its client, who then asks nothing on a connection that is about to end. */
export const KEPT_MS = 10_000;
/**
 * A little longer, for whoever asks at the last moment; and longer than a head may take
 * (`server.ts`), whose client is to hear 408 first.
 */
const SILENCE_MS_MAX = KEPT_MS + 1_000;
/**
 * How many times as long answers may stand still: after 29 s at the latest, as docs/operations.md
 * says. The kernel takes more only when a third of its buffer is free, which may be a megabyte.
 */
const TIMES_STANDING_STILL = 2.5;
const LOOKS_PER_SILENCE = 10;

/** How many bytes of answers the kernel had taken, and since when it is not more. */
interface Progress {
  taken: number;
  since: number;
}

export function limitSilence(server: Server, msMax = SILENCE_MS_MAX): void {
  server.timeout = msMax;
  server.keepAliveTimeout = 0;
  server.on("timeout", (socket) => {
    if (isIdle(socket)) socket.destroy();
  });
  const open = new Map<Socket, Progress>();
  server.on("connection", (socket) => {
    open.set(socket, { taken: 0, since: performance.now() });
    socket.once("close", () => open.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, progress] of open)
      if (standsStill(socket, progress, now) > msMax * TIMES_STANDING_STILL) end(socket);
  }, msMax / LOOKS_PER_SILENCE).unref();
  server.on("close", () => clearInterval(timer));
}

/**
 * What is asked and not whole, or not answered, has limits of its own (`server.ts` for heads,
 * `limit-times.ts`), and whoever is about to be told a last word (`farewell`) hears it.
 */
function isIdle(socket: Socket): boolean {
  return socket.writableLength === 0 && !socket.unanswered && !socket.isEnding;
}

/** For how many milliseconds by now. */
function standsStill(socket: Socket, progress: Progress, now: number): number {
  const taken = socket.bytesWritten - waitingForKernel(socket);
  const isOurTurn = socket.writableLength === 0 && !isIdle(socket);
  if (taken !== progress.taken || isOurTurn) {
    progress.taken = taken;
    progress.since = now;
  }
  return now - progress.since;
}

/** As Node's own timer knows it; nothing that is documented tells of the middle of a write. */
function waitingForKernel(socket: Socket & { _handle?: { writeQueueSize?: number } | null }) {
  return socket._handle?.writeQueueSize ?? 0;
}

function end(socket: Socket): void {
  // With a reset: the kernel would keep what was not taken, and offer it for minutes more.
  if (socket.writableLength > 0) socket.resetAndDestroy();
  else socket.destroy();
}

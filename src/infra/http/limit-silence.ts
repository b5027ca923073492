/**
 * A connection on which nothing moves for a while ends: a client that takes nothing of what waits
 * for it is gone, whatever its connection says, and one on which nothing is asked makes room. One
 * rule for all that is sent, large or small or many small ones asked for ahead: Node watches how
 * much the kernel has taken, and tells of a connection on which nothing moved. Who reads so much
 * that the kernel takes more of it in that time is left alone; a byte a second is not enough.
 *
 * It stands in for Node's own limit for kept connections, which makes two timers for each request:
 * one when its answer is out, and one that takes its place when the next request comes.
 */

import type { Server } from "node:http";

/** As every answer tells its client, who then asks nothing on a connection that is about to end. */
export const KEPT_MS = 10_000;
/**
 * A little longer, for whoever asks at the last moment; and longer than a head may take
 * (`server.ts`), whose client is to hear 408 first.
 */
const SILENCE_MS_MAX = KEPT_MS + 1_000;

/**
 * Of what is being sent Node looks twice before it tells: after 22 s at the latest, as
 * docs/operations.md says.
 */
export function limitSilence(server: Server, msMax = SILENCE_MS_MAX): void {
  server.timeout = msMax;
  server.keepAliveTimeout = 0;
  server.on("timeout", (socket) => {
    // With a reset: the kernel would keep what was not taken, and offer it for minutes more.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    // What is asked and not whole, or not answered, has limits of its own (`server.ts` for heads,
    // `limit-times.ts`), and whoever is about to be told a last word (`farewell`) hears it.
    else if (!socket.unanswered && !socket.isEnding) socket.destroy();
  });
}

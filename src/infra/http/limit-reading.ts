/**
 * A client that takes nothing of what waits for it for a while is gone, whatever its connection
 * says. One rule for all that is sent, large or small or many small ones asked for ahead: Node
 * watches how much the kernel has taken, and tells of a connection on which nothing moved. Who
 * reads slowly but steadily is left alone.
 */

import type { Server } from "node:http";

/** Node looks twice before it tells: after 30 s at the latest, as docs/operations.md says. */
const READING_MS_MAX = 15_000;

export function limitReading(server: Server, msMax = READING_MS_MAX): void {
  server.timeout = msMax;
  server.on("timeout", (socket) => {
    // With a reset: the kernel would keep what was not taken, and offer it for minutes more.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    // Told of by the same event: a connection on which nothing was asked for a while. What is
    // asked and not whole, or not answered, has limits of its own (`limit-times.ts`).
    else if (!socket.unanswered) socket.destroy();
  });
}

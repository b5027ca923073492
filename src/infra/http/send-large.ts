/**
 * Answers too large for the buffers in between. The kernel may take one at once, which is half a
 * millisecond for the largest document: of many that are asked for together, one goes with each
 * turn of the loop (Decision 0056). And each must be taken within a time, or whoever does not read
 * would hold it for ever.
 */

import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { createTurns } from "../../kit/turns.ts";

/** What the kernel holds for a client that does not read is not worth a timer. */
const UNREAD_BYTES_MAX = 65_536;
const READING_MS_MAX = 30_000;

const inTurn = createTurns();

export function isLarge(body: string | Buffer): boolean {
  return body.length > UNREAD_BYTES_MAX;
}

export function sendLarge(reply: FastifyReply, body: string | Buffer): Promise<FastifyReply> {
  return new Promise((resolve) => {
    inTurn(() => {
      limitReading(reply.raw);
      resolve(reply.send(body));
    });
  });
}

/** Ends with a reset: the kernel would keep what was not taken, and offer it for minutes more. */
function limitReading(response: ServerResponse): void {
  const timer = setTimeout(() => response.socket?.resetAndDestroy(), READING_MS_MAX).unref();
  response.once("close", () => clearTimeout(timer));
}

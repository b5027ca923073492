/**
 * Of many large answers that are ready together, one goes with each turn of the loop: to hand the
 * largest document to the kernel takes half a millisecond (two cores of 2026), and those who wait
 * for a small one must not wait for five hundred of them (Decision 0056).
 */

import type { FastifyInstance } from "fastify";
import { createTurns } from "../../kit/turns.ts";

const SMALL_BYTES_MAX = 65_536;

/** After the crowd's own hook: who waits here is not at work any more. */
export function paceAnswers(app: FastifyInstance): void {
  // Not the queue of farewells: an honest reader would wait behind five hundred of them.
  const inTurn = createTurns();
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (!isLarge(payload)) return done(null, payload);
    inTurn(() => {
      // Whoever waited for too long was told so meanwhile (`limit-times.ts`).
      if (!reply.raw.headersSent) done(null, payload);
    });
  });
}

function isLarge(payload: unknown): boolean {
  const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
  return isWhole && payload.length > SMALL_BYTES_MAX;
}

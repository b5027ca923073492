/**
 * Judges every answer that leaves a test's service, whoever asked and however: a test's `request`,
 * a browser, a bare `fetch` or a raw socket. What is wrong is told when the service stops.
 *
 * Two things are out of its sight: what the server writes on a bare socket because Node could not
 * even parse the request (its tests read those bytes themselves), and streams, of which only status
 * and headers are judged.
 */

import assert from "node:assert/strict";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type CheckAnswer, isJsonType } from "./answer-checker.ts";

export interface Watched {
  /** Throws what was wrong with any answer so far. */
  assertFine(): void;
}

export function watchAnswers(app: FastifyInstance, check: CheckAnswer): Watched {
  const wrong = new Set<string>();
  app.addHook("onSend", (request, reply, payload, done) => {
    try {
      const text = typeof payload === "string" ? payload : String(payload ?? "");
      check({ ...factsOf(request, reply), ...bodyOf(reply, payload), text });
    } catch (error) {
      wrong.add(error instanceof Error ? error.message : String(error));
    }
    done(null, payload);
  });
  return {
    assertFine() {
      assert.deepEqual([...wrong], [], "answers that the document does not have");
    },
  };
}

function factsOf({ method, url: path }: FastifyRequest, reply: FastifyReply) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.getHeaders())) headers.set(name, String(value));
  return { method, path, status: reply.statusCode, headers };
}

function bodyOf(reply: FastifyReply, payload: unknown): { body: unknown } {
  const isJson = isJsonType(reply.getHeader("content-type"));
  const isText = typeof payload === "string" || Buffer.isBuffer(payload);
  const text = isText ? payload.toString() : "";
  return { body: isJson && text !== "" ? JSON.parse(text) : undefined };
}

/**
 * Judges every answer that leaves a test's service, for any client: a test's `request`, a browser,
 * a bare `fetch` or a raw socket. What is wrong is reported when the service stops.
 *
 * Two things are out of its sight: what the server writes on a bare socket because Node could not
 * even parse the request (its tests read those bytes themselves), and streams, of which only status
 * and headers are judged.
 */

import assert from "node:assert/strict";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { originForm } from "../src/infra/http/listen/request-target.ts";
import { type CheckAnswer, isJsonType } from "./answer-checker.ts";

export interface Watched {
  /** Throws what was wrong with any answer so far. */
  assertFine(): void;
}

export function watchAnswers(http: Server, check: CheckAnswer): Watched {
  const wrong = new Set<string>();
  const watch = (request: IncomingMessage, response: ServerResponse) =>
    spyOn(response, (answer) => {
      try {
        const path = originForm(request.url ?? "");
        check({ method: request.method ?? "", path, ...answer });
      } catch (error) {
        wrong.add(error instanceof Error ? error.message : String(error));
      }
    });
  for (const event of ["request", "checkContinue", "checkExpectation"])
    http.prependListener(event, watch);
  return {
    assertFine() {
      assert.deepEqual([...wrong], [], "answers that the document does not have");
    },
  };
}

type Told = Omit<Parameters<CheckAnswer>[0], "method" | "path">;

/** Sees the three calls with which the server writes an answer. */
function spyOn(response: ServerResponse, judge: (answer: Told) => void): void {
  const { writeHead, write, end } = response;
  const chunks: Buffer[] = [];
  let status = 0;
  let headers = new Headers();
  // Of a stream nothing is kept: a test measures that nothing is.
  const keep = (chunk: unknown) => {
    if (!headers.has("content-length")) return;
    if (typeof chunk === "string" || Buffer.isBuffer(chunk)) chunks.push(Buffer.from(chunk));
  };
  Object.assign(response, {
    writeHead(code: number, given: Record<string, string | number>) {
      status = code;
      headers = new Headers(Object.entries(given).map(([name, value]) => [name, String(value)]));
      return Reflect.apply(writeHead, response, [code, given]);
    },
    write(...given: unknown[]) {
      keep(given[0]);
      return Reflect.apply(write, response, given);
    },
    end(...given: unknown[]) {
      keep(given[0]);
      judge({ status, headers, ...bodyOf(headers, Buffer.concat(chunks).toString()) });
      return Reflect.apply(end, response, given);
    },
  });
}

function bodyOf(headers: Headers, sent: string): { text: string; body: unknown } {
  const isJson = isJsonType(headers.get("content-type"));
  return { text: sent, body: isJson && sent !== "" ? JSON.parse(sent) : undefined };
}

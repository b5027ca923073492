/**
 * Writes an answer: its own headers beside those that every answer carries, its bytes or its
 * stream. The connection stays open only when the whole request was read (Decision 0076).
 */

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SECOND_MS } from "../../../kit/clock.ts";
import { type Answer, bodyOf, JSON_TYPE } from "../answer.ts";
import type { Request } from "../request.ts";
import { helpHeaders } from "./render-error.ts";
import { commonHeadersOf } from "./response-headers.ts";

/** How long the rest of an unwanted body is discarded, so that its sender can read why. */
const DISCARD_MS = 2 * SECOND_MS;

/** They have no body, and with a type or length of it a 304 would change what its reader keeps. */
const EMPTY: ReadonlySet<number> = new Set([204, 304]);

/** Gives the body, unless it is a stream. */
export function writeAnswer(
  request: Request,
  answer: Answer,
  options: { readonly isLast: boolean },
): string | Buffer | undefined {
  const { raw, response, method } = request;
  const stream = answer.body instanceof Readable ? answer.body : undefined;
  if (response.headersSent) {
    stream?.destroy();
    return undefined;
  }
  const headers: Record<string, string | number> = {
    ...commonHeadersOf(request.url),
    "x-request-id": request.id,
    ...request.answerHeaders,
    ...answer.headers,
  };
  if (answer.error !== undefined) Object.assign(headers, helpHeaders(answer.error, headers.link));
  if (answer.cookies !== undefined) response.setHeader("set-cookie", answer.cookies);
  const isWhole = raw.complete;
  if (options.isLast || !isWhole) headers.connection = "close";
  const isEmpty = EMPTY.has(answer.status);
  if (!isEmpty) headers["content-type"] = answer.contentType ?? JSON_TYPE;
  if (stream !== undefined) {
    writeStream(request, answer.status, headers, stream);
    return undefined;
  }
  const body = isEmpty ? "" : bodyOf(answer);
  if (!isEmpty) headers["content-length"] = Buffer.byteLength(body);
  response.writeHead(answer.status, headers);
  const sent = method === "HEAD" ? "" : body;
  if (isWhole) response.end(sent);
  else endAfterDiscarding(request, sent);
  return body;
}

function writeStream(
  { response, method }: Request,
  status: number,
  headers: Record<string, string | number>,
  stream: Readable,
): void {
  response.writeHead(status, headers);
  if (method === "HEAD") {
    stream.destroy();
    response.end();
    return;
  }
  // Its maker logs what goes wrong; the client sees a file that is cut.
  pipeline(stream, response).catch(() => {});
}

/**
 * To close with bytes unread resets the connection, and the reset can overtake the answer: so the
 * answer is sent, what still arrives is read for a while and thrown away, and then it is closed.
 */
function endAfterDiscarding({ raw, response }: Request, sent: string | Buffer): void {
  if (sent === "") response.flushHeaders();
  else response.write(sent);
  const end = () => {
    clearTimeout(timer);
    raw.off("end", end).off("close", end);
    response.end();
  };
  const timer = setTimeout(end, DISCARD_MS).unref();
  // A request that is cut off emits an error, which would end the process if unhandled.
  raw.on("error", () => {});
  if (raw.destroyed) end();
  else raw.on("end", end).on("close", end).resume();
}

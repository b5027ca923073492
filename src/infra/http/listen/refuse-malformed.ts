/**
 * What Node could not parse, or not in time, and CONNECT, which Node hands over as a bare socket:
 * answered there, then closed.
 */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { newRequestId } from "../../../kit/ids.ts";
import { JSON_TYPE } from "../answer.ts";
import { type HttpErrorCode, HttpRefused } from "../http-refused.ts";
import { helpHeaders } from "../serve/render-error.ts";
import { COMMON_HEADERS } from "../serve/response-headers.ts";

/** How long a client whose connection ends has to read why. */
const LINGER_MS = 500;
const METHODS = ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"].join(", ");

const CODES: Readonly<Record<string, HttpErrorCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

export function refuseMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else endWith(socket, new HttpRefused(CODES[error.code ?? ""] ?? "malformed_request"));
}

/** This is no proxy. Without a listener Node would close the connection without an answer. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  // Node has taken its own listeners off: an unhandled error would end the process.
  socket.on("error", () => socket.destroy());
  // What is left unread would reset the connection before the answer is read.
  socket.resume();
  endWith(socket, new HttpRefused("method_not_allowed", { headers: { allow: METHODS } }));
}

function endWith(socket: Duplex, { status, message, code, headers }: HttpRefused): void {
  const body = JSON.stringify({ message });
  const lines = Object.entries({
    ...COMMON_HEADERS,
    "content-type": JSON_TYPE,
    "content-length": Buffer.byteLength(body),
    "x-request-id": newRequestId(),
    ...helpHeaders(code),
    ...headers,
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${message}\r\n${lines.join("")}\r\n${body}`);
  // `end` closes our side only; a client that never closes its own would keep the connection.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

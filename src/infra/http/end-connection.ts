/** The end of a connection from our side, with an answer written on the bare socket. */

import type { Duplex } from "node:stream";
import type { ServiceError } from "../../kit/errors.ts";
import { newRequestId } from "../../kit/ids.ts";
import { createTurns } from "../../kit/turns.ts";
import { JSON_TYPE } from "./answer.ts";
import { helpHeaders } from "./serve/problem.ts";
import { commonLines, linesOf } from "./serve/response-headers.ts";

/** How long somebody whose connection ends has to read why. */
const LINGER_MS = 500;

/** All who are late stand in one queue: who came together is late together (Decision 0056). */
export const farewell = createTurns();

/** `end` closes our side only, and a client that never closes its own would keep the connection. */
export function endSlowly(socket: Duplex, lastWords = ""): void {
  socket.end(lastWords);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** For somebody whose request could not be read, or was not (Decision 0057). */
export function endWith(socket: Duplex, { status, message, code, headers }: ServiceError): void {
  const body = JSON.stringify({ message });
  const lines = linesOf({
    "content-type": JSON_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": newRequestId(),
    ...helpHeaders(code),
    ...headers,
    connection: "close",
  });
  endSlowly(socket, `HTTP/1.1 ${status} ${message}\r\n${commonLines()}${lines}\r\n${body}`);
}

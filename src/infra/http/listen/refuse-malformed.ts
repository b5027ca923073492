/**
 * What Node could not even parse, or not in time, and CONNECT, which Node hands over as a bare
 * socket: answered there, then closed.
 */

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ServiceError } from "../../../kit/errors.ts";
import { endWith, farewell } from "../end-connection.ts";
import { readNoMore } from "../rest-connections.ts";
import { type HttpErrorCode, HttpRefused } from "../serve/render-error.ts";
import { BUSY } from "../turn-away.ts";

const TOO_LATE = "ERR_HTTP_REQUEST_TIMEOUT";

export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET") return void socket.destroy();
  // Whoever was not read was not late.
  const refusal = socket.isLeftUnread ? BUSY : new HttpRefused(codeOf(error.code));
  // What it goes on to send could not be read either; and who is late could finish its request
  // until it is its turn (Decision 0056), and would hear two answers.
  readNoMore(socket);
  if (error.code === TOO_LATE) farewell(() => tell(socket, refusal));
  else tell(socket, refusal);
}

const METHODS = ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"].join(", ");

/** This is no proxy. Without a listener Node would close the connection without an answer. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  // Node has taken its own listeners off: an error nobody listens to would end the process.
  socket.on("error", () => socket.destroy());
  // What is left unread would reset the connection before the answer is read.
  socket.resume();
  tell(socket, new HttpRefused("method_not_allowed", { headers: { allow: METHODS } }));
}

function tell(socket: Duplex, refusal: ServiceError): void {
  if (socket.writable) endWith(socket, refusal);
  else socket.destroy();
}

function codeOf(code: string | undefined): HttpErrorCode {
  if (code === "HPE_HEADER_OVERFLOW") return "headers_too_large";
  return code === TOO_LATE ? "request_timeout" : "malformed_request";
}

/** What Node could not even parse, or not in time: answered on the bare socket, then closed. */

import type { Socket } from "node:net";
import type { ServiceError } from "../../kit/errors.ts";
import { endWith, farewell } from "./end-connection.ts";
import { type HttpErrorCode, HttpRefused } from "./render-error.ts";
import { readNoMore } from "./rest-connections.ts";
import { BUSY } from "./turn-away.ts";

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

function tell(socket: Socket, refusal: ServiceError): void {
  if (socket.writable) endWith(socket, refusal);
  else socket.destroy();
}

function codeOf(code: string | undefined): HttpErrorCode {
  if (code === "HPE_HEADER_OVERFLOW") return "headers_too_large";
  return code === TOO_LATE ? "request_timeout" : "malformed_request";
}

/** What Node could not even parse, or not in time: answered on the bare socket, then closed. */

import type { Socket } from "node:net";
import { createTurns } from "../../kit/turns.ts";
import { endWith } from "./end-connection.ts";
import { HttpRefused } from "./render-error.ts";
import { BUSY } from "./turn-away.ts";

const TOO_LATE = "ERR_HTTP_REQUEST_TIMEOUT";

/** Node looks for late clients now and then, and finds all who came together. */
const inTurn = createTurns();

export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET") return void socket.destroy();
  if (error.code === TOO_LATE) inTurn(() => refuse(socket, 408));
  else refuse(socket, error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400);
}

function refuse(socket: Socket, status: number): void {
  if (!socket.writable) return void socket.destroy();
  // Whoever was not read was not late.
  endWith(socket, socket.isLeftUnread ? BUSY : new HttpRefused(status));
}

/**
 * Receivers of webhooks as merchants run them: good ones, and each kind of bad one. Real servers on
 * real ports; each remembers what it was sent, byte for byte, and when.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as text; what is sent is UTF-8. */
  readonly body: string;
  /** By `performance.now()`, when the head of the request was there. */
  readonly at: number;
  /** How many requests were under way at that moment, this one included. */
  readonly atOnce: number;
}

type Answer = (request: Received, response: ServerResponse) => void;

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** The ids among them. */
  readonly ids: ReadonlySet<string>;
  /** How many requests were begun, also those it never read. */
  readonly begunCount: () => number;
  /** What it does from now on. */
  behave(how: Behaviour): void;
  close(): Promise<void>;
}

export type Behaviour = keyof typeof BEHAVIOURS | number | Answer;

const HUGE_BODY_BYTES = 1024 ** 3;
const CHUNK = Buffer.alloc(64 * 1024, "x");

const BEHAVIOURS = {
  well: (_request, response) => void response.writeHead(204).end(),
  hangs: () => {},
  resets: (_request, response) => void response.socket?.resetAndDestroy(),
  /** A byte now and then, and never an end. */
  drips(_request, response) {
    response.writeHead(200, { "content-length": "1000000" });
    const timer = setInterval(() => response.write("."), 200);
    response.on("close", () => clearInterval(timer));
  },
  /** Says 200 and sends a gigabyte, as fast as it is taken. */
  floods(_request, response) {
    response.writeHead(200, { "content-length": String(HUGE_BODY_BYTES) });
    const pour = () => {
      while (!response.destroyed && response.write(CHUNK));
    };
    response.on("drain", pour);
    pour();
  },
  redirects: (_request, response) =>
    void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
} satisfies Record<string, Answer>;

export async function startReceiver(how: Behaviour = "well"): Promise<Receiver> {
  let behaviour = how;
  const received: Received[] = [];
  const ids = new Set<string>();
  const sockets = new Set<Socket>();
  let begun = 0;
  let atOnce = 0;
  const server = createServer(async (request, response) => {
    begun += 1;
    atOnce += 1;
    const at = performance.now();
    response.on("close", () => {
      atOnce -= 1;
    });
    response.on("error", () => {});
    const now = atOnce;
    const body = await readAll(request).catch(() => undefined);
    if (body === undefined) return;
    const headers = request.headers as Record<string, string>;
    const one = { id: headers["webhook-id"] ?? "", headers, body, at, atOnce: now };
    received.push(one);
    ids.add(one.id);
    if (typeof behaviour === "number") response.writeHead(behaviour).end("no");
    else if (typeof behaviour === "string") BEHAVIOURS[behaviour](one, response);
    else behaviour(one, response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    ids,
    begunCount: () => begun,
    behave(next) {
      behaviour = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

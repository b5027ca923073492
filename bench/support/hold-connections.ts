/**
 * Clients that hold a connection by being slow: some drip a head, some drip a body, some read a
 * byte at a time what they asked for, some say nothing. Whoever is let go comes back soon, so
 * that all of them are there all the time. Each kind has an address of its own.
 */

import { readFileSync } from "node:fs";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { answerApart, giveWay, runApart } from "./run-apart.ts";

/** One byte so often, each in its own rhythm: two thousand clients do not breathe together. */
const DRIP_MS = 1_000;
/** They come one after another, as tools of the kind do: in all, some 700 in each second. */
export const GATHERING_SECONDS = 3;
/** As /proc/net/tcp writes states. */
const FIN_WAIT_1 = "04";
const CLOSE_WAIT = "08";
/** Whoever is turned away at the door knocks again after this. */
const KNOCK_MS = 500;

interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly ofEachKind: number;
  /** Public, and large. */
  readonly largePath: string;
}

export interface Held {
  /** How many were connected at the end. */
  readonly held: number;
  /** How often one was let go, and how long the longest had held out, or still does. */
  readonly letGo: number;
  readonly longestMs: number;
}

export type SlowClients = Record<"heads" | "bodies" | "readers" | "idle", Held>;

export function holdConnections(load: Load): Promise<SlowClients> {
  return runApart(import.meta.url, load);
}

interface Kind {
  readonly address: string;
  /** What it begins with, and what it goes on with for ever. */
  readonly opening: string;
  readonly drip: string;
  readonly readsSlowly?: boolean;
}

async function run(load: Load): Promise<SlowClients> {
  giveWay();
  const { host } = new URL(load.url);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
  const body = `Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`;
  const kinds: Record<keyof SlowClients, Kind> = {
    heads: { address: "127.0.0.2", opening: `${get("/livez")}X-Slow: `, drip: "x" },
    bodies: {
      address: "127.0.0.3",
      opening: `POST /auth/tokens HTTP/1.1\r\nHost: ${host}\r\n${body}`,
      drip: " ",
    },
    readers: {
      address: "127.0.0.4",
      opening: `${get(load.largePath)}\r\n`,
      drip: "",
      readsSlowly: true,
    },
    idle: { address: "127.0.0.5", opening: "", drip: "" },
  };
  const told = await Promise.all(
    Object.entries(kinds).map(async ([name, kind]) => [name, await hold(load, kind)]),
  );
  return Object.fromEntries(told);
}

async function hold({ url, seconds, ofEachKind }: Load, kind: Kind): Promise<Held> {
  const target = new URL(url);
  const open = new Map<net.Socket, number>();
  let letGo = 0;
  let longestMs = 0;
  let isOver = false;
  const knock = () => {
    if (isOver) return;
    const socket: net.Socket = net.connect({
      host: target.hostname,
      port: Number(target.port),
      localAddress: kind.address,
      noDelay: true,
      ...(kind.readsSlowly ? { onread: byteByByte(() => socket) } : {}),
    });
    if (!kind.readsSlowly) socket.resume();
    let dripping: NodeJS.Timeout | undefined;
    socket.once("connect", () => {
      // Nobody else would ever end one that reads a byte at a time.
      if (isOver) return void socket.destroy();
      open.set(socket, performance.now());
      socket.write(kind.opening);
      if (kind.drip !== "") dripping = setInterval(() => socket.write(kind.drip), DRIP_MS);
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      clearInterval(dripping);
      const since = open.get(socket);
      open.delete(socket);
      if (since !== undefined && !isOver) {
        letGo += 1;
        longestMs = Math.max(longestMs, performance.now() - since);
      }
      setTimeout(knock, KNOCK_MS);
    });
  };
  for (let one = 0; one < ofEachKind; one++)
    setTimeout(knock, (one / ofEachKind) * GATHERING_SECONDS * 1_000);
  const looking = setInterval(() => {
    if (!kind.readsSlowly) return;
    const ended = placesLeftBy(Number(target.port));
    // Each would notice with its own next byte, and not all with our look.
    for (const socket of open.keys())
      if (ended.has(placeOf(socket))) setTimeout(() => socket.destroy(), Math.random() * DRIP_MS);
  }, DRIP_MS);
  await sleep(seconds * 1_000);
  isOver = true;
  clearInterval(looking);
  const held = open.size;
  for (const [socket, since] of open) {
    longestMs = Math.max(longestMs, performance.now() - since);
    socket.destroy();
  }
  return { held, letGo, longestMs };
}

/**
 * Where the connections begin that the server has closed. Who reads a byte a second would see it
 * when it has read all that came before: the word of it waits in the server's kernel behind the
 * rest of the answer, or in ours.
 */
function placesLeftBy(serverPort: number): Set<string> {
  const lines = readFileSync("/proc/net/tcp", "latin1").split("\n").slice(1);
  const ofServer = `:${inHex(serverPort, 2)}`;
  return new Set(
    lines.flatMap((line) => {
      const [, local = "", remote = "", state] = line.trim().split(/\s+/);
      if (state === CLOSE_WAIT) return [local];
      return state === FIN_WAIT_1 && local.endsWith(ofServer) ? [remote] : [];
    }),
  );
}

/** As /proc/net/tcp writes it: the bytes of the address from the last to the first; the port. */
function placeOf({ localAddress = "", localPort = 0 }: net.Socket): string {
  const bytes = localAddress.split(".").reverse();
  return `${bytes.map((byte) => inHex(Number(byte), 1)).join("")}:${inHex(localPort, 2)}`;
}

function inHex(value: number, bytes: number): string {
  return value
    .toString(16)
    .toUpperCase()
    .padStart(2 * bytes, "0");
}

/** Takes one byte from the kernel, then nothing for a while. */
function byteByByte(socket: () => net.Socket) {
  return {
    buffer: Buffer.alloc(1),
    callback() {
      setTimeout(() => socket().resume(), DRIP_MS);
      return false;
    },
  };
}

await answerApart(import.meta.main, run);

/**
 * Clients that hold connections by being slow: they drip a head or a body, read a response a byte
 * at a time, or send nothing. A client that was cut connects again, so that all of them are there
 * all the time. Each kind comes from addresses of its own.
 */

import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { answerApart, giveWay, runApart } from "./run-apart.ts";

/** One byte so often, each connection in its own rhythm. */
const DRIP_MS = 1_000;
/** All of them connect within this time. */
export const GATHERING_SECONDS = 3;
const RECONNECT_MS = 500;
const ADDRESSES_OF_A_KIND = 10;
/** A reader that was cut does not notice while it has bytes to read. */
const READER_MS_MAX = 30_000;

interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly ofEachKind: number;
  /** Public, and large. */
  readonly largePath: string;
}

/** How often a connection of each kind was cut. */
export type Cuts = Record<"heads" | "bodies" | "readers" | "idle", number>;

export function holdSlowSockets(load: Load): Promise<Cuts> {
  return runApart(import.meta.url, load);
}

interface Kind {
  /** What it begins with, and what it goes on with for ever. */
  readonly opening: string;
  readonly drip?: string;
  readonly readsSlowly?: boolean;
}

async function run(load: Load): Promise<Cuts> {
  giveWay();
  const { host } = new URL(load.url);
  const kinds: Record<keyof Cuts, Kind> = {
    heads: { opening: `GET /livez HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `, drip: "x" },
    bodies: {
      opening:
        `POST /auth/tokens HTTP/1.1\r\nHost: ${host}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{",
      drip: " ",
    },
    readers: {
      opening: `GET ${load.largePath} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      readsSlowly: true,
    },
    idle: { opening: "" },
  };
  const cuts = await Promise.all(
    Object.entries(kinds).map(async ([name, kind], at) => [name, await hold(load, kind, at)]),
  );
  return Object.fromEntries(cuts);
}

async function hold({ url, seconds, ofEachKind }: Load, kind: Kind, at: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const open = new Set<net.Socket>();
  let cuts = 0;
  let isOver = false;
  const connect = (one: number) => {
    if (isOver) return;
    const socket: net.Socket = net.connect({
      host: hostname,
      port: Number(port),
      localAddress: `127.0.2.${1 + at * ADDRESSES_OF_A_KIND + (one % ADDRESSES_OF_A_KIND)}`,
      noDelay: true,
      ...(kind.readsSlowly ? { onread: byteByByte(() => socket) } : {}),
    });
    open.add(socket);
    if (!kind.readsSlowly) socket.resume();
    let dripping: NodeJS.Timeout | undefined;
    socket.once("connect", () => {
      socket.write(kind.opening);
      const { drip } = kind;
      if (drip !== undefined) dripping = setInterval(() => socket.write(drip), DRIP_MS);
      if (kind.readsSlowly) dripping = setTimeout(() => socket.destroy(), READER_MS_MAX);
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      clearInterval(dripping);
      open.delete(socket);
      cuts += 1;
      setTimeout(() => connect(one), RECONNECT_MS);
    });
  };
  for (let one = 0; one < ofEachKind; one++)
    setTimeout(() => connect(one), (one / ofEachKind) * GATHERING_SECONDS * 1_000);
  await sleep(seconds * 1_000);
  isOver = true;
  for (const socket of open) socket.destroy();
  return cuts;
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

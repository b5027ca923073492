/**
 * A load of orders, each with an id of its own, by a process of its own: `node post-orders.ts
 * '<json>'`. By hand because autocannon's changing ids break the length of the request. Each
 * connection asks again as soon as it has its answer.
 */

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import net from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BurstResult } from "./autocannon.ts";

/** The service closes a connection after 1,000 requests. */
const REQUESTS_PER_CONNECTION = 900;

interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** All but the order's id. */
  readonly order: object;
  /** Of those who ask, one after the other; absent: nobody signs in. */
  readonly tokens?: readonly string[];
  /** 200 if absent. */
  readonly expected?: number;
}

export async function postOrders(load: Load): Promise<BurstResult> {
  const args = [fileURLToPath(import.meta.url), JSON.stringify(load)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

async function run(load: Load): Promise<BurstResult> {
  const { url, connections, seconds, order, tokens = [], expected = 200 } = load;
  const target = new URL(url);
  const times: number[] = [];
  let failures = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const mark = randomBytes(6).toString("hex");
  let asked = 0;

  const nextRequest = () => {
    asked += 1;
    const body = JSON.stringify({ ...order, order_id: `o-${mark}-${asked}` });
    const token = tokens[asked % tokens.length];
    const credential = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    return (
      `POST ${target.pathname} HTTP/1.1\r\nHost: ${target.host}\r\n${credential}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };

  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = net.connect({ host: target.hostname, port: Number(target.port) });
      socket.setNoDelay(true);
      let left = REQUESTS_PER_CONNECTION;
      let sentAt = 0;
      let received = "";
      const send = () => {
        sentAt = performance.now();
        socket.write(nextRequest());
      };
      socket.once("connect", send);
      socket.once("error", reject);
      socket.once("close", () => resolve());
      socket.on("data", (bytes) => {
        received += bytes.toString("latin1");
        if (!isWhole(received)) return;
        times.push(performance.now() - sentAt);
        if (!received.startsWith(`HTTP/1.1 ${expected}`)) failures += 1;
        received = "";
        left -= 1;
        if (left > 0 && performance.now() < endsAt) send();
        else socket.end();
      });
    });
  const place = async () => {
    while (performance.now() < endsAt) await client();
  };
  await Promise.all(Array.from({ length: connections }, place));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
  return {
    perSecond: (times.length - failures) / ((performance.now() - startedAt) / 1_000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    failures,
  };
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf("\r\n\r\n");
  if (head === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
  return answer.length - head - 4 >= Number(length);
}

const given = process.argv[2];
if (import.meta.main && given !== undefined)
  process.stdout.write(JSON.stringify(await run(JSON.parse(given))));

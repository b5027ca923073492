/**
 * A load of one kind of request, by a process of its own: each connection asks again as soon as it
 * has its response. On bare sockets, because the load shares two cores with what it measures: a
 * whole client spends as much on reading a response as a server on giving it.
 */

import { randomBytes } from "node:crypto";
import net from "node:net";
import { ANSWERS_PER_CONNECTION, createAnswerReader } from "./read-answers.ts";
import { quantile } from "./report.ts";
import { answerApart, runApart } from "./run-apart.ts";

export interface Burst {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** 200 if absent. */
  readonly expected?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Posted, each with an id of its own; absent: a GET. */
  readonly order?: object;
  /** Of the callers, one after the other. */
  readonly tokens?: readonly string[];
  /** Among how many addresses the connections are divided: a proxy has limits for each. */
  readonly addresses?: number;
}

export interface BurstResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Other answers, and connections closed before theirs; a socket's error ends the load. */
  readonly failures: number;
}

export function askAgain(burst: Burst): Promise<BurstResult> {
  return runApart(import.meta.url, burst);
}

async function run(burst: Burst): Promise<BurstResult> {
  const { url, connections, seconds, expected = 200, addresses = 1 } = burst;
  const { hostname, port } = new URL(url);
  const nextRequest = requestMaker(burst);
  const times: number[] = [];
  let served = 0;
  let failures = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;

  const client = (localAddress: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = net.connect({ host: hostname, port: Number(port), localAddress });
      socket.setNoDelay(true);
      let left = ANSWERS_PER_CONNECTION;
      let sentAt = 0;
      let isWaiting = false;
      const send = () => {
        isWaiting = true;
        sentAt = performance.now();
        socket.write(nextRequest());
      };
      socket.once("connect", send);
      socket.once("error", reject);
      socket.once("close", () => {
        if (isWaiting) failures += 1;
        resolve();
      });
      socket.on(
        "data",
        createAnswerReader((status) => {
          isWaiting = false;
          times.push(performance.now() - sentAt);
          if (status === expected) served += 1;
          else failures += 1;
          left -= 1;
          if (left > 0 && performance.now() < endsAt) send();
          else socket.end();
        }),
      );
    });
  const keepAsking = async (_: unknown, one: number) => {
    const localAddress = `127.0.0.${1 + (one % addresses)}`;
    while (performance.now() < endsAt) await client(localAddress);
  };
  await Promise.all(Array.from({ length: connections }, keepAsking));
  return {
    perSecond: served / ((performance.now() - startedAt) / 1_000),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    failures,
  };
}

/** Gives all of the next one, headers and body. */
function requestMaker({ url, headers = {}, order, tokens = [] }: Burst): () => string {
  const { pathname, host } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const common = `${pathname} HTTP/1.1\r\nHost: ${host}\r\n${lines.join("")}`;
  if (order === undefined) return () => `GET ${common}\r\n`;
  const mark = randomBytes(6).toString("hex");
  let asked = 0;
  return () => {
    asked += 1;
    const body = JSON.stringify({ ...order, order_id: `o-${mark}-${asked}` });
    const token = tokens[asked % tokens.length];
    const credential = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    return (
      `POST ${common}${credential}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
}

await answerApart(import.meta.main, run);

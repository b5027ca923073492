/**
 * A load of orders, each with an id of its own, by a process of its own. By hand because
 * autocannon's changing ids break the length of the request. Each connection asks again as soon as
 * it has its answer.
 */

import { randomBytes } from "node:crypto";
import net from "node:net";
import type { BurstResult } from "./autocannon.ts";
import { ANSWERS_PER_CONNECTION, createAnswerReader } from "./read-answers.ts";
import { quantile } from "./report.ts";
import { answerApart, runApart } from "./run-apart.ts";

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

export function postOrders(load: Load): Promise<BurstResult> {
  return runApart(import.meta.url, load);
}

async function run(load: Load): Promise<BurstResult> {
  const { url, connections, seconds, expected = 200 } = load;
  const target = new URL(url);
  const times: number[] = [];
  let served = 0;
  let failures = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const nextRequest = requestMaker(load);

  const client = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = net.connect({ host: target.hostname, port: Number(target.port) });
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
  const place = async () => {
    while (performance.now() < endsAt) await client();
  };
  await Promise.all(Array.from({ length: connections }, place));
  return {
    perSecond: served / ((performance.now() - startedAt) / 1_000),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    failures,
  };
}

function requestMaker({ url, order, tokens = [] }: Load): () => string {
  const { pathname, host } = new URL(url);
  const mark = randomBytes(6).toString("hex");
  let asked = 0;
  return () => {
    asked += 1;
    const body = JSON.stringify({ ...order, order_id: `o-${mark}-${asked}` });
    const token = tokens[asked % tokens.length];
    const credential = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    return (
      `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${credential}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
}

await answerApart(import.meta.main, run);

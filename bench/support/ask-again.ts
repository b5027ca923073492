/**
 * A load of one kind of request: each connection asks again as soon as it has its answer. By hand
 * and on bare sockets, because whoever makes the load shares two cores with what it measures: a
 * whole client spends as much on reading an answer as a server on giving it, and the more headers
 * there are the more.
 */

import net from "node:net";
import { ANSWERS_PER_CONNECTION, createAnswerReader } from "./read-answers.ts";
import { quantile } from "./report.ts";

export interface Burst {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** 200 if absent. */
  readonly expected?: number;
}

export interface BurstResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Other answers, and connections closed before theirs; a socket's error ends the load. */
  readonly failures: number;
}

/** `nextRequest` gives all of the next one, headers and body. */
export async function askAgain(burst: Burst, nextRequest: () => string): Promise<BurstResult> {
  const { url, connections, seconds, expected = 200 } = burst;
  const target = new URL(url);
  const times: number[] = [];
  let served = 0;
  let failures = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;

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

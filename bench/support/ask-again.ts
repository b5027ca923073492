/**
 * A load of one kind of request, by a process of its own: each connection asks again as soon as it
 * has its response.
 */

import { randomBytes } from "node:crypto";
import { openConnection, requestText } from "./connection.ts";
import { quantile } from "./report.ts";
import { answerApart, runApart } from "./run-apart.ts";

export interface Burst {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** 200 if absent. */
  readonly expected?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further paths that are asked for by turns, of a GET. */
  readonly paths?: readonly string[];
  /** Posted, each with an id of its own; absent: a GET. */
  readonly order?: object;
  /** Whose orders they are, one after the other; absent: as the order says. */
  readonly merchants?: readonly string[];
  /** Of the callers, one after the other. */
  readonly tokens?: readonly string[];
  /** Among how many addresses the connections are divided: a proxy has limits for each. */
  readonly addresses?: number;
}

export interface BurstResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Other responses, and none at all. */
  readonly failures: number;
}

export function askAgain(burst: Burst): Promise<BurstResult> {
  return runApart(import.meta.url, burst);
}

async function run(burst: Burst): Promise<BurstResult> {
  const { url, connections, seconds, expected = 200, addresses = 1 } = burst;
  const nextRequest = requestMaker(burst);
  const times: number[] = [];
  let served = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const keepAsking = async (_: unknown, one: number) => {
    const connection = openConnection(url, `127.0.0.${1 + (one % addresses)}`);
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      const { status } = await connection.ask(nextRequest());
      times.push(performance.now() - sentAt);
      if (status === expected) served += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, keepAsking));
  return {
    perSecond: served / ((performance.now() - startedAt) / 1_000),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    failures: times.length - served,
  };
}

function requestMaker(burst: Burst): () => string {
  const { url, headers = {}, paths = [], order, merchants = [], tokens = [""] } = burst;
  let made = 0;
  if (order === undefined) {
    const urls = [url, ...paths.map((path) => new URL(path, url).href)];
    const requests = urls.map((one) => requestText(one, { headers }));
    return () => requests[made++ % requests.length] ?? "";
  }
  const { pathname, host } = new URL(url);
  const heads = tokens.map(
    (token) =>
      `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
      `${token === "" ? "" : `authorization: Bearer ${token}\r\n`}content-length: `,
  );
  const mark = randomBytes(6).toString("hex");
  const merchantOf = (number: number) =>
    merchants.length === 0 ? {} : { account_number: merchants[number % merchants.length] };
  return () => {
    made += 1;
    const body = JSON.stringify({ ...order, ...merchantOf(made), order_id: `o-${mark}-${made}` });
    return `${heads[made % heads.length]}${body.length}\r\n\r\n${body}`;
  };
}

await answerApart(import.meta.main, run);

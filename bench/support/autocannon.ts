/** One burst of load by autocannon, in a process of its own so that it costs the server nothing. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ANSWERS_PER_CONNECTION } from "./read-answers.ts";

const AUTOCANNON = fileURLToPath(
  new URL("../../node_modules/autocannon/autocannon.js", import.meta.url),
);
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export interface Burst {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  readonly method?: "GET" | "POST";
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface BurstResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx, and requests without any. */
  readonly failures: number;
}

export async function fire(burst: Burst): Promise<BurstResult> {
  const headers = Object.entries(burst.headers ?? {}).flatMap(([name, value]) => [
    "-H",
    `${name}=${value}`,
  ]);
  const args = [
    AUTOCANNON,
    "--json",
    "--no-progress",
    ...["--connections", String(burst.connections), "--duration", String(burst.seconds)],
    ...["--method", burst.method ?? "GET", ...headers],
    // It would not notice that the service closed one.
    ...["--reconnectRate", String(ANSWERS_PER_CONNECTION)],
    ...(burst.body === undefined ? [] : ["--body", burst.body]),
    burst.url,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const result = JSON.parse(stdout);
  return {
    perSecond: result["2xx"] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    // Its errors are requests without an answer, too late ones among them.
    failures: result.non2xx + result.errors,
  };
}

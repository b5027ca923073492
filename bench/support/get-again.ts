/** A load of reads of one path, by a process of its own. */

import { askAgain, type Burst, type BurstResult } from "./ask-again.ts";
import { answerApart, runApart } from "./run-apart.ts";

export interface Reads extends Burst {
  readonly headers: Readonly<Record<string, string>>;
}

export function getAgain(reads: Reads): Promise<BurstResult> {
  return runApart(import.meta.url, reads);
}

async function run(reads: Reads): Promise<BurstResult> {
  const { pathname, host } = new URL(reads.url);
  const lines = Object.entries(reads.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${lines.join("")}\r\n`;
  return askAgain(reads, () => request);
}

await answerApart(import.meta.main, run);

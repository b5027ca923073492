/**
 * Given as `TRACING`: records one trace of so many in one turn and none in the next, and says on
 * standard output what each took. A turn begins to count when what was under way has ended.
 */

import { channel } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import { recordNothing, recordSpans } from "../../src/kit/trace.ts";
import { TURN, type Turn } from "./trace-turn.ts";

/** The operator's own file. */
const SDK = new URL("../../docs/operations/tracing.mjs", import.meta.url);
export const { stop } = await import(SDK.href);

const TURN_MS = 900;
const SETTLE_MS = 100;
const ONE_OF = 100;

let answered = 0;
channel("http.server.response.finish").subscribe(() => {
  answered += 1;
});

async function takeTurns(): Promise<never> {
  for (let isTraced = true; ; isTraced = !isTraced) {
    if (isTraced) recordSpans({ oneOf: ONE_OF });
    else recordNothing();
    await sleep(SETTLE_MS);
    const before = { answered, cpu: process.cpuUsage() };
    await sleep(TURN_MS);
    const { user, system } = process.cpuUsage(before.cpu);
    const requests = answered - before.answered;
    const turn: Turn = { isTraced, requests, cpuMs: (user + system) / 1_000 };
    process.stdout.write(`${TURN}${JSON.stringify(turn)}\n`);
  }
}

void takeTurns();

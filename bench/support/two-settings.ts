/**
 * What a setting costs: payment requests per second of two services that differ in it alone, each
 * on a database of its own. They take turns within each round, in the other order every second
 * time, so that a slow moment of the machine slows both. The service's own processor time is
 * measured as well: others on the machine change it less.
 */

import { PATH } from "../../testkit/payment-requests.ts";
import { say } from "../../testkit/tool/say.ts";
import { askAgain, type BurstResult } from "./ask-again.ts";
import { watch } from "./machine.ts";
import { ORDER } from "./open-checkout.ts";
import { takeTurns } from "./quietly.ts";
import { eachOf, medians, round } from "./report.ts";
import type { Pace } from "./scene.ts";
import type { Stage } from "./stage.ts";

const CONNECTIONS = 64;
/** One turn of either is shorter than the noise of the machine. */
const TURNS_PER_ROUND = 4;

export interface TwoStages {
  /** What the setting does, as "the request log". */
  readonly what: string;
  readonly on: Stage;
  readonly off: Stage;
}

export interface Compared {
  readonly onPerSecond: number;
  readonly offPerSecond: number;
  /** Of those without. */
  readonly timesPerSecond: number;
  readonly onCpuMs: number;
  readonly offCpuMs: number;
  /** Of that without. */
  readonly timesCpu: number;
  /** `timesPerSecond` of each. */
  readonly rounds: number[];
}

interface Measured extends BurstResult {
  readonly cpuMsPerRequest: number;
}

type Load = (seconds: number) => Promise<Measured>;

export async function compare({ what, on, off }: TwoStages, pace: Pace): Promise<Compared> {
  const loads = { on: loadOn(on), off: loadOn(off) };
  for (const load of [loads.on, loads.off]) await load(pace.warmUpSeconds);
  const turns = await takeTurns(pace, async (turn) => {
    const found = await playRound(loads, pace.seconds);
    say(
      `round ${turn} of ${pace.rounds}: ${round(found.onPerSecond)}/s with ${what}, ` +
        `${round(found.offPerSecond)}/s without, ${round(found.timesPerSecond)} ×; processor ` +
        `time of the service ${found.onCpuMs.toFixed(3)} ms and ${found.offCpuMs.toFixed(3)} ms ` +
        `a request, ${found.timesCpu.toFixed(3)} ×`,
    );
    return found;
  });
  return { ...medians(turns), rounds: eachOf(turns, "timesPerSecond") };
}

async function playRound(loads: Record<"on" | "off", Load>, seconds: number) {
  const measured: Record<"on" | "off", Measured[]> = { on: [], off: [] };
  for (let part = 0; part < TURNS_PER_ROUND; part++) {
    const order = part % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const);
    for (const which of order) measured[which].push(await loads[which](seconds));
  }
  const on = mean(measured.on);
  const off = mean(measured.off);
  return {
    onPerSecond: on.perSecond,
    offPerSecond: off.perSecond,
    timesPerSecond: on.perSecond / off.perSecond,
    onCpuMs: on.cpuMs,
    offCpuMs: off.cpuMs,
    timesCpu: on.cpuMs / off.cpuMs,
  };
}

function mean(turns: readonly Measured[]): { perSecond: number; cpuMs: number } {
  const of = (figure: (turn: Measured) => number) =>
    turns.reduce((sum, turn) => sum + figure(turn), 0) / turns.length;
  return { perSecond: of((turn) => turn.perSecond), cpuMs: of((turn) => turn.cpuMsPerRequest) };
}

function loadOn({ service }: Stage): Load {
  const url = service.url + PATH;
  return async (seconds) => {
    const load = () => askAgain({ url, connections: CONNECTIONS, order: ORDER, seconds });
    const { result, cpuSeconds } = await watch(service.pid, load);
    if (result.failures > 0) throw new Error(`${result.failures} payment requests failed`);
    return { ...result, cpuMsPerRequest: (cpuSeconds * 1_000) / (result.perSecond * seconds) };
  };
}

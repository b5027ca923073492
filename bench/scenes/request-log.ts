/**
 * What the request log costs (P11): payment requests per second of two services that differ in
 * `REQUEST_LOG` alone, each on a database of its own. They take turns within each round, in the
 * other order every second time, so that a slow moment of the machine slows both. The service's
 * own processor time is measured as well: others on the machine change it less.
 */

import { PATH } from "../../testkit/payment-requests.ts";
import { say } from "../../testkit/tool/say.ts";
import { askAgain, type BurstResult } from "../support/ask-again.ts";
import { watch } from "../support/machine.ts";
import { ORDER } from "../support/open-checkout.ts";
import { takeTurns } from "../support/quietly.ts";
import { medians, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";

const CONNECTIONS = 64;
/** One turn of either is shorter than the noise of the machine. */
const TURNS_PER_ROUND = 4;

export const requestLog: Scene = {
  name: "request-log",
  play: (stage, pace) =>
    onItsOwn(stage, "logged", (logged) =>
      onItsOwn(withoutLog(stage), "unlogged", (unlogged) => play({ logged, unlogged }, pace)),
    ),
};

function withoutLog(stage: Stage): Stage {
  return { ...stage, settings: { ...stage.settings, REQUEST_LOG: "off" } };
}

interface Measured extends BurstResult {
  readonly cpuMsPerRequest: number;
}

type Load = (seconds: number) => Promise<Measured>;

async function play(
  { logged, unlogged }: { logged: Stage; unlogged: Stage },
  pace: Pace,
): Promise<Outcome> {
  const on = loadOn(logged);
  const off = loadOn(unlogged);
  for (const load of [on, off]) await load(pace.warmUpSeconds);
  const turns = await takeTurns(pace, (turn) => playRound({ on, off }, pace, turn));
  const figures = medians(turns);
  return {
    figures,
    goals: [
      {
        number: "P11",
        what: "payment requests with the request log",
        measured: figures.timesUnlogged,
        unit: "× without",
        goal: { atLeast: 0.97 },
      },
    ],
  };
}

async function playRound(
  { on, off }: { on: Load; off: Load },
  { seconds, rounds }: Pace,
  turn: number,
) {
  const measured: Record<"on" | "off", Measured[]> = { on: [], off: [] };
  for (let part = 0; part < TURNS_PER_ROUND; part++) {
    const order = part % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const);
    for (const which of order) measured[which].push(await (which === "on" ? on : off)(seconds));
  }
  const logged = mean(measured.on);
  const unlogged = mean(measured.off);
  const timesUnlogged = logged.perSecond / unlogged.perSecond;
  const timesCpu = logged.cpuMs / unlogged.cpuMs;
  say(
    `round ${turn} of ${rounds}: ${round(logged.perSecond)}/s with the log, ` +
      `${round(unlogged.perSecond)}/s without, ${round(timesUnlogged)} ×; processor time of the ` +
      `service ${round(logged.cpuMs)} ms and ${round(unlogged.cpuMs)} ms a request`,
  );
  const { perSecond: loggedPerSecond, cpuMs: loggedCpuMs } = logged;
  const { perSecond: unloggedPerSecond, cpuMs: unloggedCpuMs } = unlogged;
  const perSecond = { loggedPerSecond, unloggedPerSecond, timesUnlogged };
  return { ...perSecond, loggedCpuMs, unloggedCpuMs, timesCpu };
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

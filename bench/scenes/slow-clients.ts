/**
 * What honest clients notice of 2,000 slow ones: the 99th percentile of reads and payment requests
 * at a steady rate, while nothing else happens and while heads and bodies are dripped, answers read
 * a byte at a time and connections held for nothing. And what the slow ones get: no honest request
 * fails, each of them is let go in the time that is documented, memory stays bounded.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../../testkit/tool/say.ts";
import { asInProduction } from "../support/as-in-production.ts";
import {
  GATHERING_SECONDS,
  type Held,
  holdConnections,
  type SlowClients,
} from "../support/hold-connections.ts";
import { honestClients } from "../support/honest-clients.ts";
import { failuresOf, p99Of, type Sample } from "../support/honest-load.ts";
import { noteStolenMoments, QUIET_HOST, undisturbed, watch } from "../support/machine.ts";
import { type Goal, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const OF_EACH_KIND = 500;
/** Until none of them is there any more. */
const SETTLING_MS = 1_000;
/** What is not counted when honest clients begin. */
const START_MS = 1_000;
/** When each kind has to be gone, as docs/operations.md says. */
const LET_GO_SECONDS: Record<keyof SlowClients, number> = {
  heads: 11,
  idle: 11,
  bodies: 15,
  // The kernel takes all of the answer they ask for, so they go as idle ones do; and they notice
  // up to a second later.
  readers: 12,
};
/** They look once a second whether they were let go, on a machine that is busy. */
const TOLERANCE_SECONDS = 2;

export const slowness: Scene = {
  name: "slow-clients",
  play: (stage, pace) => asInProduction(stage, "slow_clients", (own) => play(own, pace)),
};

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  // Alone for as long as beside them, in two halves: what the machine does by itself now and then
  // has to have its chance in both.
  const seconds = pace.isQuick ? { idle: 2, attacked: 4 } : { idle: 17, attacked: 34 };
  const honest = await honestClients(stage);
  await honest(pace.warmUpSeconds);
  const moments = noteStolenMoments();
  const before = await honest(seconds.idle);
  const attack = holdConnections({
    url: stage.service.url,
    seconds: GATHERING_SECONDS + seconds.attacked + 1,
    ofEachKind: OF_EACH_KIND,
    largePath: "/openapi.json",
  });
  await sleep(GATHERING_SECONDS * 1_000);
  const seen = await watch(stage.service.pid, () => honest(seconds.attacked));
  const slow = await attack;
  await sleep(SETTLING_MS);
  // On both sides of it, so that a slow minute of the machine slows both.
  const after = await honest(seconds.idle);
  const isOurs = moments.stop();
  const idle = undisturbed([...withoutStart(before), ...withoutStart(after)], isOurs);
  const attacked = undisturbed(withoutStart(seen.result), isOurs);
  const all = { idle: [...before, ...after], attacked: seen.result };
  const figures = {
    idleP99Ms: p99Of(idle.samples),
    attackedP99Ms: p99Of(attacked.samples),
    counted: { idle: idle.samples.length, attacked: attacked.samples.length },
    p99MsOfAll: { idle: p99Of(all.idle), attacked: p99Of(all.attacked) },
    honestRequests: seen.result.length,
    honestFailures: failuresOf([...all.idle, ...all.attacked]),
    residentMbMax: seen.residentMbMax,
    cpuShare: seen.cpuSeconds / seconds.attacked,
    slow,
  };
  const both = `${round(figures.idleP99Ms)} and ${round(figures.attackedP99Ms)} ms`;
  say(`p99 of honest clients, alone and beside slow ones: ${both}`);
  const { counted } = figures;
  say(`of ${counted.idle} and ${counted.attacked} requests while the host left us our processors`);
  const ofAll = `${round(figures.p99MsOfAll.idle)} and ${round(figures.p99MsOfAll.attacked)} ms`;
  say(`and of all ${all.idle.length} and ${all.attacked.length}: ${ofAll}`);
  for (const [kind, held] of Object.entries(slow)) say(`${kind}: ${told(held)}`);
  return {
    figures,
    goals: goalsOf(figures, pace),
    ...(idle.isEnough && attacked.isEnough ? {} : { missing: QUIET_HOST }),
  };
}

/** The process that measures has only just started: its own first second is slow. */
function withoutStart(samples: readonly Sample[]): Sample[] {
  const beganAt = Math.min(...samples.map(({ at }) => at));
  return samples.filter(({ at }) => at >= beganAt + START_MS);
}

function told({ held, letGo, longestMs }: Held): string {
  return `${held} held on, ${letGo} were let go, the longest after ${round(longestMs / 1_000)} s`;
}

interface Figures {
  readonly idleP99Ms: number;
  readonly attackedP99Ms: number;
  readonly honestFailures: number;
  readonly residentMbMax: number;
  readonly slow: SlowClients;
}

function goalsOf(figures: Figures, { isQuick }: Pace): Goal[] {
  const { idleP99Ms, attackedP99Ms, honestFailures, residentMbMax, slow } = figures;
  const beside = "beside 2,000 slow clients";
  const timesIdle = attackedP99Ms / idleP99Ms;
  return [
    { what: `p99 ${beside}`, measured: timesIdle, unit: "× idle", goal: { below: 2 } },
    { what: `failures ${beside}`, measured: honestFailures, unit: "", goal: { below: 1 } },
    { what: `memory ${beside}`, measured: residentMbMax, unit: "MB", goal: { below: 400 } },
    // A quick run is over before the last of them has to go.
    ...(isQuick ? [] : Object.entries(LET_GO_SECONDS)).map(([kind, documented]): Goal => {
      const measured = slow[kind as keyof SlowClients].longestMs / 1_000;
      const below = documented + TOLERANCE_SECONDS;
      return { what: `slow ${kind} let go`, measured, unit: "s", goal: { below } };
    }),
  ];
}

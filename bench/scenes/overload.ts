/**
 * Ten times as many payment requests as the service can take: how many it still serves in time
 * beside its best, how it refuses the others, whether it can be asked after its health meanwhile,
 * and how long it takes afterwards until nobody notices anything any more. And the same question
 * for the dearest request there is: what those who are signed in notice of 500 sign-ins at once.
 *
 * Its best is what it serves just before, with the same honest clients beside it: what these cost
 * belongs to neither side. It is flooded several times, because the machine is quick now and slow
 * then; the middle one counts for goodput, and the worst for everything else. How soon all is well
 * again is judged by moments in which the host left us our processors.
 */

import { demoSignIn } from "../../testkit/ask.ts";
import { PATH } from "../../testkit/payment-requests.ts";
import { say } from "../../testkit/tool/say.ts";
import { asInProduction } from "../support/as-in-production.ts";
import { askAfterHealth } from "../support/ask-after-health.ts";
import { flood } from "../support/flood.ts";
import { type HonestClients, honestClients } from "../support/honest-clients.ts";
import { failuresOf, p99Of, type Sample } from "../support/honest-load.ts";
import { noteStolenMoments, QUIET_HOST, undisturbed, watch } from "../support/machine.ts";
import { ORDER } from "../support/open-checkout.ts";
import { postOrders } from "../support/post-orders.ts";
import { type Goal, median, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const TIMES_PEAK = 10;
const CONNECTIONS = 400;
const TOGETHER = 4;
const USEFUL_MS = 5_000;
/** Of those who order at the peak. With honest clients beside them none is one too many. */
const FEW = 64;
const MANY = 192;
const SIGN_INS_AT_ONCE = 500;
/** A proxy that checks each second, as docs/operations/haproxy.cfg has it, waits no longer. */
const HEALTH_MS_MAX = 1_000;
/** So long a stretch is looked at when it is asked whether all is well again. */
const WELL_MS = 3_000;
const LOOK_EVERY_MS = 250;

export const overload: Scene = {
  name: "overload",
  play: (stage, pace) => asInProduction(stage, "overload", (own) => play(own, pace)),
};

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const seconds = pace.isQuick
    ? { rounds: 1, peak: 2, idle: 4, flood: 4, after: 8, signIns: 3 }
    : { rounds: 3, peak: 4, idle: 8, flood: 8, after: 8, signIns: 5 };
  const honest = await honestClients(stage);
  const connections = await findBestConnections(stage, pace, seconds.peak);
  const moments = noteStolenMoments();
  const idle = await honest(seconds.idle);
  const idleStretches = stretchesOf(idle, moments.stop());
  const idleP99Ms = p99Of(idle);
  const wellMs = 2 * Math.max(...idleStretches.filter(isKnown).map(({ p99Ms }) => p99Ms));
  const findPeak = async () => {
    const peak = await servedAtBest(stage, honest, { connections, seconds: seconds.peak });
    say(`at its best: ${round(peak)} payment requests/s`);
    return peak;
  };
  let before = await pace.quietly(findPeak);
  const all: Drowned[] = [];
  const takeTurn = async (): Promise<Drowned> => {
    const drowned = await drown(stage, honest, { ...seconds, peak: before, wellMs });
    const after = await findPeak();
    // Beside the better of the two around it: a service gets faster the longer it runs.
    const peak = Math.max(before, after);
    const goodput = drowned.flooded.goodPerSecond / peak;
    const measured = { ...drowned, peak, after, goodput };
    all.push(measured);
    return measured;
  };
  const floods: Drowned[] = [];
  for (let turn = 1; turn <= seconds.rounds; turn++) {
    floods.push(await pace.quietly(takeTurn));
    before = floods.at(-1)?.after ?? before;
  }
  const signIns = await pace.quietly(() => signInAll(stage, honest, seconds.signIns));
  const figures = { connections, idleP99Ms, wellMs, floods, all, signIns };
  const wasQuiet = idleStretches.some(isKnown) && floods.every(({ isKnownAfter }) => isKnownAfter);
  return {
    figures,
    goals: goalsOf(figures),
    ...(wasQuiet ? {} : { missing: QUIET_HOST }),
  };
}

/** With how many it serves the most differs from machine to machine. */
async function findBestConnections(stage: Stage, pace: Pace, seconds: number): Promise<number> {
  const load = { url: stage.service.url + PATH, order: ORDER };
  await postOrders({ ...load, connections: FEW, seconds: pace.warmUpSeconds });
  const few = await postOrders({ ...load, connections: FEW, seconds });
  const many = await postOrders({ ...load, connections: MANY, seconds });
  return few.perSecond > many.perSecond ? FEW : MANY;
}

async function servedAtBest(
  stage: Stage,
  honest: HonestClients,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const beside = honest(seconds);
  const load = { url: stage.service.url + PATH, order: ORDER };
  const { perSecond, failures } = await postOrders({ ...load, connections, seconds });
  await beside;
  if (failures > 0) say(`${failures} were refused at the peak`);
  return perSecond;
}

interface Drowned extends Awaited<ReturnType<typeof drown>> {
  readonly peak: number;
  /** What was served at best when it was over. */
  readonly after: number;
  readonly goodput: number;
}

async function drown(
  stage: Stage,
  honest: HonestClients,
  given: { peak: number; wellMs: number; flood: number; after: number },
) {
  const health = askAfterHealth(stage);
  const moments = noteStolenMoments();
  const honestly = honest(given.flood + given.after);
  const { result: flooded, ...costs } = await watch(stage.service.pid, () =>
    flood({
      url: stage.service.url + PATH,
      seconds: given.flood,
      perSecond: Math.round(given.peak * TIMES_PEAK),
      connections: CONNECTIONS,
      together: TOGETHER,
      usefulMs: USEFUL_MS,
      fields: ORDER,
    }),
  );
  const checks = await health.end();
  const samples = await honestly;
  const during = samples.filter(({ at }) => at < flooded.endedAt);
  const after = samples.filter(({ at }) => at >= flooded.endedAt);
  const stretches = stretchesOf(after, moments.stop());
  const recoverySeconds = recoveryOf(stretches, flooded.endedAt, given.wellMs);
  const perSecond = (count: number) => `${round(count / flooded.seconds)}/s`;
  say(
    `offered ${perSecond(flooded.sent)}: served ${round(flooded.goodPerSecond)}/s in time, told ` +
      `to come back ${perSecond(flooded.refused)}, cut off behind such an answer ` +
      `${perSecond(flooded.cutOff)}; well again after ${round(recoverySeconds)} s`,
  );
  return {
    flooded,
    ...costs,
    recoverySeconds,
    isKnownAfter: stretches.every(isKnown),
    health: checks,
    honestServed: 1 - failuresOf(during) / during.length,
    honestP99Ms: p99Of(during),
  };
}

/**
 * Seconds from the end of the flood to when all was well and stayed so; may be never. Beside the
 * worst stretch of the same length while nothing happened: a garbage collection is in some of
 * them, with a flood or without.
 */
function recoveryOf(after: readonly Stretch[], endedAt: number, below: number): number {
  const isWell = (stretch: Stretch) =>
    isKnown(stretch) && stretch.failures === 0 && stretch.p99Ms < below;
  const lastBad = after.findLastIndex((stretch) => !isWell(stretch));
  const wellFrom = after[lastBad + 1]?.from ?? Number.POSITIVE_INFINITY;
  return (wellFrom - endedAt) / 1_000;
}

interface Stretch {
  /** By the wall clock. */
  readonly from: number;
  /** A failure is one, whoever had our processors. */
  readonly failures: number;
  /** Of moments in which we had them; not a number where that was too little of it. */
  readonly p99Ms: number;
}

function isKnown({ p99Ms }: Stretch): boolean {
  return !Number.isNaN(p99Ms);
}

function stretchesOf(
  samples: readonly Sample[],
  isOurs: Parameters<typeof undisturbed>[1],
): Stretch[] {
  const times = samples.map(({ at }) => at);
  const last = Math.max(...times);
  const stretches: Stretch[] = [];
  for (let from = Math.min(...times); from + WELL_MS <= last; from += LOOK_EVERY_MS) {
    const all = samples.filter(({ at }) => at >= from && at < from + WELL_MS);
    const own = undisturbed(all, isOurs);
    const p99Ms = own.isEnough ? p99Of(own.samples) : Number.NaN;
    stretches.push({ from, failures: failuresOf(all), p99Ms });
  }
  return stretches;
}

/** As many a second as would sign in at once, which is what those do that come back when told. */
async function signInAll(stage: Stage, honest: HonestClients, seconds: number) {
  const idle = await honest(seconds);
  const storm = flood({
    url: `${stage.service.url}/auth/tokens`,
    seconds: seconds + 1,
    perSecond: SIGN_INS_AT_ONCE,
    connections: SIGN_INS_AT_ONCE,
    together: 1,
    usefulMs: USEFUL_MS,
    fields: demoSignIn().json as object,
  });
  const beside = await honest(seconds);
  const { good, refused, others, unanswered } = await storm;
  const figures = { idleP99Ms: p99Of(idle), p99Ms: p99Of(beside) };
  const both = `${round(figures.idleP99Ms)} and ${round(figures.p99Ms)} ms`;
  say(`p99 of honest clients, alone and beside 500 sign-ins at once: ${both}`);
  return { ...figures, failures: failuresOf(beside), good, refused, others, unanswered };
}

interface Figures {
  readonly floods: readonly Drowned[];
  /** Those that were played again, too: nobody goes unanswered, whatever the host does. */
  readonly all: readonly Drowned[];
  readonly signIns: Awaited<ReturnType<typeof signInAll>>;
}

function goalsOf({ floods, all, signIns }: Figures): Goal[] {
  const worst = (pick: (flood: Drowned) => number) => Math.max(...floods.map(pick));
  const worstOfAll = (pick: (flood: Drowned) => number) => Math.max(...all.map(pick));
  const at = "at 10 × peak";
  const signingIn = "beside 500 sign-ins";
  const timesIdle = signIns.p99Ms / signIns.idleP99Ms;
  const none = { below: 1 };
  return [
    {
      what: `goodput ${at}`,
      measured: median(floods.map(({ goodput }) => goodput)),
      unit: "× peak",
      goal: { atLeast: 0.8 },
    },
    { what: `neither 2xx nor 503 ${at}`, measured: worstOfAll(wrongIn), unit: "", goal: none },
    {
      what: `unanswered, and not behind a 503, ${at}`,
      measured: worstOfAll(({ flooded }) => flooded.unanswered),
      unit: "",
      goal: none,
    },
    {
      what: `a refusal ${at}, p50`,
      measured: worst(({ flooded }) => flooded.refusedP50Ms),
      unit: "ms",
      goal: { below: 1_000 },
    },
    {
      what: `health unanswered ${at}`,
      measured: worstOfAll(({ health }) => health.reduce((sum, { failed }) => sum + failed, 0)),
      unit: "",
      goal: none,
    },
    {
      what: `health ${at}, slowest`,
      measured: worst(({ health }) => Math.max(...health.map(({ slowestMs }) => slowestMs))),
      unit: "ms",
      goal: { below: HEALTH_MS_MAX },
    },
    {
      what: `well again after it`,
      measured: worst(({ recoverySeconds }) => recoverySeconds),
      unit: "s",
      goal: { below: 5 },
    },
    { what: `p99 ${signingIn}`, measured: timesIdle, unit: "× idle", goal: { below: 2 } },
    { what: `failures ${signingIn}`, measured: signIns.failures, unit: "", goal: none },
  ];
}

function wrongIn({ flooded: { rude, others } }: Drowned): number {
  return Object.values(others).reduce((sum, count) => sum + count, rude);
}

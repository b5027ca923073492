/**
 * Ten times as many payment requests as can be served, at the shipped HAProxy: how many are still
 * served in time beside the peak, how the others are refused, and how long it takes afterwards
 * until honest clients notice nothing any more. And the same for the most expensive request: what
 * they notice of 500 sign-ins at once.
 *
 * The peak is measured just before and after, with the same honest clients beside it. There are
 * several floods, because the machine is quick now and slow then; the middle one counts for
 * goodput, and the worst for everything else. Recovery is judged by moments in which the host left
 * us our processors.
 */

import { demoSignIn } from "../../testkit/ask.ts";
import { PATH } from "../../testkit/payment-requests.ts";
import { say } from "../../testkit/tool/say.ts";
import { askAgain } from "../support/ask-again.ts";
import { flood } from "../support/flood.ts";
import {
  failuresOf,
  type HonestClients,
  honestClients,
  p99Of,
  type Sample,
} from "../support/honest-load.ts";
import { noteStolenMoments, QUIET_HOST, undisturbed, watch } from "../support/machine.ts";
import { ORDER } from "../support/open-checkout.ts";
import { type Goal, median, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import { behindProxy, type ProxiedStage } from "../support/stage.ts";

const TIMES_PEAK = 10;
/** Of the flood, each with a batch of requests under way. */
const CONNECTIONS = 2_000;
const BATCH = 4;
/** As many as there are slots at the proxy; with honest clients beside them none is too many. */
const PEAK_CONNECTIONS = [64, 192];
const PEAK_ADDRESSES = 50;
const SIGN_INS_AT_ONCE = 500;
/** The length of a stretch that is looked at for whether all is well again. */
const WELL_MS = 3_000;
const LOOK_EVERY_MS = 250;

export const overload: Scene = {
  name: "overload",
  play: (stage, pace) => behindProxy(stage, "overload", (own) => play(own, pace)),
};

async function play(stage: ProxiedStage, pace: Pace): Promise<Outcome> {
  const seconds = pace.isQuick
    ? { rounds: 1, peak: 2, idle: 4, flood: 4, after: 8, signIns: 3 }
    : { rounds: 3, peak: 4, idle: 8, flood: 8, after: 8, signIns: 5 };
  const honest = await honestClients(stage, stage.proxy.url);
  const connections = await findBestConnections(stage, pace, seconds.peak);
  const moments = noteStolenMoments();
  const idleStretches = stretchesOf(await honest(seconds.idle), moments.stop());
  const wellMs = 2 * Math.max(...idleStretches.filter(isKnown).map(({ p99Ms }) => p99Ms));
  const findPeak = async () => {
    const beside = honest(seconds.peak);
    const { perSecond, failures } = await postOrders(stage, { connections, seconds: seconds.peak });
    await beside;
    say(`at its best: ${round(perSecond)} payment requests/s, ${failures} refused`);
    return perSecond;
  };
  let before = await pace.quietly(findPeak);
  const floods: Drowned[] = [];
  for (let turn = 1; turn <= seconds.rounds; turn++) {
    const drowned = await pace.quietly(async () => {
      const measured = await drown(stage, honest, { ...seconds, peak: before, wellMs });
      const after = await findPeak();
      // Beside the better of the two around it: a service gets faster the longer it runs.
      const peak = Math.max(before, after);
      return { ...measured, peak, after, goodput: measured.flooded.goodPerSecond / peak };
    });
    before = drowned.after;
    floods.push(drowned);
  }
  const signIns = await pace.quietly(() => signInAll(stage, honest, seconds.signIns));
  const figures = { connections, wellMs, floods, signIns };
  const wasQuiet = idleStretches.some(isKnown) && floods.every(({ isKnownAfter }) => isKnownAfter);
  return { figures, goals: goalsOf(figures), ...(wasQuiet ? {} : { missing: QUIET_HOST }) };
}

function postOrders(stage: ProxiedStage, load: { connections: number; seconds: number }) {
  const url = stage.proxy.url + PATH;
  return askAgain({ ...load, url, order: ORDER, addresses: PEAK_ADDRESSES });
}

/** With how many connections the most is served differs from machine to machine. */
async function findBestConnections(
  stage: ProxiedStage,
  pace: Pace,
  seconds: number,
): Promise<number> {
  const [few = 0, many = 0] = PEAK_CONNECTIONS;
  await postOrders(stage, { connections: few, seconds: pace.warmUpSeconds });
  const withFew = await postOrders(stage, { connections: few, seconds });
  const withMany = await postOrders(stage, { connections: many, seconds });
  return withFew.perSecond > withMany.perSecond ? few : many;
}

interface Drowned extends Awaited<ReturnType<typeof drown>> {
  readonly peak: number;
  /** The peak when it was over. */
  readonly after: number;
  readonly goodput: number;
}

async function drown(
  stage: ProxiedStage,
  honest: HonestClients,
  given: { peak: number; wellMs: number; flood: number; after: number },
) {
  const moments = noteStolenMoments();
  const honestly = honest(given.flood + given.after);
  const { result: flooded, ...costs } = await watch(stage.service.pid, () =>
    flood({
      url: stage.proxy.url + PATH,
      seconds: given.flood,
      perSecond: Math.round(given.peak * TIMES_PEAK),
      connections: CONNECTIONS,
      batch: BATCH,
      fields: ORDER,
    }),
  );
  const samples = await honestly;
  const during = samples.filter(({ at }) => at < flooded.endedAt);
  const after = samples.filter(({ at }) => at >= flooded.endedAt);
  const stretches = stretchesOf(after, moments.stop());
  const recoverySeconds = recoveryOf(stretches, flooded.endedAt, given.wellMs);
  const honestServed = 1 - failuresOf(during) / during.length;
  say(
    `offered ${round(flooded.sentPerSecond)}/s: served ${round(flooded.goodPerSecond)}/s in ` +
      `time, refused ${flooded.refused}, unanswered ${flooded.unanswered}; of honest clients ` +
      `${round(100 * honestServed)} % were served; well again after ${round(recoverySeconds)} s`,
  );
  return {
    flooded,
    timesOffered: flooded.sentPerSecond / given.peak,
    ...costs,
    recoverySeconds,
    isKnownAfter: stretches.every(isKnown),
    timesDown: await timesDown(stage),
    honestServed,
    honestP99Ms: p99Of(during),
  };
}

/** How often the proxy took the service for dead, because its health checks failed. */
async function timesDown({ proxy }: ProxiedStage): Promise<number> {
  const [head = "", ...lines] = (await proxy.command("show stat")).split("\n");
  const at = head.split(",").indexOf("chkdown");
  const own = lines.find((line) => line.startsWith("web,web1,")) ?? "";
  return Number(own.split(",")[at]);
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
  /** A failure counts, whether or not we had our processors. */
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

/** As many a second as would sign in at once, which is what clients do that come back in time. */
async function signInAll(stage: ProxiedStage, honest: HonestClients, seconds: number) {
  const idle = await honest(seconds);
  const storm = flood({
    url: `${stage.proxy.url}/auth/tokens`,
    seconds: seconds + 1,
    perSecond: SIGN_INS_AT_ONCE,
    connections: SIGN_INS_AT_ONCE,
    batch: 1,
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
  readonly signIns: Awaited<ReturnType<typeof signInAll>>;
}

function goalsOf({ floods, signIns }: Figures): Goal[] {
  const worst = (pick: (drowned: Drowned) => number) => Math.max(...floods.map(pick));
  const goodput = median(floods.map((one) => one.goodput));
  const offered = median(floods.map(({ timesOffered }) => timesOffered));
  const at = "at 10 × peak";
  const signingIn = "beside 500 sign-ins";
  const timesIdle = signIns.p99Ms / signIns.idleP99Ms;
  const none = { unit: "", goal: { below: 1 } };
  return [
    { what: `offered ${at}`, measured: offered, unit: "× peak", goal: { atLeast: 8 } },
    { what: `goodput ${at}`, measured: goodput, unit: "× peak", goal: { atLeast: 0.8 } },
    { what: `neither 2xx, 429 nor 503 ${at}`, measured: worst(othersIn), ...none },
    { what: `unanswered ${at}`, measured: worst(({ flooded }) => flooded.unanswered), ...none },
    {
      what: `a refusal ${at}, p50`,
      measured: worst(({ flooded }) => flooded.refusedP50Ms),
      unit: "ms",
      goal: { below: 1_000 },
    },
    { what: `taken for dead ${at}`, measured: worst((one) => one.timesDown), ...none },
    {
      what: "well again after it",
      measured: worst(({ recoverySeconds }) => recoverySeconds),
      unit: "s",
      goal: { below: 5 },
    },
    { what: `p99 ${signingIn}`, measured: timesIdle, unit: "× idle", goal: { below: 2 } },
    { what: `failures ${signingIn}`, measured: signIns.failures, ...none },
  ];
}

function othersIn({ flooded: { others } }: Drowned): number {
  return Object.values(others).reduce((sum, count) => sum + count, 0);
}

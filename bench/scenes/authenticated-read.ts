/**
 * Authenticated reads (P3) beside a bare Fastify route that sends the same JSON: how much of the
 * speed of the framework is left once who calls is asked of the database, every request is counted
 * and, of a transaction, its row is read. `whoami` is the read that needs nothing else.
 *
 * The contenders take turns within each round, so that a slow minute of the machine slows all.
 */

import { say } from "../../testkit/tool/say.ts";
import { type Bare, startBare } from "../peers/start-bare.ts";
import { askAgain, type Burst, type BurstResult } from "../support/ask-again.ts";
import { watch } from "../support/machine.ts";
import { openCheckout } from "../support/open-checkout.ts";
import { takeTurns } from "../support/quietly.ts";
import { eachOf, type Goal, medians, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const CONNECTIONS = 64;

interface Contender {
  readonly name: string;
  readonly pid: number;
  readonly reads: Omit<Burst, "seconds">;
}

interface Turn extends BurstResult {
  readonly name: string;
  /** Beside the bare route of the same round. */
  readonly timesBare: number;
  readonly residentMbMax: number;
  readonly cpuMicrosPerRequest: number;
}

interface Figures extends Turn {
  /** `timesBare` of each. */
  readonly rounds: number[];
}

export const reads: Scene = { name: "reads", play };

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const { transactionId } = await openCheckout(stage, { orderId: `read-${Date.now()}` });
  const paths = ["/auth/whoami", `/transactions/${transactionId}`];
  const bodies = await Promise.all(
    paths.map(async (path) => [path, (await stage.service.ask(path, stage)).text]),
  );
  const bare = await startBare(Object.fromEntries(bodies));
  try {
    const races = paths.map((path) => contendersOf(stage, bare, path));
    for (const { name, reads } of races.flat()) {
      say(`warming up: ${name}`);
      await askAgain({ ...reads, seconds: pace.warmUpSeconds });
    }
    const figures: Figures[] = [];
    for (const contenders of races) figures.push(...(await compare(contenders, pace)));
    return { figures, goals: goalsOf(figures) };
  } finally {
    bare.end();
  }
}

/** First the one that the others are held against. */
function contendersOf(stage: Stage, bare: Bare, path: string): Contender[] {
  const { pid, url } = stage.service;
  const what = path === "/auth/whoami" ? "whoami" : "a transaction";
  const bearer = { headers: { authorization: `Bearer ${stage.token}` } };
  const read = { url: `${url}${path}`, connections: CONNECTIONS };
  return [
    {
      name: `${what}, bare Fastify`,
      pid: bare.pid,
      // The same request, down to the header that nobody reads there.
      reads: { ...read, ...bearer, url: `${bare.address}${path}` },
    },
    { name: `${what}, bearer token`, pid, reads: { ...read, ...bearer } },
    {
      name: `${what}, API key`,
      pid,
      reads: { ...read, headers: { "x-svc-key": stage.key } },
    },
  ];
}

async function compare(contenders: readonly Contender[], pace: Pace): Promise<Figures[]> {
  const turns = await takeTurns(pace, (turn) => race(contenders, pace, turn));
  return contenders.map((_, at) => middle(turns.flatMap((turn) => turn[at] ?? [])));
}

async function race(
  contenders: readonly Contender[],
  { seconds, rounds }: Pace,
  turn: number,
): Promise<Turn[]> {
  const all: Turn[] = [];
  for (const contender of contenders) {
    const seen = await measure(contender, seconds);
    all.push({ ...seen, timesBare: seen.perSecond / (all[0] ?? seen).perSecond });
    say(`round ${turn} of ${rounds}: ${contender.name} ${round(seen.perSecond)}/s`);
  }
  return all;
}

async function measure(
  { name, pid, reads }: Contender,
  seconds: number,
): Promise<Omit<Turn, "timesBare">> {
  const seen = await watch(pid, () => askAgain({ ...reads, seconds }));
  const requests = seen.result.perSecond * seconds;
  return {
    name,
    ...seen.result,
    residentMbMax: seen.residentMbMax,
    cpuMicrosPerRequest: (seen.cpuSeconds / requests) * 1e6,
  };
}

/** The median of each figure over the rounds; of failures and memory the most. */
function middle(rounds: readonly Turn[]): Figures {
  const most = (pick: (figures: Turn) => number) => Math.max(...rounds.map(pick));
  return {
    name: rounds[0]?.name ?? "",
    ...medians(rounds.map(({ name, ...figures }) => figures)),
    rounds: eachOf(rounds, "timesBare"),
    failures: most(({ failures }) => failures),
    residentMbMax: most(({ residentMbMax }) => residentMbMax),
  };
}

function goalsOf(figures: readonly Figures[]): Goal[] {
  const ours = figures.filter(({ name }) => !name.endsWith("bare Fastify"));
  const memory = Math.max(...ours.map(({ residentMbMax }) => residentMbMax));
  return [
    ...ours.map(({ name, timesBare: measured, rounds }): Goal => {
      const goal = { atLeast: 0.5 };
      return { number: "P3", what: name, measured, rounds, unit: "× bare", goal };
    }),
    { what: "memory under these reads", measured: memory, unit: "MB", goal: { below: 200 } },
  ];
}

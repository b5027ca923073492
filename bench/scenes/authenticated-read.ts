/**
 * Authenticated reads (P3) beside a bare Fastify route that sends the same JSON: how much of the
 * speed of the framework is left once who calls is asked of the database, every request is counted
 * and, of a transaction, its row is read. `whoami` is the read that needs nothing else.
 *
 * The contenders take turns within each round, so that a slow minute of the machine slows all.
 */

import { say } from "../../scripts/tool/say.ts";
import { type Bare, startBare } from "../peers/start-bare.ts";
import type { BurstResult } from "../support/ask-again.ts";
import { getAgain, type Reads } from "../support/get-again.ts";
import { watch } from "../support/machine.ts";
import { openCheckout } from "../support/open-checkout.ts";
import { type Goal, median, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";

const CONNECTIONS = 64;

interface Contender {
  readonly name: string;
  readonly pid: number;
  readonly reads: Omit<Reads, "seconds">;
  /** The name of the one it is held against; absent: it is one of those. */
  readonly bare?: string;
}

interface Figures extends BurstResult {
  readonly name: string;
  /** Beside the bare route of the same round. */
  readonly timesBare: number;
  readonly residentMbMax: number;
  readonly cpuMicrosPerRequest: number;
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
    const contenders = paths.flatMap((path) => contendersOf(stage, bare, path));
    for (const { name, reads } of contenders) {
      say(`warming up: ${name}`);
      await getAgain({ ...reads, seconds: pace.warmUpSeconds });
    }
    const figures = await takeTurns(contenders, pace);
    return { figures, goals: goalsOf(figures) };
  } finally {
    bare.end();
  }
}

function contendersOf(stage: Stage, bare: Bare, path: string): Contender[] {
  const { pid, url } = stage.service;
  const what = path === "/auth/whoami" ? "whoami" : "a transaction";
  const bearer = { headers: { authorization: `Bearer ${stage.token}` } };
  const read = { url: `${url}${path}`, connections: CONNECTIONS };
  const yardstick = `${what}, bare Fastify`;
  return [
    {
      name: yardstick,
      pid: bare.pid,
      // The same request, down to the header that nobody reads there.
      reads: { ...read, ...bearer, url: `${bare.address}${path}` },
    },
    { name: `${what}, bearer token`, pid, reads: { ...read, ...bearer }, bare: yardstick },
    {
      name: `${what}, API key`,
      pid,
      reads: { ...read, headers: { "x-svc-key": stage.key } },
      bare: yardstick,
    },
  ];
}

async function takeTurns(contenders: readonly Contender[], pace: Pace): Promise<Figures[]> {
  const measured = new Map<string, Figures[]>(contenders.map(({ name }) => [name, []]));
  for (let turn = 1; turn <= pace.rounds; turn++)
    for (const contender of contenders) {
      const seen = await measure(contender, pace.seconds);
      const yardstick = measured.get(contender.bare ?? "")?.at(-1) ?? seen;
      const timesBare = seen.perSecond / yardstick.perSecond;
      measured.get(contender.name)?.push({ ...seen, timesBare });
      say(`round ${turn} of ${pace.rounds}: ${contender.name} ${round(seen.perSecond)}/s`);
    }
  return [...measured.values()].map(middle);
}

async function measure(
  { name, pid, reads }: Contender,
  seconds: number,
): Promise<Omit<Figures, "timesBare">> {
  const seen = await watch(pid, () => getAgain({ ...reads, seconds }));
  const requests = seen.result.perSecond * seconds;
  return {
    name,
    ...seen.result,
    residentMbMax: seen.residentMbMax,
    cpuMicrosPerRequest: (seen.cpuSeconds / requests) * 1e6,
  };
}

/** The median of each figure over the rounds; of failures and memory the most. */
function middle(rounds: readonly Figures[]): Figures {
  const of = (pick: (figures: Figures) => number) => rounds.map(pick);
  return {
    name: rounds[0]?.name ?? "",
    timesBare: median(of((one) => one.timesBare)),
    perSecond: median(of((one) => one.perSecond)),
    p50Ms: median(of((one) => one.p50Ms)),
    p99Ms: median(of((one) => one.p99Ms)),
    cpuMicrosPerRequest: median(of((one) => one.cpuMicrosPerRequest)),
    failures: Math.max(...of((one) => one.failures)),
    residentMbMax: Math.max(...of((one) => one.residentMbMax)),
  };
}

function goalsOf(figures: readonly Figures[]): Goal[] {
  const ours = figures.filter(({ name }) => !name.endsWith("bare Fastify"));
  const memory = Math.max(...ours.map(({ residentMbMax }) => residentMbMax));
  return [
    ...ours.map(({ name, timesBare }): Goal => {
      const goal = { atLeast: 0.5 };
      return { number: "P3", what: name, measured: timesBare, unit: "× bare", goal };
    }),
    { what: "memory under these reads", measured: memory, unit: "MB", goal: { below: 200 } },
  ];
}

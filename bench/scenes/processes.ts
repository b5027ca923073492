/**
 * What further processes bring on one machine: payment requests and authenticated reads per second
 * with WORKERS=1, 2 and 4, and the processor time that the service, PostgreSQL and the load took
 * meanwhile. Where these add up to all cores, the machine is the limit, and not the number of
 * processes. There is no goal: figures depend on the cores.
 *
 * The contenders take turns within each round, each on a database of its own.
 */

import os from "node:os";
import pg from "pg";
import { PATH } from "../../testkit/payment-requests.ts";
import { say } from "../../testkit/tool/say.ts";
import { askAgain, type Burst, type BurstResult } from "../support/ask-again.ts";
import {
  busyCpuSeconds,
  cpuSecondsBelow,
  cpuSecondsOfEndedChildren,
  parentOf,
} from "../support/cpu-time.ts";
import { ORDER, openCheckout } from "../support/open-checkout.ts";
import { takeTurns } from "../support/quietly.ts";
import { medians, round, table } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";

const CONNECTIONS = 64;
/** The load's own start is counted as load. */
const TIMES_AS_LONG = 2;

export const processes: Scene = {
  name: "processes",
  play: (stage, pace) =>
    withWorkers(stage, 1, (one) =>
      withWorkers(stage, 2, (two) =>
        withWorkers(stage, 4, (four) =>
          play(
            new Map([
              [1, one],
              [2, two],
              [4, four],
            ]),
            pace,
          ),
        ),
      ),
    ),
};

function withWorkers<T>(stage: Stage, workers: number, use: (own: Stage) => Promise<T>) {
  const settings = { ...stage.settings, WORKERS: String(workers) };
  return onItsOwn({ ...stage, settings }, `workers_${workers}`, use);
}

/** Times are parts of one core. */
interface Figures extends BurstResult {
  readonly serviceCores: number;
  readonly postgresCores: number;
  readonly loadCores: number;
  /** Of whatever else ran on the machine: a figure with much of it is none. */
  readonly otherCores: number;
}

interface Contender {
  readonly what: string;
  readonly workers: number;
  measure(seconds: number): Promise<Figures>;
}

async function play(stages: ReadonlyMap<number, Stage>, pace: Pace): Promise<Outcome> {
  const contenders: Contender[] = [];
  for (const [workers, stage] of stages) contenders.push(...(await contendersOf(stage, workers)));
  for (const { what, workers, measure } of contenders) {
    say(`warming up: ${what}, ${workers}`);
    await measure(pace.warmUpSeconds * workers);
  }
  const turns = await takeTurns(pace, async (turn) => {
    const all: Figures[] = [];
    for (const { what, workers, measure } of contenders) {
      const seen = await measure(TIMES_AS_LONG * pace.seconds);
      say(`round ${turn} of ${pace.rounds}: ${what}, ${workers}: ${round(seen.perSecond)}/s`);
      all.push(seen);
    }
    return all;
  });
  const figures = contenders.map(({ what, workers }, at) => ({
    what,
    workers,
    ...medians(turns.flatMap((turn) => turn[at] ?? [])),
  }));
  const parts = ["service", "PostgreSQL", "load", "others"];
  const head = ["processes", "what", "a second", "p99 ms", ...parts, "cores"];
  const rows = figures.map((one) => [
    String(one.workers),
    one.what,
    ...[one.perSecond, one.p99Ms, one.serviceCores, one.postgresCores].map(round),
    ...[one.loadCores, one.otherCores].map(round),
    String(os.availableParallelism()),
  ]);
  say(`\n${table(head, rows)}`);
  return { figures, goals: [] };
}

async function contendersOf(stage: Stage, workers: number): Promise<Contender[]> {
  const { transactionId } = await openCheckout(stage, { orderId: `read-${Date.now()}` });
  const postmaster = await findPostmaster(stage.settings.DATABASE_URL ?? "");
  const { pid, url } = stage.service;
  const measure = (burst: Omit<Burst, "seconds">) => async (seconds: number) => {
    const look = () => ({
      all: busyCpuSeconds(),
      service: cpuSecondsBelow(pid),
      postgres: cpuSecondsBelow(postmaster),
      load: cpuSecondsOfEndedChildren(),
    });
    const before = look();
    const result = await askAgain({ ...burst, seconds });
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    const after = look();
    const coresOf = (what: keyof typeof after) => (after[what] - before[what]) / seconds;
    const cores = {
      serviceCores: coresOf("service"),
      postgresCores: coresOf("postgres"),
      loadCores: coresOf("load"),
    };
    const ours = cores.serviceCores + cores.postgresCores + cores.loadCores;
    return { ...result, ...cores, otherCores: coresOf("all") - ours };
  };
  const read = { headers: { "x-svc-key": stage.key }, url: `${url}/transactions/${transactionId}` };
  const request = { order: ORDER, url: url + PATH };
  return [
    {
      what: "payment requests",
      workers,
      measure: measure({ ...request, connections: CONNECTIONS }),
    },
    { what: "reads by API key", workers, measure: measure({ ...read, connections: CONNECTIONS }) },
  ];
}

async function findPostmaster(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    return parentOf(rows[0].pid);
  } finally {
    await client.end();
  }
}

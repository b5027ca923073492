/**
 * Durable payment requests per second over HTTP (P1): every rule held, and payment, session and
 * event committed before the answer. Beside it `pgbench -N` on the same server, which commits one
 * small update and insert at a time, a bare Fastify route that reads and sends the same JSON, and a
 * sketch that writes the same rows and holds no rule: the limit of today's tables.
 *
 * All of it is for one merchant, which is the hardest case. What becomes of orders that nobody pays
 * is not part of it: they end three minutes later, and their database is gone by then. The
 * contenders take turns within each round, so that a slow minute of the machine slows all.
 */

import { PATH } from "../../testkit/payment-requests.ts";
import { say } from "../../testkit/tool/say.ts";
import { startBare } from "../peers/start-bare.ts";
import { withSketch } from "../sketch/with-sketch.ts";
import { askAgain, type BurstResult } from "../support/ask-again.ts";
import { type Distances, distances, sayDistances } from "../support/distances.ts";
import { watch } from "../support/machine.ts";
import { ORDER, openCheckout } from "../support/open-checkout.ts";
import { openPgbench, type Pgbench } from "../support/pgbench.ts";
import { takeTurns } from "../support/quietly.ts";
import { eachOf, type Goal, medians, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";

const CONNECTIONS = 64;

interface Figures extends BurstResult, Distances {
  readonly residentMbMax: number;
  readonly barePerSecond: number;
  readonly timesBare: number;
  readonly rounds: { readonly timesBare: number[]; readonly timesPgbench: number[] };
}

export const requests: Scene = {
  name: "requests",
  play: (stage, pace) =>
    withSketch(stage, { name: "requests_sketch" }, (sketch) =>
      onItsOwn(stage, "requests", (own) => play(own, sketch.url, pace)),
    ),
};

async function play(stage: Stage, sketchUrl: string, pace: Pace): Promise<Outcome> {
  const pgbench = await openPgbench(stage.settings.DATABASE_URL ?? "");
  const { text } = await openCheckout(stage, { orderId: `first-${Date.now()}` });
  const bare = await startBare({ [PATH]: text });
  try {
    const to = (base: string) => (seconds: number) =>
      askAgain({ url: base + PATH, connections: CONNECTIONS, order: ORDER, seconds });
    const ours = to(stage.service.url);
    const bareRoute = to(bare.address);
    const sketch = to(sketchUrl);
    for (const load of [bareRoute, sketch, ours]) await load(pace.warmUpSeconds);
    const figures = await compare(stage, pace, { ours, bareRoute, sketch, pgbench });
    sayDistances("payment requests", figures);
    return {
      figures,
      goals: goalsOf(figures),
      missing: pgbench === undefined ? "pgbench" : undefined,
    };
  } finally {
    bare.end();
  }
}

interface Contenders {
  readonly ours: (seconds: number) => Promise<BurstResult>;
  readonly bareRoute: (seconds: number) => Promise<BurstResult>;
  readonly sketch: (seconds: number) => Promise<BurstResult>;
  readonly pgbench: Pgbench | undefined;
}

async function compare(
  stage: Stage,
  pace: Pace,
  { ours, bareRoute, sketch, pgbench }: Contenders,
): Promise<Figures> {
  const { seconds } = pace;
  const takeTurn = async (turn: number) => {
    const bare = await bareRoute(seconds);
    const { result, residentMbMax } = await watch(stage.service.pid, () => ours(seconds));
    const { perSecond: sketchPerSecond, failures: sketchFailures } = await sketch(seconds);
    const pgbenchPerSecond = (await pgbench?.(seconds)) ?? Number.NaN;
    const { perSecond } = result;
    const failures = result.failures + sketchFailures;
    if (failures > 0) throw new Error(`${failures} payment requests failed`);
    say(
      `round ${turn} of ${pace.rounds}: payment requests ${round(perSecond)}/s, ` +
        `bare Fastify ${round(bare.perSecond)}/s, the sketch ${round(sketchPerSecond)}/s, ` +
        `pgbench -N ${round(pgbenchPerSecond)}/s`,
    );
    return {
      ...result,
      residentMbMax,
      barePerSecond: bare.perSecond,
      timesBare: perSecond / bare.perSecond,
      ...distances({ perSecond, sketchPerSecond, pgbenchPerSecond }),
    };
  };
  const turns = await takeTurns(pace, takeTurn);
  const residentMbMax = Math.max(...turns.map((turn) => turn.residentMbMax));
  const rounds = {
    timesBare: eachOf(turns, "timesBare"),
    timesPgbench: eachOf(turns, "timesPgbench"),
  };
  return { ...medians(turns), residentMbMax, rounds };
}

function goalsOf({ timesBare, timesPgbench, residentMbMax, rounds }: Figures): Goal[] {
  const request = { number: "P1", what: "payment requests" } as const;
  return [
    {
      ...request,
      measured: timesBare,
      rounds: rounds.timesBare,
      unit: "× bare",
      goal: { atLeast: 0.35 },
    },
    ...(Number.isNaN(timesPgbench)
      ? []
      : [
          {
            ...request,
            measured: timesPgbench,
            rounds: rounds.timesPgbench,
            unit: "× pgbench -N",
            goal: { atLeast: 1 },
          },
        ]),
    {
      number: "P7",
      what: "memory under payment requests",
      measured: residentMbMax,
      unit: "MB",
      goal: { below: 200 },
    },
  ];
}

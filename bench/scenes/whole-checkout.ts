/**
 * Whole checkouts per second (P4): asked for by the merchant, the page read, a card submitted,
 * approved and posted, and the webhook received; beside `pgbench -N` on the same server, and beside
 * a sketch that writes the same rows and holds no rule. They are spread over merchants, as
 * customers are: one merchant's webhooks have a pace of their own.
 *
 * Customers, merchants and receivers are here, on the same machine, so what is measured carries
 * their cost, too. The contenders take turns within each round.
 */

import { openDatabase } from "../../src/infra/db/database.ts";
import { createLog } from "../../src/infra/log.ts";
import { say } from "../../testkit/tool/say.ts";
import { withSketch } from "../sketch/with-sketch.ts";
import { buyFor } from "../support/check-out.ts";
import { type Distances, distances, sayDistances } from "../support/distances.ts";
import { openPgbench, type Pgbench } from "../support/pgbench.ts";
import { takeTurns } from "../support/quietly.ts";
import { eachOf, medians, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";
import { makeEndpoints, startReceiver } from "./webhooks.ts";

/** Longer than others': until the last webhook has arrived, each round has fewer customers. */
const ROUND_TIMES = 2;
const MERCHANTS = 200;

export const checkouts: Scene = { name: "checkouts", play };

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const url = stage.settings.DATABASE_URL ?? "";
  const pgbench = await openPgbench(url);
  const db = openDatabase({ url, connectionsMax: 2, log: createLog({ level: "warn" }) });
  const arrived = new Map<string, number>();
  const receiver = await startReceiver(arrived);
  try {
    const where = { count: MERCHANTS, environment: "sandbox" } as const;
    const merchants = await makeEndpoints(db, receiver.url, where);
    const at = (till: string) => async (seconds: number) =>
      (await buyFor({ url: till, merchants, arrived }, seconds)).perSecond;
    const how = { name: "checkouts_sketch", receiver: receiver.url };
    const figures = await withSketch(stage, how, (sketch) =>
      compare(pace, { ours: at(stage.service.url), sketch: at(sketch.url), pgbench }),
    );
    sayDistances("whole checkouts", figures);
    const { timesPgbench: measured, rounds } = figures;
    const goal = { atLeast: 0.1 };
    if (Number.isNaN(measured)) return { figures, goals: [], missing: "pgbench" };
    return {
      figures,
      goals: [
        { number: "P4", what: "whole checkouts", measured, rounds, unit: "× pgbench -N", goal },
      ],
    };
  } finally {
    await db.close();
    await receiver.close();
  }
}

interface Contenders {
  readonly ours: (seconds: number) => Promise<number>;
  readonly sketch: (seconds: number) => Promise<number>;
  readonly pgbench: Pgbench | undefined;
}

async function compare(
  pace: Pace,
  { ours, sketch, pgbench }: Contenders,
): Promise<Distances & { readonly rounds: number[] }> {
  for (const load of [sketch, ours]) await load(pace.warmUpSeconds);
  const takeTurn = async (turn: number) => {
    const perSecond = await ours(pace.seconds * ROUND_TIMES);
    const sketchPerSecond = await sketch(pace.seconds);
    const pgbenchPerSecond = (await pgbench?.(pace.seconds)) ?? Number.NaN;
    say(
      `round ${turn} of ${pace.rounds}: whole checkouts ${round(perSecond)}/s, ` +
        `the sketch ${round(sketchPerSecond)}/s, pgbench -N ${round(pgbenchPerSecond)}/s`,
    );
    return distances({ perSecond, sketchPerSecond, pgbenchPerSecond });
  };
  const turns = await takeTurns(pace, takeTurn);
  return { ...medians(turns), rounds: eachOf(turns, "timesPgbench") };
}

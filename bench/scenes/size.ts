/**
 * What the same work costs on a large database, beside a nearly empty one: of one merchant with
 * ever more payments, and of ever more merchants. Wanted: at least half the rate, at most twice the
 * time.
 *
 * Each size has a fresh pair of databases, because what is measured leaves rows behind. One that
 * would leave less than 10 GB of the disk free is left out, and the report says so. It is played
 * when it is named: filling takes longer than all other scenes.
 */

import { statfsSync } from "node:fs";
import os from "node:os";
import { say, whenQuiet } from "../../testkit/tool/say.ts";
import { compareSides, goalOf } from "../size/contenders.ts";
import { timeWholeChecks } from "../size/hourly-jobs.ts";
import type { Size } from "../size/payment-rows.ts";
import { withSides } from "../size/sides.ts";
import { keepSizes, type LeftOut, nameOf, type SizeFigures } from "../size/size-results.ts";
import { QUICK_SIZES, sizesUpTo, tooTight } from "../size/sizes.ts";
import { noteWholeReads } from "../size/whole-reads.ts";
import { type Goal, round, table } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import type { Stage } from "../support/stage.ts";
import { startReceiver } from "./webhooks.ts";

const GB = 1e9;
/** Payments: what the hourly checks take grows with them, and a few sizes show how. */
const CHECKED_MAX = 1_000_000;

export const size: Scene = { name: "size", play };

async function play(stage: Stage, pace: Pace): Promise<Outcome> {
  const arrived = new Map<string, number>();
  const receiver = await startReceiver(arrived);
  const sizes: SizeFigures[] = [];
  const leftOut: LeftOut[] = [];
  const goals: Goal[] = [];
  try {
    for (const one of pace.isQuick ? QUICK_SIZES : sizesUpTo(pace.largest)) {
      const { bavail, bsize } = statfsSync(os.tmpdir());
      const tight = tooTight(one, sizes, Math.floor((bavail * bsize) / GB));
      if (tight !== undefined) {
        say(`${nameOf(one)} left out: it needs ${round(tight.neededGb)} GB of ${tight.freeGb}`);
        leftOut.push(tight);
        continue;
      }
      const found = await measure(stage, one, { pace, arrived, receiver: receiver.url });
      sizes.push(found);
      goals.push(...found.compared.map((compared) => goalOf(nameOf(one), compared)));
      say(`\n${curve(sizes)}`);
    }
  } finally {
    await receiver.close();
  }
  if (!pace.isQuick) say(`kept in ${keepSizes({ rounds: pace.rounds, sizes, leftOut })}`);
  const missing =
    leftOut.length > 0 ? `room on the disk for ${leftOut.map(nameOf).join("; ")}` : undefined;
  return { figures: { sizes, leftOut }, goals, missing };
}

async function measure(
  stage: Stage,
  one: Size,
  { pace, arrived, receiver }: { pace: Pace; arrived: Map<string, number>; receiver: string },
): Promise<SizeFigures> {
  say(`\n${nameOf(one)}`);
  const tell = (line: string) => whenQuiet(() => `filling ${nameOf(one)}: ${line}`);
  tell("its merchants");
  return withSides(stage, { size: one, receiver, tell }, async (sides) => {
    const { diskGb, tableBytes, seconds } = sides.full.filled;
    say(`filled in ${round(seconds)} s, ${round(diskGb)} GB`);
    whenQuiet(() => `measuring ${nameOf(one)}`);
    const wholeReads = await noteWholeReads(sides.full.database);
    const compared = await compareSides(sides, pace, arrived);
    const reads = await wholeReads();
    const isChecked = one.merchants * one.paymentsEach <= CHECKED_MAX;
    const checksSeconds = isChecked ? await timeWholeChecks(sides.full.database) : undefined;
    for (const { table: name, times, rowsRead } of reads)
      say(`read from end to end: ${name}, ${times} times, ${rowsRead} rows in all`);
    return { ...one, diskGb, tableBytes, seconds, compared, wholeReads: reads, checksSeconds };
  });
}

/** A line for each size: every figure, and in brackets beside the empty one of the same rounds. */
function curve(sizes: readonly SizeFigures[]): string {
  const names = sizes[0]?.compared.map(({ name, unit }) => `${name}, ${unit}`) ?? [];
  const rows = sizes.map(({ compared, diskGb, checksSeconds, ...one }) => [
    nameOf(one),
    ...[round(diskGb)],
    ...compared.map(({ full, times }) => `${round(full)} (× ${round(times)})`),
    ...[checksSeconds === undefined ? "" : round(checksSeconds)],
  ]);
  return table(["", "GB", ...names, "hourly checks, s"], rows);
}

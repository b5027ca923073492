/** What a run says at the end: one table and a verdict. */

import process from "node:process";
import type { Verdict } from "./check/check-all.ts";
import type { SoakOptions } from "./options.ts";
import { SETTLE_SECONDS_MAX, type Settled } from "./settle.ts";
import type { AnswerWatch } from "./traffic/answer-watch.ts";
import type { Diary } from "./traffic/diary.ts";
import type { Weather } from "./weather.ts";

const SHOWN_MAX = 8;

export interface Run {
  readonly options: SoakOptions;
  readonly diary: Diary;
  readonly watch: AnswerWatch;
  readonly weather: Weather;
  readonly settled: Settled;
  readonly results: readonly Verdict[];
  readonly stormySeconds: number;
}

/** Whether everything held. */
export function printReport(run: Run): boolean {
  const { diary, watch, weather, settled, results, options } = run;
  const acknowledged = diary.acknowledgedCount();
  heading("Acknowledged, by kind");
  const kinds = [...diary.acknowledged].sort(([, a], [, b]) => b - a);
  for (const [kind, count] of kinds) row(kind, count);
  row("in all", acknowledged);
  row("a second", (acknowledged / run.stormySeconds).toFixed(1));
  row("read besides", diary.reads.count);
  heading("Answers");
  for (const [status, count] of [...watch.counts].sort()) row(String(status), count);
  row("unanswered because of a fault, and sent again", watch.unansweredCount);
  row("routes that nobody asked", watch.unseen().join(", ") || "none");
  heading("Faults");
  for (const [kind, planned] of [...weather.planned].sort())
    row(kind, `${weather.counts.get(kind) ?? 0} of ${planned}`);
  row("kills in all", weather.kills());
  heading("Settled");
  row("seconds after the last fault", settled.seconds.toFixed(1));
  row("of which the clock was moved by minutes", (settled.movedSeconds / 60).toFixed(0));
  heading("What must hold");
  for (const { name, looked, wrong, seconds } of results) {
    const mark = wrong.length === 0 ? "holds" : `BROKEN ${wrong.length} times`;
    row(`${mark}: ${name}`, `${looked} looked at, ${seconds.toFixed(1)} s`);
    for (const one of wrong.slice(0, SHOWN_MAX)) process.stdout.write(`      ${one}\n`);
  }
  const isGood = results.every(({ wrong }) => wrong.length === 0);
  process.stdout.write(
    `\n${isGood ? "All of it held" : "SOMETHING BROKE"}: seed ${options.seed}, ` +
      `${acknowledged} acknowledged, ${weather.kills()} kills, settled in ` +
      `${settled.seconds.toFixed(1)} s (at most ${SETTLE_SECONDS_MAX})\n`,
  );
  return isGood;
}

function heading(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

function row(name: string, value: number | string): void {
  process.stdout.write(`  ${name.padEnd(64)} ${String(value).padStart(10)}\n`);
}

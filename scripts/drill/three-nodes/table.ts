/** The drill's table: a row for each fault. */

import { countStatuses, type Diary, seconds } from "../diary.ts";
import type { Fault, Played } from "./stage.ts";

export interface Row {
  readonly fault: string;
  readonly before: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly silenceMs: number;
  readonly answers: string;
  readonly slowestMs: number;
}

const HEAD = [
  "fault",
  "acknowledged before",
  "in all",
  "lost",
  "seconds without writes",
  "what callers saw from the fault on",
];

export function rowOf({ name }: Fault, diary: Diary, played: Played, lost: number): Row {
  const { from, until } = played;
  const answers = diary.since(from);
  return {
    fault: name,
    before: diary.acknowledged.filter(({ at }) => at < from).length,
    acknowledged: diary.acknowledged.length,
    lost,
    silenceMs: diary.longestSilence(from, until),
    answers: countStatuses(answers),
    slowestMs: Math.max(0, ...answers.map(({ tookMs }) => tookMs)),
  };
}

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.fault,
    String(row.before),
    String(row.acknowledged),
    String(row.lost),
    seconds(row.silenceMs),
    `${row.answers}; slowest ${seconds(row.slowestMs)} s`,
  ]);
  const line = (words: readonly string[]) => `| ${words.join(" | ")} |`;
  return [line(HEAD), line(HEAD.map(() => "---")), ...cells.map(line)].join("\n");
}

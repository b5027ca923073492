/** The budget as tables: everything for one payment, so that two files can be compared. */

import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { costOf } from "./cost.ts";
import type { FunctionTime, StatementTime } from "./statements.ts";
import type { Written, WrittenPlace } from "./wal.ts";

const FOLDER = fileURLToPath(new URL("../results/budget/", import.meta.url));
/** Which git ignores. */
const QUICK_FOLDER = fileURLToPath(new URL("../results/partial/budget/", import.meta.url));
/** What takes less is not listed. */
const US_MIN = 1;
const COUNT_MIN = 0.005;

export interface NodeTimes {
  readonly payments: number;
  /** Microseconds by where the code stands. */
  readonly web: ReadonlyMap<string, number>;
  readonly worker: ReadonlyMap<string, number>;
}

export interface Budget {
  readonly what: string;
  readonly payments: number;
  readonly took: number;
  readonly processorSeconds: ReadonlyMap<string, number>;
  readonly statements: readonly StatementTime[];
  readonly functions: readonly FunctionTime[];
  readonly written: Written;
  readonly node: NodeTimes;
}

type About = Readonly<Record<string, string | number>>;

/** Gives the file and its text. */
export function writeBudgets(
  about: About,
  budgets: readonly Budget[],
  { isQuick }: { isQuick: boolean },
) {
  const text = `${[headOf(about), ...budgets.flatMap(sectionsOf)].join("\n\n")}\n`;
  const stamp = new Date().toISOString().slice(0, 16).replace(/[T:]/g, "-");
  const folder = isQuick ? QUICK_FOLDER : FOLDER;
  mkdirSync(folder, { recursive: true });
  const file = `${folder}${stamp}.md`;
  writeFileSync(file, text);
  const costs = { about, costs: budgets.map(costOf) };
  writeFileSync(`${folder}${stamp}.json`, `${JSON.stringify(costs, null, 2)}\n`);
  return { file, text };
}

function headOf({ commit, cpu, cores, node, load }: About): string {
  return (
    "# Where the time of a payment goes\n\n" +
    `Commit ${commit}; ${cpu}, ${cores} cores, load ${Number(load).toFixed(1)} before it began; ` +
    `Node ${node}. Everything is for one payment.`
  );
}

function sectionsOf(budget: Budget): string[] {
  const { what, payments, took, written } = budget;
  const per = (figure: number) => figure / payments;
  const rate = `${payments} in ${took.toFixed(1)} s, ${Math.round(payments / took)} a second`;
  return [
    `## ${what}\n\n${rate}, while all of this was counted.`,
    processorTable(budget),
    nodeTable("web process", budget.node.web, budget.node.payments),
    nodeTable("worker", budget.node.worker, budget.node.payments),
    statementTable(budget),
    functionTable(budget),
    `### Written\n\nWrite-ahead log ${bytes(per(written.bytes))} bytes, and ` +
      `${bytes(per(written.pageBytes))} of whole pages; ${few(per(written.commits))} commits of ` +
      `${bytes(written.commitBytes / written.commits)} bytes.`,
    writtenTable(budget),
  ].filter((section) => section !== "");
}

function processorTable({ processorSeconds, payments, took }: Budget): string {
  const rows = [...processorSeconds].toSorted(([, a], [, b]) => b - a);
  return markdown(
    ["processor time", "µs", "of one core"],
    rows.map(([what, seconds]) => [
      what,
      us((seconds * 1e6) / payments),
      `${Math.round((100 * seconds) / took)} %`,
    ]),
  );
}

function nodeTable(process: string, times: ReadonlyMap<string, number>, payments: number): string {
  const rows = [...times].filter(([, time]) => time / payments >= US_MIN);
  if (rows.length === 0) return "";
  return markdown(
    [`${process}, by where its code stands (by the clock: with waiting for a processor)`, "µs"],
    rows.map(([place, time]) => [place, us(time / payments)]),
  );
}

function statementTable({ statements, payments }: Budget): string {
  const rows = statements.filter(({ ms, planMs }) => (ms + planMs) * 1e3 >= US_MIN * payments);
  if (rows.length === 0) return "";
  return markdown(
    [
      "statement (time that passed; › inside of another)",
      "calls",
      "µs",
      "µs to plan",
      "rows",
      "WAL",
    ],
    rows.map(({ what, isInner, calls, ms, planMs, rows: count, walBytes }) => [
      isInner ? `› ${what}` : what,
      few(calls / payments),
      us((ms * 1e3) / payments),
      us((planMs * 1e3) / payments),
      few(count / payments),
      bytes(walBytes / payments),
    ]),
  );
}

function functionTable({ functions, payments }: Budget): string {
  const rows = functions.filter(({ ms }) => (ms * 1e3) / payments >= US_MIN / 10);
  if (rows.length === 0) return "";
  return markdown(
    ["function (its trigger's tables)", "calls", "µs", "µs without what it calls"],
    rows.map(({ what, calls, ms, ownMs }) => [
      what,
      few(calls / payments),
      us((ms * 1e3) / payments),
      us((ownMs * 1e3) / payments),
    ]),
  );
}

function writtenTable({ written, payments }: Budget): string {
  const head = ["table, or index of it", "inserted", "updated", "of it HOT", "deleted", "locked"];
  const of = (one: WrittenPlace) =>
    one.isIndex
      ? ["", "", "", "", ""]
      : [one.inserted, one.updated, one.hot, one.deleted, one.locked].map((n) => few(n / payments));
  const rows = written.places
    .filter((one) => one.bytes / payments >= US_MIN || one.entries / payments >= COUNT_MIN)
    .map((one) => [
      one.place,
      ...of(one),
      few(one.entries / payments),
      few(one.splits / payments),
      few(one.pruned / payments),
      bytes(one.bytes / payments),
      bytes(one.pageBytes / payments),
    ]);
  return markdown([...head, "entries", "splits", "pruned", "WAL", "pages"], rows);
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, at) => (at === 0 ? "---" : "--:"));
  return [head, rule, ...rows].map(line).join("\n");
}

function us(figure: number): string {
  return figure.toFixed(figure >= 10 ? 0 : 1);
}

function bytes(figure: number): string {
  return figure === 0 ? "" : String(Math.round(figure));
}

function few(figure: number): string {
  return figure === 0 ? "" : figure.toFixed(figure >= 0.1 ? 2 : 3);
}

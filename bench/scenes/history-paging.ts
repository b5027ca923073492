/**
 * Pages of the history of an account with ten million transactions beside those of one with ten
 * thousand: what a page costs must not grow with the table (Decision 0027).
 *
 * Each has a database and a service of its own, and the two are asked in turns, so that a slow
 * minute of the machine slows both.
 */

import http from "node:http";
import type { Running } from "../../testkit/processes.ts";
import { say } from "../../testkit/tool/say.ts";
import { openPageExplainer, type PageExplainer } from "../support/explain-pages.ts";
import { fillHistory } from "../support/fill-history.ts";
import { median, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";

const ROWS_FEW = 10_000;
const ROWS_MANY = 10_000_000;
/**
 * So many that the whole quick run takes two minutes, and not fewer: below half a million
 * PostgreSQL chooses another plan for filters by total.
 */
const ROWS_MANY_QUICK = 700_000;
const ROUNDS = 20;
const ROUNDS_QUICK = 15;
const WARM_UP_ROUNDS = 10;

interface PageTimes {
  readonly what: string;
  readonly fewMs: number;
  readonly manyMs: number;
  /** The median of many beside the median of few. */
  readonly times: number;
  /** What PostgreSQL reads for it among many. */
  readonly scans: readonly string[];
}

const PAGES: readonly (readonly [
  what: string,
  query: string,
  where: "first" | "middle" | "last",
])[] = [
  ["first page", "", "first"],
  ["last page", "", "last"],
  ["middle page", "", "middle"],
  ["status, first page", "status=error", "first"],
  ["status, last page", "status=failed", "last"],
  ["status, middle page", "status=failed", "middle"],
  ["currency, first page", "currency=USD", "first"],
  ["currency, middle page", "currency=USD", "middle"],
  ["currency, last page", "currency=USD", "last"],
  ["status and currency", "status=failed&currency=USD", "first"],
  ["three months, first page", "start_date=2026-03-10&end_date=2026-06-05", "first"],
  ["three months, last page", "start_date=2026-03-10&end_date=2026-06-05", "last"],
  ["one order", "order_id=order-5000", "first"],
  ["one total", "total_min=123.45&total_max=123.45", "first"],
  ["totals of one in a thousand", "total_min=123.00&total_max=123.99", "first"],
  ["totals of every other one", "total_min=505", "first"],
  ["totals and status", "total_min=505&status=failed", "first"],
];

export const history: Scene = { name: "history", play };

async function play(stage: Stage, { isQuick }: Pace): Promise<Outcome> {
  const rowsMany = isQuick ? ROWS_MANY_QUICK : ROWS_MANY;
  const rounds = isQuick ? ROUNDS_QUICK : ROUNDS;
  // Dropped afterwards: gigabytes that the kernel would go on writing beside the later scenes.
  return onItsOwn(stage, "history_few", (few) =>
    onItsOwn(stage, "history_many", async (many) => {
      const ofFew = await openHistory(few, ROWS_FEW);
      const ofMany = await openHistory(many, rowsMany);
      const outcome = await compare({ few: ofFew, many: ofMany, rounds });
      for (const { explainer } of [ofFew, ofMany]) await explainer.close();
      return outcome;
    }),
  );
}

interface Sides {
  readonly few: History;
  readonly many: History;
  readonly rounds: number;
}

async function compare(sides: Sides): Promise<Outcome> {
  const results: PageTimes[] = [];
  for (const page of PAGES) {
    const result = await measure(page, sides);
    results.push(result);
    const { what, fewMs, manyMs, times } = result;
    say(`history, ${what}: ${round(fewMs)} ms, ${round(manyMs)} ms, × ${round(times)}`);
  }
  const goals = results.map(({ what, times: measured }) => {
    const goal = { below: 2 };
    return { number: "P6", what: `history, ${what}`, measured, unit: "× few", goal } as const;
  });
  return { figures: results, goals };
}

interface History {
  readonly explainer: PageExplainer;
  readonly service: Running;
  readonly token: string;
  readonly agent: http.Agent;
}

async function measure(
  [what, query, where]: (typeof PAGES)[number],
  { few, many, rounds }: Sides,
): Promise<PageTimes> {
  const sides = [few, many].map((history) => ({ history, path: "", ms: [] as number[] }));
  for (const side of sides) side.path = await pathOf(side.history, query, where);
  for (let turn = 0; turn < WARM_UP_ROUNDS + rounds; turn++)
    for (const { history, path, ms } of sides) {
      const beganAt = performance.now();
      await read(history, path);
      if (turn >= WARM_UP_ROUNDS) ms.push(performance.now() - beganAt);
    }
  const [fewMs = Number.NaN, manyMs = Number.NaN] = sides.map(({ ms }) => median(ms));
  const scans = await many.explainer.explain(sides[1]?.path ?? "");
  return { what, fewMs, manyMs, times: manyMs / fewMs, scans };
}

async function pathOf(history: History, query: string, where: string): Promise<string> {
  const first = await read(history, `/transactions/?${query}`);
  if (where === "first") return `/transactions/?${query}`;
  const last = first.meta.last_page;
  const page = where === "last" ? last : Math.ceil(last / 2);
  return `/transactions/?${query}&page=${page}`;
}

async function read({ service, token, agent }: History, path: string) {
  const { status, body, text } = await service.ask(path, { token, agent });
  if (status !== 200 || body.data.length === 0) throw new Error(`${path} answered ${text}`);
  return body;
}

async function openHistory({ service, settings, token }: Stage, rows: number): Promise<History> {
  const url = new URL(settings.DATABASE_URL ?? "");
  const beganAt = performance.now();
  await fillHistory(url, { rows });
  say(`${rows} transactions in ${round((performance.now() - beganAt) / 1000)} s`);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  return { service, token, agent, explainer: await openPageExplainer(url) };
}

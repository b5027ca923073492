/**
 * Pages of a service with ten million payments beside those of one with ten thousand (P10): what a
 * page costs must not grow with the tables, and no page weighs more than 100 kB with its styles and
 * scripts.
 *
 * Each service has a database of its own, and the two are asked in turns, so that a slow moment of
 * the machine slows both.
 */

import { say } from "../../testkit/tool/say.ts";
import { type ConsoleTab, type Weight, weigh } from "./console-tab.ts";
import { fillConsole } from "./fill-console.ts";
import { fillHistory } from "./fill-history.ts";
import { type Goal, median, quantile, round } from "./report.ts";
import type { Outcome } from "./scene.ts";
import { onItsOwn, type Stage } from "./stage.ts";

const ROWS_FEW = 10_000;
const ROWS_MANY = 10_000_000;
const ROWS_MANY_QUICK = 300_000;
const ROUNDS = 40;
const ROUNDS_QUICK = 15;
const WARM_UP_ROUNDS = 10;

/** Its address; `{…}` is the first link of another page that begins so. */
export type Page = readonly [what: string, path: string];

interface Race {
  /** Whose pages they are, as "console". */
  readonly name: string;
  readonly pages: readonly Page[];
  open(url: string): Promise<ConsoleTab>;
  readonly isQuick: boolean;
}

interface Measured extends Weight {
  readonly what: string;
  readonly fewMs: number;
  readonly manyMs: number;
  readonly manyP95Ms: number;
  /** The median of many beside the median of few. */
  readonly times: number;
}

export function racePages(stage: Stage, race: Race): Promise<Outcome> {
  const { name, pages, isQuick } = race;
  const rounds = isQuick ? ROUNDS_QUICK : ROUNDS;
  // Dropped afterwards: gigabytes that the kernel would go on writing beside the later scenes.
  return onItsOwn(stage, `${name}_few`, (few) =>
    onItsOwn(stage, `${name}_many`, async (many) => {
      await fill(few, ROWS_FEW);
      await fill(many, isQuick ? ROWS_MANY_QUICK : ROWS_MANY);
      const url = many.service.url;
      const tabs = { few: await race.open(few.service.url), many: await race.open(url) };
      const figures: Measured[] = [];
      for (const page of pages) figures.push(await measure(page, { ...tabs, rounds, url }));
      for (const tab of [tabs.few, tabs.many]) tab.close();
      return { figures, goals: figures.flatMap((figure) => goalsOf(name, figure)) };
    }),
  );
}

async function fill({ settings }: Stage, rows: number): Promise<void> {
  const url = new URL(settings.DATABASE_URL ?? "");
  const filled = { rows, endsAt: new Date().toISOString() };
  const beganAt = performance.now();
  await fillHistory(url, filled);
  await fillConsole(url, filled);
  say(`${rows} payments in ${round((performance.now() - beganAt) / 1000)} s`);
}

interface Sides {
  readonly few: ConsoleTab;
  readonly many: ConsoleTab;
  readonly rounds: number;
  /** Of the service with many. */
  readonly url: string;
}

async function measure([what, path]: Page, { few, many, rounds, url }: Sides): Promise<Measured> {
  const sides = [few, many].map((tab) => ({ tab, path: "", ms: [] as number[] }));
  for (const side of sides) side.path = await pathOf(side.tab, path);
  for (let turn = 0; turn < WARM_UP_ROUNDS + rounds; turn++)
    for (const side of sides) {
      const { ms } = await side.tab.open(side.path);
      if (turn >= WARM_UP_ROUNDS) side.ms.push(ms);
    }
  const [ofFew = [], ofMany = []] = sides.map(({ ms }) => ms);
  const [fewMs, manyMs, manyP95Ms] = [median(ofFew), median(ofMany), quantile(ofMany, 0.95)];
  const weight = await weigh(url, (await many.open(sides[1]?.path ?? "")).text);
  const times = manyMs / fewMs;
  say(
    `${what}: ${round(fewMs)} ms, ${round(manyMs)} ms (p95 ${round(manyP95Ms)}), ` +
      `× ${round(times)}; ${round(weight.htmlKb)} kB, ${round(weight.sentKb)} kB with its files`,
  );
  return { what, fewMs, manyMs, manyP95Ms, times, ...weight };
}

/** The list that a link in braces is on is what stands before its last part. */
async function pathOf(tab: ConsoleTab, path: string): Promise<string> {
  const [, start] = /^\{(.*)\}$/.exec(path) ?? [];
  if (start === undefined) return path;
  const list = start.replace(/(?:\?page=|\/deliveries\/|\/(?:TT-)?)$/, "");
  const { text } = await tab.open(list);
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) =>
    href.replaceAll("&amp;", "&"),
  );
  const found = links.find((href) => href.startsWith(start) && !href.endsWith("/new"));
  if (found === undefined) throw new Error(`no link on ${list} begins with ${start}`);
  return found;
}

function goalsOf(name: string, { what, times, manyP95Ms, sentKb }: Measured): Goal[] {
  const of = (about: string, measured: number, unit: string, below: number): Goal => ({
    number: "P10",
    what: `${name}, ${what}${about}`,
    measured,
    unit,
    goal: { below },
  });
  return [
    of("", times, "× few", 2),
    of(", slowest", manyP95Ms, "ms", 50),
    of(", all of it", sentKb, "kB", 100),
  ];
}

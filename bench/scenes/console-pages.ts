/**
 * Every page of the console for a merchant with ten million payments beside one with ten thousand
 * (P10): what a page costs must not grow with the tables (Decisions 0088, 0092), and no page weighs
 * more than 100 kB with its styles and scripts.
 *
 * Each has a database and a service of its own, and the two are asked in turns, so that a slow
 * moment of the machine slows both.
 */

import { say } from "../../testkit/tool/say.ts";
import { type ConsoleTab, openConsole, type Weight, weigh } from "../support/console-tab.ts";
import { ENDPOINT_ID, fillConsole } from "../support/fill-console.ts";
import { fillHistory } from "../support/fill-history.ts";
import { type Goal, median, quantile, round } from "../support/report.ts";
import type { Outcome, Pace, Scene } from "../support/scene.ts";
import { onItsOwn, type Stage } from "../support/stage.ts";

const ROWS_FEW = 10_000;
const ROWS_MANY = 10_000_000;
const ROWS_MANY_QUICK = 300_000;
const ROUNDS = 40;
const ROUNDS_QUICK = 15;
const WARM_UP_ROUNDS = 10;

/** Addresses of pages; `{…}` is the first link of another page that begins so. */
const PAGES: readonly (readonly [what: string, path: string])[] = [
  ["Home", "/console"],
  ["Home, 90 days", "/console?days=90"],
  ["payments", "/console/payments"],
  ["payments, second page", "{/console/payments?page=}"],
  ["payments, status", "/console/payments?status=failed"],
  ["payments, a rare status", "/console/payments?status=error"],
  ["payments, currency", "/console/payments?currency=USD"],
  ["payments, status and currency", "/console/payments?status=failed&currency=USD"],
  ["payments, refunded", "/console/payments?status_desc=refunded"],
  ["payments, disputed", "/console/payments?status_desc=disputed"],
  ["payments, a month", "/console/payments?start_date=2026-03-10&end_date=2026-04-09"],
  ["payments, totals", "/console/payments?total_min=123&total_max=130"],
  ["payments, order", "/console/payments?q=order-5000"],
  ["payments, beginning of orders", "/console/payments?q=order-50"],
  ["payments, reference", `/console/payments?q=TT-${"1388".padStart(26, "0")}`],
  ["payments, e-mail", "/console/payments?q=anika77%40example.com"],
  ["payments, beginning of e-mails", "/console/payments?q=anika7"],
  ["payments, last four", "/console/payments?q=1123"],
  ["payments, card", "/console/payments?q=****1123"],
  ["payments, last four and status", "/console/payments?q=1123&status=success"],
  ["payments, last four and rare status", "/console/payments?q=1123&status=failed"],
  ["payments, e-mail and status", "/console/payments?q=anika77%40example.com&status=failed"],
  ["payments, amount", "/console/payments?q=123.45"],
  ["a payment", "{/console/payments/TT-}"],
  ["Balance", "/console/balance"],
  ["Balance, a month", "/console/balance?month=2026-03&currency=USD"],
  ["Balance, to print", "/console/balance/statement?month=2026-03&currency=TTD"],
  ["withdrawals", "/console/withdrawals"],
  ["withdrawals, status", "/console/withdrawals?status=failed"],
  ["withdrawals, amount", "/console/withdrawals?amount_min=1000.20&amount_max=1000.40"],
  ["a withdrawal", "{/console/withdrawals/TT-}"],
  ["form of a withdrawal", "/console/withdrawals/new"],
  ["cards", "/console/cards"],
  ["a card", "{/console/cards/}"],
  ["keys", "/console/developers/keys"],
  ["webhooks", "/console/developers/webhooks"],
  ["an endpoint", `/console/developers/webhooks/${ENDPOINT_ID}`],
  ["an endpoint, failed", `/console/developers/webhooks/${ENDPOINT_ID}?state=failed`],
  ["an endpoint, second page", `/console/developers/webhooks/${ENDPOINT_ID}?page=2`],
  ["a delivery", `{/console/developers/webhooks/${ENDPOINT_ID}/deliveries/}`],
  ["events", "/console/developers/events"],
  ["an event", "{/console/developers/events/}"],
  ["requests", "/console/developers/requests"],
  ["requests, method", "/console/developers/requests?method=GET"],
  ["requests, path", "/console/developers/requests?path=%2Ftransactions"],
  ["requests, status", "/console/developers/requests?status=400"],
  ["requests, code", "/console/developers/requests?code=field_required"],
  ["requests, order", "/console/developers/requests?order_id=order-100"],
  ["requests, key", "/console/developers/requests?credential=k_bench3"],
  ["requests, none that fits", "/console/developers/requests?code=nothing"],
  ["a request", "{/console/developers/requests/}"],
  ["members", "/console/settings/members"],
  ["payment key", "/console/settings/payment-keys"],
  ["notifications", "/console/settings/notifications"],
  ["security", "/console/settings/security"],
  ["profile", "/console/me"],
];

interface Measured extends Weight {
  readonly what: string;
  readonly fewMs: number;
  readonly manyMs: number;
  readonly manyP95Ms: number;
  /** The median of many beside the median of few. */
  readonly times: number;
}

export const consolePages: Scene = { name: "console", play };

async function play(stage: Stage, { isQuick }: Pace): Promise<Outcome> {
  const rowsMany = isQuick ? ROWS_MANY_QUICK : ROWS_MANY;
  const rounds = isQuick ? ROUNDS_QUICK : ROUNDS;
  // Dropped afterwards: gigabytes that the kernel would go on writing beside the later scenes.
  return onItsOwn(stage, "console_few", (few) =>
    onItsOwn(stage, "console_many", async (many) => {
      await fill(few, ROWS_FEW);
      await fill(many, rowsMany);
      const url = many.service.url;
      const tabs = { few: await openConsole(few.service.url), many: await openConsole(url) };
      const figures: Measured[] = [];
      for (const page of PAGES) figures.push(await measure(page, { ...tabs, rounds, url }));
      for (const tab of [tabs.few, tabs.many]) tab.close();
      return { figures, goals: figures.flatMap(goalsOf) };
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

async function measure(
  [what, path]: (typeof PAGES)[number],
  { few, many, rounds, url }: Sides,
): Promise<Measured> {
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

function goalsOf({ what, times, manyP95Ms, sentKb }: Measured): Goal[] {
  const of = (about: string, measured: number, unit: string, below: number): Goal => ({
    number: "P10",
    what: `console, ${what}${about}`,
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

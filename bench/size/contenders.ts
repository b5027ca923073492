/**
 * What is measured of a database of some size: rates of payment requests (P1), of reads of one
 * transaction (P3) and of whole checkouts (P4), and the milliseconds of pages of the console (P10).
 * Nearly empty and full take turns within each round, so that a slow minute of the machine slows
 * both.
 */

import { PATH } from "../../testkit/payment-requests.ts";
import { say } from "../../testkit/tool/say.ts";
import { askAgain } from "../support/ask-again.ts";
import { buyFor } from "../support/check-out.ts";
import { ORDER } from "../support/open-checkout.ts";
import { takeTurns } from "../support/quietly.ts";
import { type Goal, median, round } from "../support/report.ts";
import type { Pace } from "../support/scene.ts";
import { DEMO_MERCHANT } from "./fill-size.ts";
import { REGULAR } from "./payment-rows.ts";
import type { Side, Sides } from "./sides.ts";

const CONNECTIONS = 64;
/** Checkouts: until the last webhook has arrived, each round has fewer customers. */
const CHECKOUT_TIMES = 2;
const OPENS = 10;
const OPENS_QUICK = 5;

interface Contender {
  readonly number: `P${number}`;
  readonly name: string;
  readonly unit: "/s" | "ms";
  /** The figure of each, in this order. */
  measure(sides: readonly [Side, Side], pace: Pick<Pace, "seconds" | "isQuick">): Promise<number[]>;
}

export interface Compared {
  readonly number: `P${number}`;
  readonly name: string;
  readonly unit: "/s" | "ms";
  readonly empty: number;
  readonly full: number;
  /** Full beside empty: of rates more is better, of milliseconds less. */
  readonly times: number;
  /** `times` of each. */
  readonly rounds: readonly number[];
}

export async function compareSides(
  { empty, full }: Sides,
  pace: Pace,
  arrived: ReadonlyMap<string, number>,
): Promise<Compared[]> {
  const contenders = contendersOf(arrived);
  for (const { unit, measure } of contenders)
    await measure([empty, full], { ...pace, seconds: unit === "ms" ? 0 : pace.warmUpSeconds });
  const turns = await takeTurns(pace, async (turn) => {
    const seen: { empty: number; full: number }[] = [];
    for (const { name, unit, measure } of contenders) {
      const isFirst = turn % 2 === 1;
      const found = await measure(isFirst ? [empty, full] : [full, empty], pace);
      const [ofEmpty = Number.NaN, ofFull = Number.NaN] = isFirst ? found : found.toReversed();
      say(
        `round ${turn} of ${pace.rounds}: ${name} ${round(ofEmpty)} and ${round(ofFull)} ${unit}`,
      );
      seen.push({ empty: ofEmpty, full: ofFull });
    }
    return seen;
  });
  return contenders.map(({ number, name, unit }, at) => {
    const all = turns.flatMap((turn) => turn[at] ?? []);
    const rounds = all.map((one) => one.full / one.empty);
    const of = (side: "empty" | "full") => median(all.map((one) => one[side]));
    return {
      ...{ number, name, unit, empty: of("empty"), full: of("full") },
      ...{ times: median(rounds), rounds },
    };
  });
}

export function goalOf(size: string, { number, name, unit, times, rounds }: Compared): Goal {
  const goal = unit === "ms" ? { below: 2 } : { atLeast: 0.5 };
  return { number, what: `${size}: ${name}`, measured: times, rounds, unit: "× empty", goal };
}

function contendersOf(arrived: ReadonlyMap<string, number>): Contender[] {
  const page = (name: string, pathOf: (side: Side) => string): Contender => ({
    ...{ number: "P10", name, unit: "ms" },
    measure: (sides, { isQuick }) => timePages(sides, pathOf, isQuick ? OPENS_QUICK : OPENS),
  });
  const search = (what: string, textOf: (side: Side) => string) =>
    page(`search, ${what}`, (side) => `/console/payments?q=${encodeURIComponent(textOf(side))}`);
  return [
    rate("P1", "payment requests", requestsPerSecond),
    rate("P3", "reads of a transaction", readsPerSecond),
    rate("P4", "whole checkouts", async ({ service, sellers }, seconds) => {
      const till = { url: service.url, merchants: sellers, silent: DEMO_MERCHANT, arrived };
      return (await buyFor(till, CHECKOUT_TIMES * seconds)).perSecond;
    }),
    page("console, home", () => "/console"),
    search("reference", ({ filled }) => filled.transactionIds.at(-1) ?? ""),
    search("e-mail", () => REGULAR.email),
    search("last four", () => REGULAR.lastFour),
    search("order", () => "order-53"),
  ];
}

function rate(
  number: `P${number}`,
  name: string,
  of: (side: Side, seconds: number) => Promise<number>,
): Contender {
  return {
    ...{ number, name, unit: "/s" },
    async measure(sides, { seconds }) {
      const found: number[] = [];
      for (const side of sides) found.push(await of(side, seconds));
      return found;
    },
  };
}

async function requestsPerSecond({ service, askers }: Side, seconds: number): Promise<number> {
  const url = service.url + PATH;
  return served({ url, order: ORDER, merchants: askers, seconds });
}

/** Other ones all the time: of a large history not all are in memory. */
async function readsPerSecond({ service, key, filled }: Side, seconds: number): Promise<number> {
  const paths = filled.transactionIds.map((id) => `/transactions/${id}`);
  const url = `${service.url}/auth/whoami`;
  return served({ url, paths, headers: { "x-svc-key": key }, seconds });
}

async function served(burst: Omit<Parameters<typeof askAgain>[0], "connections">): Promise<number> {
  const { perSecond, failures } = await askAgain({ ...burst, connections: CONNECTIONS });
  if (failures > 0) throw new Error(`${failures} requests to ${burst.url} failed`);
  return perSecond;
}

async function timePages(
  sides: readonly [Side, Side],
  pathOf: (side: Side) => string,
  opens: number,
): Promise<number[]> {
  const all = sides.map((side) => ({ side, path: pathOf(side), ms: [] as number[] }));
  for (let turn = 0; turn < opens; turn++)
    for (const { side, path, ms } of all) ms.push((await side.tab.open(path)).ms);
  return all.map(({ ms }) => median(ms));
}

/** What the same work costs on a large database, and what a payment leaves on the disk. */

import { HISTORY_DAYS } from "../../bench/size/payment-rows.ts";
import { nameOf, type SizeResults } from "../../bench/size/size-results.ts";
import type { Measured } from "./measured.ts";
import { figureTable } from "./tables-of-markdown.ts";

/** How long rows are kept, by table; those that are not named here stay for good. */
const KEPT_DAYS: Readonly<Record<string, number>> = {
  webhook_deliveries: 30,
  webhook_attempts: 30,
  mails: 30,
  logged_requests: 7,
};
const PER_YEAR = [1_000_000, 10_000_000, 100_000_000];
const YEARS = [1, 7, 10];
const KEEP_UP_DAYS = 30;

export function renderSize(measured: NonNullable<Measured["size"]>): string {
  const { at, machine, rounds, sizes, leftOut } = measured;
  const names = sizes[0]?.compared.map(({ name, unit }) => `${name}, ${unit}`) ?? [];
  const rows = sizes.map((one) => [
    nameOf(one),
    digits(one.diskGb),
    ...one.compared.map(({ full, times }) => `${digits(full)} (× ${digits(times)})`),
    one.checksSeconds === undefined ? "" : digits(one.checksSeconds),
  ]);
  const lines = leftOut.map(
    (one) => `Left out: ${nameOf(one)}, which need ${digits(one.neededGb)} GB of ${one.freeGb}.`,
  );
  const where =
    `${machine.cpu}, ${machine.cores} cores, ${at}, commit ${machine.commit}; the median of ` +
    `${rounds === 1 ? "one round" : `${rounds} rounds`}.`;
  return [figureTable(["", "GB", ...names, "hourly checks, s"], rows), where, ...lines].join(
    "\n\n",
  );
}

export function renderYears(sizes: SizeResults["sizes"]): string {
  const largest = sizes
    .filter(({ merchants }) => merchants === 1)
    .toSorted((a, b) => b.paymentsEach - a.paymentsEach)[0];
  if (largest === undefined) throw new Error("no size of one merchant is measured");
  const payments = largest.merchants * largest.paymentsEach;
  const perPayment = Object.entries(largest.tableBytes).map(([table, bytes]) => {
    const days = KEPT_DAYS[table];
    // A day less, so that nothing of it was due to go.
    const filled = days === undefined ? payments : (payments * (days - 1)) / HISTORY_DAYS;
    return { table, days, bytes: bytes / filled };
  });
  const forGood = perPayment.filter(({ days }) => days === undefined);
  const passing = perPayment.filter(({ days }) => days !== undefined);
  const sum = (all: typeof perPayment) => all.reduce((total, { bytes }) => total + bytes, 0);
  const tables = [...forGood.toSorted((a, b) => b.bytes - a.bytes), ...passing]
    .filter(({ bytes }) => bytes >= 1)
    .map(({ table, days, bytes }) => [
      `\`${table}\``,
      Math.round(bytes).toLocaleString("en"),
      days === undefined ? "for good" : `${days} days`,
    ]);
  const years = PER_YEAR.map((perYear) => [
    perYear.toLocaleString("en"),
    ...YEARS.map((count) => digits((perYear * count * sum(forGood)) / 1e9)),
    digits(
      passing.reduce((all, { days = KEEP_UP_DAYS, bytes }) => all + days * bytes, 0) *
        (perYear / 365 / 1e9),
    ),
  ]);
  return [
    figureTable(
      ["table, with its indexes", "bytes a payment", "kept"],
      [...tables, ["**for good, together**", Math.round(sum(forGood)).toLocaleString("en"), ""]],
    ),
    figureTable(
      [
        "payments a year",
        ...YEARS.map((count) => `GB after ${count} ${count === 1 ? "year" : "years"}`),
        "and what is kept for days, GB",
      ],
      years,
    ),
  ].join("\n\n");
}

function digits(figure: number): string {
  return Number(figure.toPrecision(figure >= 100 ? 4 : 3)).toLocaleString("en");
}

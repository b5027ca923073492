/** Durations as they are typed: `90s`, `3m`, `24h`, `5d`, `1mo`; one or several in a row. */

import { WrongUsage } from "./tool-error.ts";

const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
};
const PART = /(\d{1,9})(mo|[smhdw])/y;

/** In seconds, from a moment on: a month is as long as the calendar's. */
export function readDuration(typed: string, from: Date): number {
  const end = new Date(from);
  PART.lastIndex = 0;
  for (let at = 0; at < typed.length; at = PART.lastIndex) {
    const found = PART.exec(typed);
    if (found === null) throw notADuration(typed);
    const [, number = "", unit = ""] = found;
    if (unit === "mo") addMonths(end, Number(number));
    else end.setTime(end.getTime() + Number(number) * (SECONDS[unit] ?? 0) * 1000);
  }
  const seconds = Math.round((end.getTime() - from.getTime()) / 1000);
  if (!(seconds > 0)) throw notADuration(typed);
  return seconds;
}

/** On the last day of a shorter month: 31 January and a month is 28 or 29 February. */
function addMonths(date: Date, count: number): void {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
}

function notADuration(typed: string): WrongUsage {
  return new WrongUsage(`${typed} is not a duration.`, "Write it as 90s, 3m, 24h, 5d or 1mo.");
}

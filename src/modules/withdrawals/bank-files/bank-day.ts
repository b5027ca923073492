/**
 * Bank days: on which a bank can pay (Decision 0048). Public holidays are the bank's to know: it
 * pays what is due on one the day after.
 */

import { addDays } from "../../../kit/local-day.ts";

const SATURDAY = 6;
const SUNDAY = 0;

/** The day itself, or the Monday after a weekend. */
export function bankDayFrom(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === SATURDAY) return addDays(day, 2);
  return weekday === SUNDAY ? addDays(day, 1) : day;
}

/**
 * Bank days: which day it is where a bank is, and on which it can pay (Decision 0048). Public
 * holidays are the bank's to know: it pays what is due on one the day after.
 */

const SATURDAY = 6;
const SUNDAY = 0;

/** As `2026-11-16`, in that time zone. */
export function dayAt(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(moment);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

/** The day itself, or the Monday after a weekend. */
export function bankDayFrom(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === SATURDAY) return addDays(day, 2);
  return weekday === SUNDAY ? addDays(day, 1) : day;
}

export function addDays(day: string, count: number): string {
  const moved = new Date(`${day}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + count);
  return moved.toISOString().slice(0, 10);
}

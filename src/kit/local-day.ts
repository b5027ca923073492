/**
 * Days of a time zone, as `2026-11-16`: which one a moment is in, and when one begins. A day that a
 * change of the clock makes longer or shorter still ends where the next begins.
 */

import { addSeconds, DAY_SECONDS, SECOND_MS } from "./clock.ts";

/** One for each zone: making one takes longer than all of its uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day in that time zone. */
export function dayAt(moment: Date, timeZone: string): string {
  return wallClock(moment, timeZone).slice(0, 10);
}

/** When the day begins: at its midnight, or at the first moment of it where there is none. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = new Date(`${day}T00:00:00Z`);
  const around = [-DAY_SECONDS, DAY_SECONDS].map((seconds) => {
    const offset = offsetMs(addSeconds(midnight, seconds), timeZone);
    return new Date(midnight.getTime() - offset);
  });
  const [first = midnight, last = midnight] = around.toSorted((a, b) => a.getTime() - b.getTime());
  return dayAt(first, timeZone) === day ? first : last;
}

/** When the day has ended, which is when the next begins. */
export function endOfDay(day: string, timeZone: string): Date {
  return startOfDay(addDays(day, 1), timeZone);
}

/** Of the day, for spans whose end is included. Times have milliseconds at most. */
export function lastMomentOf(day: string, timeZone: string): Date {
  return new Date(endOfDay(day, timeZone).getTime() - 1);
}

/** The time of these days, both included; open where there is no first or last. */
export function daySpan(
  { first, last }: { readonly first: string | undefined; readonly last: string | undefined },
  timeZone: string,
) {
  return {
    from: first === undefined ? undefined : startOfDay(first, timeZone),
    until: last === undefined ? undefined : endOfDay(last, timeZone),
  };
}

export function addDays(day: string, count: number): string {
  const moved = new Date(`${day}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + count);
  return moved.toISOString().slice(0, 10);
}

/** Both included; none when they are the wrong way round. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

function offsetMs(moment: Date, timeZone: string): number {
  const wall = new Date(`${wallClock(moment, timeZone)}Z`);
  return wall.getTime() - Math.floor(moment.getTime() / SECOND_MS) * SECOND_MS;
}

/** As `2026-11-16 09:30:00`, which is how Swedish writes it. */
function wallClock(moment: Date, timeZone: string): string {
  const format = formats.get(timeZone) ?? newFormat(timeZone);
  formats.set(timeZone, format);
  return format.format(moment);
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const two = "2-digit";
  const time = { hourCycle: "h23", hour: two, minute: two, second: two } as const;
  return new Intl.DateTimeFormat("sv", {
    timeZone,
    ...time,
    year: "numeric",
    month: two,
    day: two,
  });
}

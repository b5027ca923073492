/**
 * Lengths of time. What time it *is* comes from the database (`infra/db/clock.ts`, Decision 0003).
 */

export const SECOND_MS = 1_000;
export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

export function addSeconds(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * SECOND_MS);
}

export function epochSeconds(time: Date): number {
  return Math.floor(time.getTime() / SECOND_MS);
}

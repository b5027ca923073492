/**
 * Ends that people set as a day: the day itself is still in, by the account's clock. The API has
 * the moment after it.
 */

import { optional, readFields } from "../kit/fields/field.ts";
import { day } from "../kit/fields/time.ts";
import { dayAt, endOfDay } from "../kit/local-day.ts";
import type { SentForm } from "./refused.ts";

/** Undefined where the field is empty. */
export function lastMoment({ expires_at }: SentForm, timeZone: string): string | undefined {
  const { expires_at: last } = readFields({ expires_at: optional(day()) }, { expires_at });
  return last && endOfDay(last, timeZone).toISOString();
}

/** Empty where there is no end. */
export function lastDay(end: Date | null, timeZone: string): string {
  return end === null ? "" : dayAt(new Date(end.getTime() - 1), timeZone);
}

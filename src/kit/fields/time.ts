/**
 * Fields that are a moment: ISO 8601 with a time zone, so that nobody has to guess whose midnight.
 */

import { FieldRefused } from "../errors.ts";
import { type Field, field, labelOf } from "./field.ts";
import { asText } from "./text.ts";

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})$/;

export function moment(): Field<Date> {
  return field({ type: "string", format: "date-time" }, (value, name) => {
    const given = readMoment(asText(value, name));
    if (given === undefined)
      throw new FieldRefused(`The ${labelOf(name)} must be a time such as 2027-01-31T12:00:00Z.`);
    return given;
  });
}

function readMoment(given: string): Date | undefined {
  const match = MOMENT.exec(given);
  if (match === null) return undefined;
  const time = new Date(given);
  // `Date` rolls 31 February over into March; a day that does not exist is refused instead.
  const dayExists = new Date(`${match[1]}T00:00:00Z`).toJSON()?.startsWith(match[1] ?? "");
  if (Number.isNaN(time.getTime()) || dayExists !== true || match[2] === "24:00:00")
    return undefined;
  // A zone can push a time out of the years that ISO 8601 writes with four digits.
  const year = time.getUTCFullYear();
  return year < 1 || year > 9999 ? undefined : time;
}

/** Fields that are a time, in ISO 8601 with its zone, and fields that are a day. */

import { type Field, field, fieldRefused } from "./field.ts";
import { asText } from "./text.ts";

const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})$/;

export function moment(): Field<Date> {
  return field({ type: "string", format: "date-time" }, (value, name) => {
    const input = readMoment(asText(value, name));
    if (input === undefined)
      throw fieldRefused(name, "must be a time such as 2027-01-31T12:00:00Z");
    return input;
  });
}

/** A day stands for its beginning in UTC. */
export function dayOrMoment(): Field<Date> {
  return field({ type: "string", format: "date-time" }, (value, name) => {
    const input = asText(value, name);
    const read = readMoment(DAY.test(input) ? `${input}T00:00:00Z` : input);
    if (read === undefined)
      throw fieldRefused(
        name,
        "must be a day such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z",
      );
    return read;
  });
}

/** A day such as `2027-01-31`, kept as text: it has no hour and no zone. */
export function day(): Field<string> {
  return field({ type: "string", format: "date" }, (value, name) => {
    const input = asText(value, name);
    if (!DAY.test(input) || !dayExists(input))
      throw fieldRefused(name, "must be a day such as 2027-01-31");
    return input;
  });
}

function readMoment(input: string): Date | undefined {
  const match = MOMENT.exec(input);
  if (match === null) return undefined;
  const time = new Date(input);
  if (Number.isNaN(time.getTime()) || !dayExists(match[1] ?? "") || match[2] === "24:00:00")
    return undefined;
  // A zone can push a time out of the years that ISO 8601 writes with four digits.
  const year = time.getUTCFullYear();
  return year < 1 || year > 9999 ? undefined : time;
}

/** `Date` rolls 31 February over into March; a day that does not exist is refused instead. */
function dayExists(input: string): boolean {
  return new Date(`${input}T00:00:00Z`).toJSON()?.startsWith(input) === true;
}

/**
 * Fields that are an amount of money, in minor units: which currency is told by another field. A
 * number or a numeric text, in JSON and form alike; a third decimal is refused, never rounded.
 */

import { FieldRefused } from "../errors.ts";
import { parseMinor } from "../money.ts";
import { type Field, field, labelOf } from "./field.ts";

export function amount(): Field<bigint> {
  return field({ type: "number" }, (value, name) => {
    const minor = parseMinor(value);
    if (minor === undefined)
      throw new FieldRefused(
        `The ${labelOf(name)} must be a number with at most 2 decimal places.`,
      );
    return minor;
  });
}

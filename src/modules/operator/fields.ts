/** A whole number as it is typed: text, because everything on a command line is. */

import { FieldRefused } from "../../kit/errors.ts";
import { type Field, field, withDefault } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";
import { asked } from "./command.ts";

export function wholeNumber(
  { min, max }: { min: bigint; max: bigint },
  placeholder: string,
  about: string,
): Field<bigint> {
  const inner = field({ type: "string" }, (value, name) => {
    const given = asText(value, name);
    const number = /^(?:0|[1-9]\d{0,18})$/.test(given) ? BigInt(given) : undefined;
    if (number === undefined || number < min || number > max)
      throw new FieldRefused(`The ${name} must be a whole number from ${min} to ${max}.`);
    return number;
  });
  return asked(inner, placeholder, about);
}

/** How many rows a list shows at most. */
export function rowsField(usual: number, max: number): Field<bigint> {
  const about = `At most so many; ${usual} if absent.`;
  return withDefault(wholeNumber({ min: 1n, max: BigInt(max) }, "number", about), BigInt(usual));
}

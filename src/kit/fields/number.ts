/** Fields that are whole numbers, given as a number or as digits, in JSON and form alike. */

import { type Field, field, fieldRefused, withDefault } from "./field.ts";

export function integer(rules: { min: number; max: number; default?: number }): Field<number> {
  const schema = { type: "integer", minimum: rules.min, maximum: rules.max };
  const required = field(schema, (value, name) => {
    const number = wholeNumber(value);
    if (number === undefined || number < rules.min || number > rules.max)
      throw fieldRefused(name, `must be a whole number from ${rules.min} to ${rules.max}`, {
        code: "field_out_of_range",
      });
    return number;
  });
  return rules.default === undefined ? required : withDefault(required, rules.default);
}

/** Only plain digits: `Number` alone would also take "0x10", "1e2", " 10" and "". */
function wholeNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) return Number(value);
  return undefined;
}

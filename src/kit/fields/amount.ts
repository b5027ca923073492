/**
 * Fields that are an amount of money, in minor units; another field has the currency. A number or a
 * numeric text, in JSON and form alike; a third decimal is refused, never rounded.
 */

import type { FieldRefused } from "../errors.ts";
import { parseMinor } from "../money.ts";
import type { JsonSchema } from "../schema.ts";
import { type Field, field, fieldRefused } from "./field.ts";

/** Enough to say what is wrong with an amount. */
const SIGNED = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/** A number, or its digits as text, which loses no precision. */
export function amountSchema(least: "zero" | "a cent"): JsonSchema {
  const isPositive = least === "a cent";
  return {
    oneOf: [
      { type: "number", minimum: isPositive ? 0.01 : 0, maximum: 9_999_999_999.99 },
      {
        type: "string",
        pattern: "^\\d{1,12}(?:\\.\\d{1,2})?$",
        maxLength: 15,
        ...(isPositive ? { not: { pattern: "^[0.]+$" } } : {}),
      },
    ],
  };
}

export function amount(least: "zero" | "a cent" = "zero"): Field<bigint> {
  return field(amountSchema(least), (value, name) => {
    const minor = parseMinor(value);
    if (minor !== undefined) return minor;
    const beyond = anyMinor(value);
    if (!beyond) throw notAnAmount(name);
    throw fieldRefused(name, `must not be ${beyond < 0n ? "negative" : "that large"}`, {
      code: "field_out_of_range",
    });
  });
}

/**
 * For callers that check limits of their own and name them: reads negative and very large amounts,
 * too, so that those limits refuse them.
 */
export function limitedAmount(): Field<bigint> {
  const plain = amount();
  return {
    ...plain,
    read: (value, name) => parseMinor(value) ?? anyMinor(value) ?? plain.read(value, name),
  };
}

/** As many digits as a JSON number keeps exactly. */
const SIGNED_MAX = 999_999_999_999n;

/** One that may be below zero, as the price of a discount is. */
export function signedAmount(): Field<bigint> {
  const max = 9_999_999_999.99;
  const schema = {
    oneOf: [
      { type: "number", minimum: -max, maximum: max },
      { type: "string", pattern: "^-?\\d{1,10}(?:\\.\\d{1,2})?$" },
    ],
  };
  return field(schema, (value, name) => {
    const minor = anyMinor(value);
    if (minor === undefined) throw notAnAmount(name);
    if (minor < -SIGNED_MAX || minor > SIGNED_MAX)
      throw fieldRefused(name, `must be from -${max} to ${max}`, { code: "field_out_of_range" });
    return minor;
  });
}

function notAnAmount(name: string): FieldRefused {
  return fieldRefused(name, "must be a number with at most 2 decimal places");
}

/** Minor units of an amount of any sign and size. */
function anyMinor(value: unknown): bigint | undefined {
  const match =
    typeof value === "number" || typeof value === "string" ? SIGNED.exec(String(value)) : null;
  if (match === null) return undefined;
  const [, sign = "", units = "", cents = ""] = match;
  return BigInt(sign + units + cents.padEnd(2, "0"));
}

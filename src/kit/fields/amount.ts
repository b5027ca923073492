/**
 * Fields that are an amount of money, in minor units: which currency is told by another field. A
 * number or a numeric text, in JSON and form alike; a third decimal is refused, never rounded.
 */

import { FieldRefused } from "../errors.ts";
import { parseMinor } from "../money.ts";
import { type Field, field, type JsonSchema, labelOf } from "./field.ts";

/** As far as it takes to say what is wrong with it. */
const SIGNED = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/** A number, or its digits as text, which loses nothing on the way. */
export function amountSchema(least: "zero" | "a cent" = "zero"): JsonSchema {
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

export function amount(): Field<bigint> {
  return field(amountSchema(), (value, name) => {
    const minor = parseMinor(value);
    if (minor !== undefined) return minor;
    const beyond = beyondAll(value);
    if (!beyond)
      throw new FieldRefused(
        `The ${labelOf(name)} must be a number with at most 2 decimal places.`,
      );
    throw new FieldRefused(
      `The ${labelOf(name)} must not be ${beyond < 0n ? "negative" : "that large"}.`,
      { code: "field_out_of_range" },
    );
  });
}

/**
 * The same for whoever holds it against limits and names them: what no payment could ever be is
 * read too, so that the limits get to speak.
 */
export function limitedAmount(): Field<bigint> {
  const plain = amount();
  return {
    ...plain,
    read: (value, name) => parseMinor(value) ?? beyondAll(value) ?? plain.read(value, name),
  };
}

/** Below zero, or of more digits than an amount has. */
function beyondAll(value: unknown): bigint | undefined {
  const match = SIGNED.exec(typeof value === "number" ? String(value) : asString(value));
  if (match === null) return undefined;
  const [, sign = "", units = "", cents = ""] = match;
  return BigInt(sign + units + cents.padEnd(2, "0"));
}

function asString(value: unknown): string {
  return typeof value === "string" ? value : "";
}

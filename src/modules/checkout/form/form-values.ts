/**
 * What the card form holds, by the names of its fields, and what of it may be shown again.
 *
 * Card number, expiry and security code are never in a `KeptValues`, so no template can print them
 * (Decision 0096); nor is a card number that was typed into another field.
 */

import { holdsCardNumber } from "../../../kit/fields/card-number-inside.ts";

export const FIELD_NAMES = [
  "number",
  "expiry",
  "cvv",
  "holder",
  "email",
  "country",
  "addr1",
  "addr2",
  "city",
  "state",
  "zipcode",
  "dial",
  "phone",
] as const;

export type FieldName = (typeof FIELD_NAMES)[number];

export type FormValues = Readonly<Partial<Record<FieldName, string>>>;

const NEVER_KEPT = ["number", "expiry", "cvv"] as const satisfies readonly FieldName[];
type NeverKept = (typeof NEVER_KEPT)[number];

export type KeptValues = Readonly<Partial<Record<Exclude<FieldName, NeverKept>, string>>>;

export function isKept(name: FieldName): name is keyof KeptValues {
  return !(NEVER_KEPT as readonly FieldName[]).includes(name);
}

export function keptValues(values: FormValues): KeptValues {
  const names = FIELD_NAMES.filter(isKept);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return value === undefined || holdsCardNumber(value) ? [] : [[name, value]];
    }),
  );
}

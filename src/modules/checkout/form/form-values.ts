/**
 * What the card form holds, by the names of its fields, and what of it may be shown again.
 *
 * The card number and the security code are never in a `KeptValues`, so no
 * template can print them; nor is a card number that was typed into another field.
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

export type KeptValues = Readonly<Partial<Record<Exclude<FieldName, "number" | "cvv">, string>>>;

export function keptValues({ number: _, cvv: __, ...kept }: FormValues): KeptValues {
  return Object.fromEntries(
    Object.entries(kept).filter(([, value]) => value !== undefined && !holdsCardNumber(value)),
  );
}

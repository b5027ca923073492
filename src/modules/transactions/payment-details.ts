/**
 * What a merchant says of a payment in words of its own. Each detail is an optional field of the
 * payment request and a column of `transactions`, both of its name, empty where it was not sent;
 * and it is part of the record, its events and the CSV. One that is shown is a line of the payment
 * page, whose label is in the page's texts. Declared here alone: see "Add a field" in
 * CONTRIBUTING.md.
 */

import { raw } from "sql-template-tag";
import { type Sql, sql } from "../../infra/db/query.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { described, type Field, optional, withDefault } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";

interface Detail {
  /** Reads what was sent; `DETAIL_FIELDS` says what is read when nothing was. */
  readonly field: Field<string>;
  /** Of the record that is returned. */
  readonly about: string;
  readonly example: string;
  readonly isShown: boolean;
}

const PAYMENT_DETAILS = {
  data: {
    field: described(
      withoutCardNumber(text({ max: 4096 })),
      "Told back with the result and in events, exactly as it was sent.",
      "cart 7",
    ),
    about: "As it was sent, or empty.",
    example: "cart 7",
    isShown: false,
  },
} as const satisfies Readonly<Record<string, Detail>>;

export type DetailName = keyof typeof PAYMENT_DETAILS;
export type PageDetailName = {
  [Name in DetailName]: (typeof PAYMENT_DETAILS)[Name]["isShown"] extends true ? Name : never;
}[DetailName];
/** Something of each detail that the page shows: its value, or its label. */
export type PageDetails = Readonly<Record<PageDetailName, string>>;

export const DETAIL_NAMES = Object.keys(PAYMENT_DETAILS) as DetailName[];

const DETAILS: Readonly<Record<DetailName, Detail>> = PAYMENT_DETAILS;

/** Something of each detail, by its name. */
export function eachDetail<T>(of: (name: DetailName, detail: Detail) => T): Record<DetailName, T> {
  return Object.fromEntries(DETAIL_NAMES.map((name) => [name, of(name, DETAILS[name])])) as Record<
    DetailName,
    T
  >;
}

/**
 * The fields of the payment request. A detail that is not sent is absent from what was read, not
 * empty: so a request without it is the same request before and after the release that adds it, by
 * its digest (Decision 0077) and by the fingerprint of its Idempotency-Key. `data` is as old as the
 * fingerprints, which have it empty.
 */
export const DETAIL_FIELDS = {
  ...eachDetail((_, { field }) => optional(field)),
  data: withDefault(PAYMENT_DETAILS.data.field, ""),
};

/** The details of `payment` that the page shows, as one JSON object. */
export const SHOWN_DETAILS: Sql = sql`jsonb_build_object(${raw(
  DETAIL_NAMES.filter((name) => DETAILS[name].isShown)
    .map((name) => `'${name}', payment.${name}`)
    .join(", "),
)})`;

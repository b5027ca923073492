/**
 * What a merchant says of a payment in words of its own. Each detail is an optional field of the
 * payment request and a column of `transactions`, both of its name, empty where it was not sent;
 * and it stands in the record that is returned. One that is shown is a line of the payment page,
 * whose label is in the page's texts. Declared here alone: see "Add a field" in CONTRIBUTING.md.
 */

import { raw } from "sql-template-tag";
import { type Sql, sql } from "../../infra/db/query.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { described, type Field, withDefault } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";

interface Detail {
  readonly field: Field<string>;
  /** Of the record that is returned. */
  readonly about: string;
  readonly example: string;
  readonly isShown: boolean;
}

const PAYMENT_DETAILS = {
  data: {
    field: described(
      withDefault(withoutCardNumber(text({ max: 4096 })), ""),
      "Told back with the result and in events, exactly as it was sent.",
      "cart 7",
    ),
    about: "As it was sent, or empty.",
    example: "cart 7",
    isShown: false,
  },
} as const satisfies Readonly<Record<string, Detail>>;

export type DetailName = keyof typeof PAYMENT_DETAILS;
export type PaymentDetails = Readonly<Record<DetailName, string>>;

const DETAIL_NAMES = Object.keys(PAYMENT_DETAILS) as DetailName[];

const DETAILS: Readonly<Record<DetailName, Detail>> = PAYMENT_DETAILS;

/** Something of each detail, by its name. */
export function eachDetail<T>(of: (name: DetailName, detail: Detail) => T): Record<DetailName, T> {
  return Object.fromEntries(DETAIL_NAMES.map((name) => [name, of(name, DETAILS[name])])) as Record<
    DetailName,
    T
  >;
}

/** The details of `payment` that the page shows, as one JSON object. */
export const SHOWN_DETAILS: Sql = sql`jsonb_build_object(${raw(
  DETAIL_NAMES.filter((name) => DETAILS[name].isShown)
    .map((name) => `'${name}', payment.${name}`)
    .join(", "),
)})`;

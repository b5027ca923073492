/** What a payment request says of the customer, in the order of Interface §2.4. */

import { FieldRefused } from "../../../kit/errors.ts";
import { withoutCardNumber } from "../../../kit/fields/card-number-inside.ts";
import { described, type Field, field, labelOf, optional } from "../../../kit/fields/field.ts";
import { line, text } from "../../../kit/fields/text.ts";
import { isSubdivision, subdivisionsOf } from "../../platforms/subdivisions.ts";
import { splitPhone } from "../form/phone-parts.ts";

const COUNTRY = /^[A-Z]{2}$/;
const PHONE_LENGTH_MAX = 50;

const words = (max: number) => withoutCardNumber(line(max));

function only(needed: string, inner: Field<string>): Field<string> {
  return field(inner.schema, (value, name, earlier) => {
    const given = inner.read(value, name);
    if (earlier !== undefined && earlier[needed] === undefined)
      throw new FieldRefused(
        `The ${labelOf(needed)} field is required when the ${labelOf(name)} is given.`,
        {
          code: "field_required",
          field: needed,
          hint: `Send ${needed} too, or leave ${name} out.`,
        },
      );
    return given;
  });
}

/**
 * The state stands before it and can be judged only now: where the country is known and has
 * subdivisions, it must be one of them.
 */
const country: Field<string> = field(
  { type: "string", pattern: COUNTRY.source },
  (value, name, earlier) => {
    const given = text({ max: 2, pattern: COUNTRY }).read(value, name);
    const state = earlier?.state as string | undefined;
    const isKnown = state === undefined || isSubdivision(given, state);
    if (!isKnown && Object.keys(subdivisionsOf(given)).length > 0)
      throw new FieldRefused("The state must be an ISO 3166-2 code of the country.", {
        code: "field_not_allowed",
        field: "state",
        hint: `GET /plugins/get/states lists the states of ${given}.`,
      });
    return given;
  },
);

/**
 * Shops send whatever the customer typed, so only the length is judged (Interface §2.4, prefill
 * rule 1). Anything but a complete valid number ends here: it is not read into the request, so it
 * reaches no table, page or gateway.
 */
const phone: Field<string | undefined> = field(
  { type: "string", maxLength: PHONE_LENGTH_MAX },
  (value, name) => {
    const written = typeof value === "string" ? value : JSON.stringify(value);
    const given = text({ max: PHONE_LENGTH_MAX }).read(written, name);
    return splitPhone(given) === undefined ? undefined : given;
  },
);

export const customerFields = {
  fname: described(optional(words(30)), "The customer's first name.", "Anika"),
  lname: described(optional(only("fname", words(30))), "The last name. Needs fname.", "Mohammed"),
  name: described(
    optional(words(60)),
    "Instead of fname and lname; split at its last space.",
    "Anika Mohammed",
  ),
  addr1: described(optional(words(50)), "Of the billing address.", "1 Ariapita Avenue"),
  addr2: described(optional(only("addr1", words(50))), "Needs addr1.", "Woodbrook"),
  city: described(optional(words(30)), "Of the billing address.", "Port of Spain"),
  state: described(
    optional(words(30)),
    "An ISO 3166-2 code of the country, with or without the country before it.",
    "TT-POS",
  ),
  zipcode: described(optional(words(10)), "Of the billing address.", "170516"),
  country: described(optional(country), "Of the billing address.", "TT"),
  phone: described(
    optional(phone),
    "The customer's, in E.164 form. One that is not a complete valid number is ignored.",
    "+18686221234",
  ),
};

/** What may be asked for: to save a card, and to charge one (Interface §4.5, Decision 0042). */

import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { after, described, type Field, optional, type Values } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { type CountryCode, ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { type FieldRules, requestFields } from "../checkout/request/request-fields.ts";

const ORIGIN_LENGTH_MAX = 32;

export const environmentField = described(
  optional(oneOf(ENVIRONMENTS)),
  "Absent: as far as the credential reaches.",
  "sandbox",
);

export function saveFields(rules: FieldRules) {
  const { environment, data } = requestFields(rules);
  return {
    environment: described(
      optional(environment),
      "Absent: that of the API key, or live.",
      "sandbox",
    ),
    response_url: responseUrl(rules),
    data,
  };
}

/** For a caller of that platform; without one, as it reads for all. */
export function chargeFields(rules: FieldRules, countryCode?: CountryCode) {
  const { currency, fee_structure, order_id, total, data, email } = requestFields(rules);
  return {
    currency: after(currency, { country_code: countryCode }),
    fee_structure,
    order_id,
    response_url: responseUrl(rules),
    total,
    origin: described(
      optional(withoutCardNumber(text({ max: ORIGIN_LENGTH_MAX }))),
      "The application that asks.",
      "my-shop",
    ),
    data,
    email: optional(email),
    environment: environmentField,
  };
}

export type SaveValues = Values<ReturnType<typeof saveFields>>;
export type ChargeValues = Omit<Values<ReturnType<typeof chargeFields>>, "environment">;

/** By the more generous rule: the environment may be the credential's, or the card's. */
function responseUrl(rules: FieldRules): Field<string> {
  return after(requestFields(rules).response_url, { environment: "sandbox" });
}

/** And by its own, once the environment is known, which is judged with it. */
export function responseUrlFor(
  rules: FieldRules,
  environment: Environment,
  asked: { readonly response_url: string },
): string {
  const fields = requestFields(rules);
  fields.environment.read(environment, "environment");
  return fields.response_url.read(asked.response_url, "response_url", { environment });
}

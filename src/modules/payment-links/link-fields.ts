/**
 * What a payment link may hold, and what of it may be changed. The fields that a payment request
 * has, too, are read as they are read there.
 */

import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import {
  after,
  described,
  eachClearable,
  eachOptional,
  type Field,
  field,
  fieldRefused,
  optional,
  type Values,
} from "../../kit/fields/field.ts";
import { flag } from "../../kit/fields/flag.ts";
import { integer } from "../../kit/fields/number.ts";
import { line, lines } from "../../kit/fields/text.ts";
import { moment } from "../../kit/fields/time.ts";
import { type CountryCode, ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import { type FieldRules, requestFields } from "../checkout/request/request-fields.ts";
import { onlyHttpsLive } from "../checkout/result/response-url.ts";
import { ORDER_FIELDS } from "../transactions/order-fields.ts";
import { orderItems } from "../transactions/order-items.ts";

export const ONLY_HTTPS_SUCCESS = onlyHttpsLive("success_url");
const PAYMENTS_MAX = 1_000_000;

export const environmentField = described(
  optional(oneOf(ENVIRONMENTS)),
  "Absent: as far as the credential reaches.",
  "sandbox",
);

const words = (max: number) => withoutCardNumber(line(max));
const paragraph = (max: number) => withoutCardNumber(lines(max));

const title = described(words(80), "What is paid for; the heading of the page.", "Yoga class");

/** What a link may have or be without. */
function optionalFields(rules: FieldRules) {
  return {
    description: described(
      ORDER_FIELDS.description,
      "Shown under the title, and behind it in the description of each payment.",
      "Saturdays at 7, by the jetty",
    ),
    max_payments: described(
      integer({ min: 1, max: PAYMENTS_MAX }),
      "How often it may be paid. Without it any number of times.",
      20,
    ),
    expires_at: described(
      moment(),
      "When it closes. A payment page that is open then may still be finished.",
      "2027-01-31T12:00:00Z",
    ),
    reference_label: described(
      words(40),
      "The label of a field that the customer fills in; what is typed there is the payment's " +
        "`link_reference`.",
      "Your name",
    ),
    success_message: described(
      paragraph(500),
      "What the customer reads after paying, where there is no success_url.",
      "See you there!",
    ),
    success_url: described(
      successUrl(rules),
      "Where the browser goes after paying, with the same signed parameters as a `response_url`.",
      "https://shop.example/paid",
    ),
    language: described(
      ORDER_FIELDS.language,
      "Of its pages and receipts. Without it the browser's.",
      "en",
    ),
    label: described(words(60), "Your own, to group links by. Customers do not see it.", "Classes"),
  };
}

/** For a caller of that platform; without one, as it reads for all. */
export function newLinkFields(rules: FieldRules, countryCode?: CountryCode) {
  const { environment, currency, total, fee_structure } = requestFields(rules);
  return {
    environment: described(
      optional(environment),
      "Absent: that of the API key, or live.",
      "sandbox",
    ),
    title,
    currency: after(currency, { country_code: countryCode }),
    amount: described(
      optional(total),
      "What is to be paid. Without it, send amount_min and amount_max.",
      "120.00",
    ),
    amount_min: described(optional(total), "The least that the customer may choose."),
    amount_max: described(optional(total), "The most."),
    items: described(
      optional(orderItems),
      "What is bought: lines that add up to the amount, which may then be left out. Not with " +
        "amount_min and amount_max.",
    ),
    fee_structure,
    ...eachOptional(optionalFields(rules)),
  };
}

/** What is left out stays; null or an empty text clears a field. */
export function linkChangeFields(rules: FieldRules) {
  return {
    environment: environmentField,
    title: optional(title),
    active: described(
      optional(flag()),
      "False: no card is taken for it any more, from this answer on.",
      false,
    ),
    ...eachClearable(optionalFields(rules)),
    currency: fixed(),
    amount: fixed(),
    amount_min: fixed(),
    amount_max: fixed(),
    items: fixed(),
    fee_structure: fixed(),
  };
}

export type NewLinkValues = Values<ReturnType<typeof newLinkFields>>;
export type LinkChange = Values<ReturnType<typeof linkChangeFields>>;

/** The link may already be printed or sent, at its price. */
function fixed(): Field<undefined> {
  const refused = field<undefined>({ not: {} }, (_, name) => {
    throw fieldRefused(name, "of a payment link cannot be changed: make a new link", {
      code: "field_not_allowed",
    });
  });
  return described(optional(refused), "Cannot be changed: make a new link.");
}

/** By the more generous rule: the environment may be the credential's, or the link's. */
function successUrl(rules: FieldRules): Field<string> {
  return after(requestFields(rules).response_url, { environment: "sandbox" });
}

/** And by its own, once the environment is known, which is judged with it. */
export function demandSuccessUrl(
  rules: FieldRules,
  environment: Environment,
  asked: { readonly success_url?: string | null | undefined },
): void {
  const fields = requestFields(rules);
  fields.environment.read(environment, "environment");
  const { success_url: given } = asked;
  if (typeof given === "string") fields.response_url.read(given, "success_url", { environment });
}

/**
 * Every field of a payment request, in the order in which they are judged: the first that fails is
 * the one that is refused (Interface §2.4, Decision 0036).
 *
 * Everything that can be judged from the request alone is judged here, so that a request which
 * reaches the database is one that could be paid.
 */

import type { Config } from "../../../infra/config.ts";
import { CATALOGUE } from "../../../kit/error-catalogue/catalogue.ts";
import { FieldRefused } from "../../../kit/errors.ts";
import { amountSchema, limitedAmount } from "../../../kit/fields/amount.ts";
import { withoutCardNumber } from "../../../kit/fields/card-number-inside.ts";
import { notOneOf, oneOf } from "../../../kit/fields/choice.ts";
import {
  described,
  type Field,
  field,
  optional,
  type Values,
  withDefault,
} from "../../../kit/fields/field.ts";
import { flag } from "../../../kit/fields/flag.ts";
import { asText, email, text } from "../../../kit/fields/text.ts";
import { CURRENCIES, type Currency, money } from "../../../kit/money.ts";
import {
  COUNTRY_CODES,
  type CountryCode,
  ENVIRONMENTS,
  type Environment,
} from "../../../kit/vocabulary.ts";
import { demandPayable, FEE_STRUCTURES } from "../../platforms/fee-quote.ts";
import { platformOf } from "../../platforms/platform.ts";
import { ORDER_FIELDS } from "../../transactions/order-fields.ts";
import { DETAIL_FIELDS } from "../../transactions/payment-details.ts";
import { LEGACY_METHOD, LEGACY_METHOD_IS } from "../../v1-compat/deprecated-method.ts";
import { CUSTOMER_EMAIL_MAX } from "../form/email-field.ts";
import { type ResponseUrlRules, responseUrlField } from "../result/response-url.ts";
import { customerFields } from "./customer-fields.ts";

export const METHODS = ["credit_card_co", "3co_simple"] as const;
const ACCOUNT_NUMBER = /^[1-9]\d{9}$/;
/** Letters, digits, - and _, beginning and ending with a letter or digit. */
const IDENTIFIER = /^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/;
const ORDER_ID_LENGTH_MAX = 64;

export interface FieldRules extends ResponseUrlRules {
  readonly acceptLegacyMethod: boolean;
  readonly takesLivePayments: boolean;
  /** The account has limits of its own (Decision 0129): they are judged where it is read. */
  readonly judgesLimitsLater?: true;
}

export function rulesOf({ checkout, liveGateway }: Config): FieldRules {
  return { ...checkout, takesLivePayments: liveGateway !== "none" };
}

/** The words of `AccountTakesNoPayments`: what is no number of ours looks like one that is. */
const { example: TAKES_NO_PAYMENTS, hint } = CATALOGUE.account_takes_no_payments;
const SAME_FOR_EVERY_ACCOUNT = { code: "account_takes_no_payments", hint } as const;

/** Digits as a number or as text. Anything else is refused as an account that cannot be paid. */
const accountNumber: Field<string> = field(
  {
    oneOf: [
      { type: "integer", minimum: 1_000_000_000, maximum: 9_999_999_999 },
      { type: "string", pattern: ACCOUNT_NUMBER.source },
    ],
  },
  (value) => {
    const digits = typeof value === "number" ? String(value) : value;
    if (typeof digits !== "string" || !ACCOUNT_NUMBER.test(digits))
      throw new FieldRefused(TAKES_NO_PAYMENTS, SAME_FOR_EVERY_ACCOUNT);
    return digits;
  },
);

/** Of the platform that was named before. */
const currency: Field<Currency> = field(oneOf(CURRENCIES).schema, (value, name, earlier) => {
  const given = asText(value, name);
  const platform = earlier?.country_code as CountryCode | undefined;
  const currencies = platform === undefined ? CURRENCIES : platformOf(platform).currencies;
  const known = currencies.find((one) => one === given);
  if (known === undefined) throw notOneOf(name, currencies);
  return known;
});

function environment({ takesLivePayments }: FieldRules): Field<Environment> {
  const plain = oneOf(ENVIRONMENTS);
  return field(plain.schema, (value, name) => {
    const given = plain.read(value, name);
    if (given === "live" && !takesLivePayments)
      throw new FieldRefused("The environment must be sandbox: live payments are not taken here.", {
        code: "field_not_allowed",
      });
    return given;
  });
}

function method({ acceptLegacyMethod }: FieldRules): Field<(typeof METHODS)[number]> {
  const plain = oneOf(METHODS);
  return field(plain.schema, (value, name) => {
    if (value !== LEGACY_METHOD) return plain.read(value, name);
    if (acceptLegacyMethod) return LEGACY_METHOD_IS;
    throw new FieldRefused(
      "The method credit_card is no longer taken: send credit_card_co for the full page or " +
        "3co_simple for a frame.",
      { code: "field_not_allowed" },
    );
  });
}

const anyAmount = limitedAmount();

/** Within the limits of the currency that was named before. */
function total({ judgesLimitsLater }: FieldRules): Field<bigint> {
  return field(amountSchema("a cent"), (value, name, earlier) => {
    const minor = anyAmount.read(value, name);
    const known = earlier?.currency as Currency | undefined;
    if (known !== undefined && !judgesLimitsLater) demandPayable(money(known, minor), name);
    return minor;
  });
}

const identifier = (max: number) => withoutCardNumber(text({ min: 1, max, pattern: IDENTIFIER }));
const orderId = identifier(ORDER_ID_LENGTH_MAX);

/**
 * Its value is read from the body as it was sent (`request-signature.ts`). Here it is left out of
 * the values, so that a request which is signed anew is still the same request: for an order that
 * is asked for again and for an Idempotency-Key.
 */
const signature: Field<undefined> = field(
  { type: "string", pattern: "^[0-9a-fA-F]{64}$" },
  (value, name) => {
    asText(value, name);
    return undefined;
  },
);

export function requestFields(rules: FieldRules) {
  return {
    account_number: described(accountNumber, "The merchant's account.", "1234567890"),
    country_code: described(oneOf(COUNTRY_CODES), "The platform of the merchant's account.", "TT"),
    currency: described(currency, "One of the two of the platform.", "TTD"),
    environment: described(environment(rules), "Where the payment is made.", "sandbox"),
    fee_structure: described(oneOf(FEE_STRUCTURES), "Who pays the fee.", "customer_pay"),
    method: described(
      method(rules),
      "The full page, or the one made for a frame. `credit_card` is deprecated and taken as " +
        "`credit_card_co`.",
      "credit_card_co",
    ),
    order_id: described(
      orderId,
      "Of this order alone; 16 characters or fewer are recommended.",
      "order-1",
    ),
    origin: described(identifier(32), "The application that asks.", "my-shop"),
    response_url: described(
      responseUrlField(rules),
      "Where the browser is sent with the result.",
      "https://shop.example/paid",
    ),
    total: described(total(rules), "Within the limits of the currency.", "100.00"),
    email: described(
      optional(withoutCardNumber(email({ max: CUSTOMER_EMAIL_MAX }))),
      "The customer's. Not the merchant's own. Without it the page asks the customer.",
      "customer@example.com",
    ),
    ...DETAIL_FIELDS,
    version: described(
      optional(withoutCardNumber(text({ max: 16 }))),
      "Of the application.",
      "1.4.0",
    ),
    ...customerFields,
    avs: described(
      withDefault(flag(), false),
      "Whether the billing address is to be verified.",
      false,
    ),
    card_type: described(
      optional(oneOf(["visa", "mastercard"])),
      "The only network that is taken for this order.",
      "visa",
    ),
    ...ORDER_FIELDS,
    signature: described(
      optional(signature),
      "The HMAC-SHA-256 in hex, keyed by the account's signing secret of that environment, of " +
        "all other fields of the body, sorted by name and form-encoded. An account may require it.",
      "3f0c6ed4cb9d1a4b5b6c9a0f4f3f1b0e7c5b7a5e9d0c1b2a39485766554433ff",
    ),
  };
}

/** Whether it may be repeated, in a request that is wrong elsewhere. */
export function isOrderId(value: unknown): value is string {
  try {
    return orderId.read(value, "order_id") !== "";
  } catch {
    return false;
  }
}

export type RequestValues = Values<ReturnType<typeof requestFields>>;

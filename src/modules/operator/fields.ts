/** Options and arguments of commands. Everything on a command line arrives as text. */

import { FieldRefused } from "../../kit/errors.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { type Field, field, optional, withDefault } from "../../kit/fields/field.ts";
import { asText, line, normalEmail, text } from "../../kit/fields/text.ts";
import { dayOrMoment } from "../../kit/fields/time.ts";
import { TRANSACTION_ID, UUID } from "../../kit/ids.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";

export const ACCOUNT_NUMBER = /^[1-9][0-9]{9}$/;
/** What a bank file is called. */
export const BATCH_NAME = /^[A-Z]{2}-[A-Z]{3}-\d{8}-[0-9A-F]{8}$/;
const OPERATOR_LENGTH_MAX = 64;
export const REASON_LENGTH_MAX = 255;

/** A field as help shows it: what stands for its value, and what it means. */
export function option<T>(inner: Field<T>, placeholder: string, about: string): Field<T> {
  return { ...inner, schema: { ...inner.schema, title: placeholder, description: about } };
}

/** Set or not; it takes no value. */
export function switchOption(about: string): Field<boolean> {
  return {
    schema: { type: "boolean", description: about },
    required: false,
    read: (value) => value === true,
    absent: () => false,
  };
}

export function wordOption<const W extends string>(words: readonly W[], about: string): Field<W> {
  return option(oneOf(words), words.join("|"), about);
}

/** A point in time: a day of UTC, or a time. */
export function timeOption(about: string): Field<Date | undefined> {
  return optional(option(dayOrMoment(), "time", about));
}

export function wholeNumber(
  { min, max, usual }: { min: number; max: number; usual: number },
  about: string,
): Field<number> {
  const inner = field({ type: "string" }, (value, name) => {
    const digits = asText(value, name);
    const number = /^(?:0|[1-9]\d{0,18})$/.test(digits) ? Number(digits) : undefined;
    if (number === undefined || number < min || number > max)
      throw new FieldRefused(`The ${name} must be a whole number from ${min} to ${max}.`);
    return number;
  });
  return withDefault(option(inner, "number", `${about}; ${usual} if absent.`), usual);
}

/** How many rows a list shows at most. */
export function limitOption(usual: number): Field<number> {
  return wholeNumber({ min: 1, max: 1_000, usual }, "At most so many");
}

/** With a length at which an e-mail address is still refused by the sentence of the pattern. */
const patternField = (pattern: RegExp, patternRefusal: string, max = 255) =>
  text({ max, pattern, patternRefusal });

const tenDigits = (called: string) =>
  option(
    patternField(ACCOUNT_NUMBER, `The ${called} must have ten digits and not begin with 0.`),
    "account_number",
    "Ten digits.",
  );

export const accountNumberField = tenDigits("account number");

/** The account that a list is narrowed to. */
export const accountOption = optional(tenDigits("account"));

/** For commands that take either: ten digits, or an e-mail in its normal form. */
export const accountField = option(
  field({ type: "string" }, (value, name) => {
    const typed = asText(value, name);
    const account = ACCOUNT_NUMBER.test(typed) ? typed : normalEmail(typed);
    if (account === undefined)
      throw new FieldRefused("The account must be an account number or an email address.");
    return account;
  }),
  "account_number|email",
  "Its ten digits, or what its owner signs in with.",
);

export const transactionIdField = option(
  patternField(TRANSACTION_ID, "The transaction id must look like TT-01ARZ3NDEKTSV4RRFFQ69G5FAV."),
  "transaction_id",
  "As the merchant sees it; a sandbox one begins with SB-.",
);

export function uuidField(of: string, about: string) {
  const refusal = `The ${of} id must look like 5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d.`;
  return option(patternField(UUID, refusal, 36), `${of}_id`, about);
}

export const environmentOption = optional(
  wordOption(ENVIRONMENTS, "Live or sandbox; both if absent."),
);

export const environmentOrLive = withDefault(
  wordOption(ENVIRONMENTS, "Whose; live if absent."),
  "live",
);

/** What every action demands. */
export const signatureFields = {
  by: option(line(OPERATOR_LENGTH_MAX), "name", "Who you are; it is written into the audit trail."),
  why: option(
    line(REASON_LENGTH_MAX),
    "reason",
    "Why you do it; it is written down too, and only operators read it.",
  ),
};

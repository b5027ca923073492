/** Errors about one field of a body, a query or a path, or about several that do not fit. */

import { entries } from "./entry.ts";

const INVALID = { status: 400 } as const;

export const FIELD_ERRORS = entries(INVALID, {
  field_required: {
    title: "Required field missing",
    statement: "A required field is absent or empty.",
    hint: "Send the field that the message names; an empty text counts as absent.",
    example: "The refresh token field is required.",
    field: "refresh_token",
  },
  field_invalid: {
    title: "Invalid field",
    statement: "The value of a field breaks a rule of that field.",
    hint: "Correct the field that the message names; the reference has its rules and an example.",
    example: "The order id format is invalid.",
    field: "order_id",
  },
  field_not_text: {
    title: "Field is not text",
    statement: "A field that takes text was sent as something else.",
    hint: "Send the value as a JSON string.",
    example: "The name must be a string.",
    field: "name",
  },
  field_not_allowed: {
    title: "Value not allowed",
    statement: "A field that takes one of a few values has another one.",
    hint: "Send one of the values that the reference lists, in the same spelling.",
    example: "The environment must be one of: live, sandbox.",
    field: "environment",
  },
  field_too_short: {
    title: "Text too short",
    statement: "A text has fewer characters than its field needs.",
    hint: "Send a longer text.",
    example: "The password must be at least 8 characters.",
    field: "password",
  },
  field_too_long: {
    title: "Text too long",
    statement: "A text has more characters than its field takes.",
    hint: "Send a shorter text; characters are counted as Unicode code points.",
    example: "The name must not be longer than 255 characters.",
    field: "name",
  },
  field_out_of_range: {
    title: "Number out of range",
    statement: "A number or an amount is smaller or larger than its field takes.",
    hint: "Send a number within the range that the message names.",
    example: "The page size must be a whole number from 1 to 100.",
    field: "page_size",
  },
  field_holds_card_number: {
    title: "Card number in a text",
    statement: "A text that is stored contains what looks like a card number.",
    hint: "Remove the card number: cards are entered on the payment page and nowhere else.",
    example: "The description must not contain a card number.",
    field: "description",
  },
  fields_conflict: {
    title: "Fields contradict each other",
    statement: "Two fields are valid each by itself but not together.",
    hint: "Change one of the fields that the message names.",
    example: "The from date must not be after the to date.",
  },
  nothing_to_change: {
    title: "Nothing to change",
    statement: "A request to change something names no field that can be changed.",
    hint: "Send at least one of the fields that the reference lists for this route.",
    example: "Give at least one field to change.",
  },
  environment_of_key: {
    title: "Wrong environment for this API key",
    statement: "The request names one environment and the API key belongs to the other.",
    hint:
      "Leave environment out, or use a key of the environment you mean: svc_test_ keys reach the " +
      "sandbox, svc_live_ keys live data.",
    example: "The environment must be sandbox with this API key.",
    field: "environment",
  },
});

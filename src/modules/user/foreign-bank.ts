/**
 * A bank account abroad, for US dollars, with what a bank requires to send money there; the
 * intermediary bank is optional (Decision 0019).
 */

import { sql } from "../../infra/db/query.ts";
import { tables } from "../../infra/db/tables.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { described, field, labelOf, optional } from "../../kit/fields/field.ts";
import { asText, line, lines } from "../../kit/fields/text.ts";
import { type BankKind, fieldColumns } from "./bank.ts";
import { abaField, swiftField, swiftOrAbaField } from "./bank-codes.ts";

/** An IBAN has 34 at most. Fewer than five would be shown whole by the mask. */
const NUMBER = /^[A-Za-z0-9]{5,34}$/;
/** Between the groups of a number as people write it. */
const SEPARATORS = /[ -]/g;
const TEXT_LENGTH_MAX = 255;

const oneLine = withoutCardNumber(line(TEXT_LENGTH_MAX));
const address = withoutCardNumber(lines(TEXT_LENGTH_MAX));

const numberField = field({ type: "string" }, (value, name) => {
  const written = asText(value, name);
  const number = written.replace(SEPARATORS, "");
  if (written.length > TEXT_LENGTH_MAX || !NUMBER.test(number))
    throw new FieldRefused(`The ${labelOf(name)} must be 5 to 34 letters and digits.`);
  return number;
});

const fields = {
  beneficiary_name: described(oneLine, "Whose account it is.", "Marisol Baptiste"),
  beneficiary_address: described(
    address,
    "Where the account's holder lives.",
    "12 Frederick Street, Port of Spain",
  ),
  beneficiary_account_number: described(
    numberField,
    "The account's number or IBAN: 5 to 34 letters and digits. Spaces and hyphens do not count.",
    "000123456789",
  ),
  beneficiary_bank: described(oneLine, "The bank that holds it.", "First Example Bank"),
  bank_address: described(address, "Where that bank is.", "1 Main Street, New York"),
  beneficiary_bank_swift_or_routing_code: described(
    swiftOrAbaField,
    "The bank's SWIFT code (8 or 11 characters) or ABA routing number (9 digits).",
    "CHASUS33",
  ),
  intermediary_bank: described(
    optional(oneLine),
    "The bank that passes the money on.",
    "Second Example Bank",
  ),
  intermediary_bank_address: described(
    optional(address),
    "Where that one is.",
    "2 Main Street, New York",
  ),
  intermediary_bank_swift_code: described(optional(swiftField), "Its SWIFT code.", "CITIUS33XXX"),
  intermediary_bank_routing_number_or_aba: described(
    optional(abaField),
    "Its ABA routing number.",
    "021000021",
  ),
};

export const foreignBank = {
  type: "foreign",
  fields,
  numberField: "beneficiary_account_number",
  bankField: "beneficiary_bank",
  // Its name is free text: a new one may be the same bank, spelt correctly.
  ofThatBank: () => [],
  table: sql`foreign_banks`,
  columns: fieldColumns(tables.foreign_banks),
  namesOn: () => Object.keys(fields),
  settle: (bank) => bank,
} satisfies BankKind;

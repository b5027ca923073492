/**
 * Every field of a withdrawal, in the order in which they are judged: the first that fails is
 * refused (Interface §2.3, Decision 0045). `withdrawal_type` decides which of them there are; the
 * others are never read, so they can never become where the money goes. The rules of the caller's
 * platform are applied in the same pass, so the order of the fields is the order of the refusals.
 */

import assert from "node:assert/strict";
import { amount } from "../../kit/fields/amount.ts";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { exampleOfFields } from "../../kit/fields/example.ts";
import {
  checked,
  described,
  type Field,
  field,
  fieldRefused,
  optional,
  readFields,
  type Values,
  withDefault,
} from "../../kit/fields/field.ts";
import { email, line, text } from "../../kit/fields/text.ts";
import { onlyWith } from "../../kit/fields/variant.ts";
import { CURRENCIES, type Currency, describeMoney } from "../../kit/money.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { BANK_ACCOUNT_TYPES, findBank } from "../platforms/banks.ts";
import { ID_TYPES } from "../platforms/ids.ts";
import { withdrawalTermsOf } from "../platforms/limits.ts";
import { type Platform, platformOf } from "../platforms/platform.ts";
import { demandNumberOf } from "../user/local-bank.ts";
import { WITHDRAWAL_TYPES, type WithdrawalType } from "./withdrawal.ts";

const LENGTH_MAX = 255;
const DATA_LENGTH_MAX = 4096;
const E164 = /^\+[1-9]\d{1,14}$/;
const E164_LENGTH_MAX = 16;
const ID_NUMBER_LENGTH_MAX = 32;
const DIGITS = /^[0-9]+$/;

const toSub = <T>(inner: Field<T>) =>
  onlyWith("withdrawal_type", ["sub_banked", "sub_unbanked"], inner);
const toBank = <T>(inner: Field<T>) => onlyWith("withdrawal_type", ["sub_banked"], inner);
const toPerson = <T>(inner: Field<T>) => onlyWith("withdrawal_type", ["sub_unbanked"], inner);

const nameLine = withoutCardNumber(line(LENGTH_MAX));

/** At least the minimum of the currency, which was read before. */
const amountField = checked(amount("a cent"), (minor, name, earlier) => {
  const currency = earlier?.currency as Currency | undefined;
  const minimum = currency && withdrawalTermsOf(currency).minimum;
  if (minimum !== undefined && minor < minimum.minor)
    throw fieldRefused(name, `must be at least ${describeMoney(minimum)}`, {
      code: "field_out_of_range",
    });
});

/** As many digits as the bank, which was read before, gives its accounts. */
function bankAccount(platform: Platform | undefined): Field<string> {
  const digits = text({
    max: LENGTH_MAX,
    pattern: DIGITS,
    patternRefusal: "The bank account must contain only digits.",
  });
  return checked(digits, (number, _name, earlier) => {
    const bank = platform && findBank(platform, String(earlier?.bank_name));
    if (bank !== undefined) demandNumberOf(bank, number);
  });
}

/** By the pattern of the type, which was read before; the metadata shows the same. */
function idNumber(platform: Platform | undefined): Field<string> {
  return checked(text({ max: ID_NUMBER_LENGTH_MAX }), (number, name, earlier) => {
    const rule = platform?.ids.find(({ type }) => type === earlier?.id_type);
    if (rule !== undefined && !rule.pattern.test(number))
      throw fieldRefused(name, "format is invalid");
  });
}

/** Required in Jamaica; elsewhere they are not read. */
function whereAsked<T extends string>(
  platform: Platform | undefined,
  words: readonly T[],
  wordsOf: (earlier?: Readonly<Record<string, unknown>>) => readonly T[],
): Field<T | undefined> {
  const any: Field<T | undefined> = optional(oneOf(words));
  if (platform === undefined) return any;
  if (!platform.asksForBranch) return { ...any, read: () => undefined };
  return {
    ...field<T>(any.schema, (value, name, earlier) => oneOf(wordsOf(earlier)).read(value, name)),
    required: false,
  };
}

function branch(platform: Platform | undefined): Field<string | undefined> {
  if (platform === undefined) return optional(text({ max: LENGTH_MAX }));
  return whereAsked(platform, [], (earlier) => {
    const bank = findBank(platform, String(earlier?.bank_name));
    assert(bank !== undefined, "the bank's name was judged before its branch");
    return bank.branches ?? [];
  });
}

/** Without a platform: as the documents show them. */
export function withdrawalFields(platform?: Platform) {
  const banks = platform?.banks.map(({ name }) => name);
  return {
    withdrawal_type: described(
      oneOf(WITHDRAWAL_TYPES),
      "To the account's own bank, to a bank account of somebody a main merchant pays, or to " +
        "such a person without one.",
      "normal",
    ),
    currency: described(oneOf(platform?.currencies ?? CURRENCIES), "One of the platform's.", "TTD"),
    amount: described(amountField, "The fee is taken beside it.", "100.00"),
    data: described(
      withDefault(withoutCardNumber(text({ max: DATA_LENGTH_MAX })), ""),
      "Told back wherever the withdrawal is shown and in events, exactly as it was sent.",
      '{"batch":7}',
    ),
    environment: described(optional(oneOf(ENVIRONMENTS)), "Absent: live.", "sandbox"),
    recipient_name: described(toPerson(nameLine), "Who is paid.", "Kerry-Ann Joseph"),
    email: described(
      toSub(withoutCardNumber(email({ max: LENGTH_MAX }))),
      "Of the payee.",
      "kerry@example.com",
    ),
    phone: described(
      toSub(text({ max: E164_LENGTH_MAX, pattern: E164 })),
      "Of the payee, in E.164.",
      "+18685550123",
    ),
    bank_name: described(
      toBank(banks === undefined ? text({ max: LENGTH_MAX }) : oneOf(banks)),
      "A bank of the platform, by the name that the metadata gives.",
      "First Citizens",
    ),
    bank_account: described(
      toBank(bankAccount(platform)),
      "The account's number, leading zeros included; how many digits it has depends on the bank.",
      "0012345678",
    ),
    name_in_bank: described(toBank(nameLine), "Whose account it is.", "Kerry-Ann Joseph"),
    id_type: described(toSub(oneOf(ID_TYPES)), "The document that shows who is paid.", "passport"),
    id_number: described(
      toSub(idNumber(platform)),
      "By the pattern of its kind in the metadata.",
      "TB123456",
    ),
    bank_account_type: described(
      toBank(whereAsked(platform, BANK_ACCOUNT_TYPES, () => BANK_ACCOUNT_TYPES)),
      "Jamaica only, and required there. Elsewhere it is ignored.",
      "savings",
    ),
    bank_branch: described(
      toBank(branch(platform)),
      "Jamaica only, and required there: a branch of that bank. Elsewhere it is ignored.",
      "Half Way Tree",
    ),
  };
}

export type WithdrawalValues = Values<ReturnType<typeof withdrawalFields>>;

/** A request as the documents show it (Decision 0050). */
export function exampleFor(kind: WithdrawalType): Record<string, unknown> {
  const fields = withdrawalFields();
  const { bank_account_type: _, bank_branch: __, ...shown } = fields;
  return exampleOfFields({
    ...shown,
    withdrawal_type: described(fields.withdrawal_type, "", kind),
  });
}

/** Turns an example for Trinidad and Tobago into one for Jamaica. */
const IN_JAMAICA = {
  currency: "JMD",
  amount: "1000.00",
  bank_name: "JN Bank",
  bank_account: "301234567",
  phone: "+18765550123",
  id_number: "A1234567",
  bank_account_type: "savings",
  bank_branch: "New Kingston",
};

const fieldsThere = withdrawalFields(platformOf("JM"));

/** Refusals by the rules of one platform of what others accept. */
export const PLATFORM_REFUSALS = [
  { bank_name: "1" },
  { bank_account: "1" },
  { id_number: "1" },
  { bank_account_type: "1" },
  { bank_account_type: undefined },
  { bank_branch: "1" },
  { bank_branch: undefined },
].map(
  (wrong) => () =>
    readFields(fieldsThere, { ...exampleFor("sub_banked"), ...IN_JAMAICA, ...wrong }),
);

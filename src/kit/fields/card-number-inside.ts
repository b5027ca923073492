/**
 * Texts that are stored are refused when they contain a card number (Decision 0002): many tables
 * are never changed, and events and webhooks copy such texts. Every stored text is read
 * `withoutCardNumber`, except numbers by nature (bank accounts, phones), web addresses and secrets.
 *
 * The log's filter errs towards masking; here a false positive would cost a sale or delay a refund.
 * So prefix and length must also be those of a card network: `20261115093000`, a time that many
 * shops number their orders by, is never taken for a card even if its Luhn digit fits.
 */

import { cardNumbersAt, isDigit } from "../card-number.ts";
import { CATALOGUE } from "../error-catalogue/catalogue.ts";
import { plainDigits } from "../plain-digits.ts";
import { type Field, fieldRefused } from "./field.ts";

/** Visa; Mastercard; American Express; Diners; Discover and UnionPay; JCB. */
const OF_A_NETWORK = new RegExp(
  [
    "^(?:4(?:\\d{12}|\\d{15}|\\d{18})",
    "(?:5[1-5]\\d{2}|222[1-9]|22[3-9]\\d|2[3-6]\\d{2}|27[01]\\d|2720)\\d{12}",
    "3[47]\\d{13}",
    "3(?:0[0-5]|[68]\\d)\\d{11}",
    "6(?:011|5\\d{2}|4[4-9]\\d|2\\d{2})\\d{12,15}",
    "35(?:2[89]|[3-8]\\d)\\d{12})$",
  ].join("|"),
);

/** From one day to another, as bookings have it: nobody parts a card number so. */
const DAY = String.raw`(?:[12]\d|3[01]|0[1-9])([/.-])(?:0[1-9]|1[0-2])`;
const YEAR = String.raw`(?:19|20)\d\d`;
const TWO_DAYS = new RegExp(`${DAY}\\1${YEAR}\\D{1,3}${DAY}\\2${YEAR}(?!\\d)`, "y");
const TWO_DAYS_DIGITS = 16;

export function holdsCardNumber(input: string): boolean {
  const text = plainDigits(input.normalize("NFKC"));
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text.charCodeAt(at)) || isDigit(text.charCodeAt(at - 1))) continue;
    const found = cardNumbersAt(text, at).filter((digits) => OF_A_NETWORK.test(digits));
    TWO_DAYS.lastIndex = at;
    const dates = found.length > 0 && TWO_DAYS.test(text) ? TWO_DAYS_DIGITS : 0;
    if (found.some(({ length }) => length !== dates)) return true;
  }
  return false;
}

/** After the field's own rules, so that an overlong text is not searched. */
export function withoutCardNumber(inner: Field<string>): Field<string> {
  return {
    ...inner,
    read(value, name, earlier) {
      const input = inner.read(value, name, earlier);
      if (holdsCardNumber(input))
        throw fieldRefused(name, "must not contain a card number", {
          code: "field_holds_card_number",
          hint: CATALOGUE.field_holds_card_number.hint,
        });
      return input;
    },
  };
}

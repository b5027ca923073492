/**
 * Texts of a payment request that hold a card number are refused (Decision 0036): what we keep and
 * echo must not become a place where card numbers lie about.
 *
 * The log's filter errs towards masking; here an error would cost a sale. So the number must also
 * begin as those of a network do and be as long: `20261115093000`, a time that many shops number
 * their orders by, is never taken for a card, whatever Luhn says of it.
 */

import { cardNumbersAt, isDigit } from "../../../kit/card-number.ts";
import { FieldRefused } from "../../../kit/errors.ts";
import { type Field, labelOf } from "../../../kit/fields/field.ts";

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

export function holdsCardNumber(given: string): boolean {
  const text = given.normalize("NFKC");
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text.charCodeAt(at)) || isDigit(text.charCodeAt(at - 1))) continue;
    if (cardNumbersAt(text, at).some((digits) => OF_A_NETWORK.test(digits))) return true;
  }
  return false;
}

export function withoutCardNumber(inner: Field<string>): Field<string> {
  return {
    ...inner,
    read(value, name, earlier) {
      const given = inner.read(value, name, earlier);
      if (holdsCardNumber(given))
        throw new FieldRefused(`The ${labelOf(name)} must not contain a card number.`);
      return given;
    },
  };
}

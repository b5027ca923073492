/**
 * Phone numbers of a platform's country (Interface §4.5, Decision 0018).
 *
 * The rule that matters: four of the five countries share +1 with North America, so a number must
 * be valid *and* belong to the country; its shape alone tells nothing. The numbering plans are
 * libphonenumber's, in the build that knows every kind of number: the smaller ones judge lengths
 * only and would pass numbers that nobody can have.
 */

import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { FieldRefused } from "../../kit/errors.ts";
import { type Field, field, labelOf } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";
import type { CountryCode } from "../../kit/vocabulary.ts";
import { platformOf } from "./platform.ts";

const E164 = /^\+[1-9]\d{1,14}$/;

/** The number as it was given, or undefined when it is not one of that country. */
export function readPhone(text: string, countryCode: CountryCode): string | undefined {
  // First, so that the parser, made for whatever people type, never meets a long or odd text.
  if (!E164.test(text)) return undefined;
  const phone = parsePhoneNumberFromString(text);
  // The parser mends what people type: it reads +1 1 868 … as +1 868 …. Only what needs no mending
  // is E.164.
  if (phone === undefined || phone.number !== text) return undefined;
  return phone.country === countryCode && phone.isValid() ? text : undefined;
}

export function phoneField(countryCode: CountryCode): Field<string> {
  const { name: country } = platformOf(countryCode);
  return field({ type: "string", pattern: E164.source }, (value, name) => {
    const given = asText(value, name);
    if (!E164.test(given)) throw new FieldRefused(`The ${labelOf(name)} format is invalid.`);
    const phone = readPhone(given, countryCode);
    if (phone === undefined)
      throw new FieldRefused(`The ${labelOf(name)} must be a valid phone number of ${country}.`);
    return phone;
  });
}

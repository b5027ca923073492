/**
 * Phone numbers of a platform's country (Interface §4.5, Decision 0018). Four of the five countries
 * share +1 with North America, so a number must be valid and belong to the country. The `max` build
 * of libphonenumber is needed: the smaller ones check lengths only.
 */

import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { FieldRefused } from "../../kit/errors.ts";
import { type Field, field, labelOf } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";
import type { CountryCode } from "../../kit/vocabulary.ts";
import { platformOf } from "./platform.ts";

const E164 = /^\+[1-9]\d{1,14}$/;
/** What the lenient parser may see. */
const TYPED = /^[\d\s().-]{5,30}$/;

/** The number unchanged, or undefined when it is not one of that country. */
export function readPhone(text: string, countryCode: CountryCode): string | undefined {
  // First, so that the lenient parser never sees long or odd text.
  if (!E164.test(text)) return undefined;
  const phone = parsePhoneNumberFromString(text);
  // The parser corrects input: it reads +1 1 868 … as +1 868 …, which is not E.164.
  if (phone === undefined || phone.number !== text) return undefined;
  return phone.country === countryCode && phone.isValid() ? text : undefined;
}

/** As people write numbers of their own country; undefined when it is none. */
export function internationalPhone(typed: string, countryCode: CountryCode): string | undefined {
  if (!TYPED.test(typed)) return undefined;
  const phone = parsePhoneNumberFromString(typed, countryCode);
  return phone?.isValid() ? phone.number : undefined;
}

export function phoneField(countryCode: CountryCode): Field<string> {
  const { name: country } = platformOf(countryCode);
  return field({ type: "string", pattern: E164.source }, (value, name) => {
    const text = asText(value, name);
    if (!E164.test(text)) throw new FieldRefused(`The ${labelOf(name)} format is invalid.`);
    const phone = readPhone(text, countryCode);
    if (phone === undefined)
      throw new FieldRefused(`The ${labelOf(name)} must be a valid phone number of ${country}.`);
    return phone;
  });
}

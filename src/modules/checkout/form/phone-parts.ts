/**
 * A phone number as two controls: the dialling country and the number as people write it there. Put
 * together it is E.164, or nothing when it is no number of that country (Interface §2.4).
 */

import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";

const E164 = /^\+[1-9]\d{1,14}$/;
/** As people write them; longer and odder texts never reach the parser. */
const TYPED = /^[\d\s().+\-/]{2,24}$/;

export interface PhoneParts {
  readonly dial: string | undefined;
  readonly phone: string;
}

/** Undefined unless it is a complete valid number. */
export function splitPhone(e164: string): PhoneParts | undefined {
  if (!E164.test(e164)) return undefined;
  const parsed = parsePhoneNumberFromString(e164);
  if (parsed === undefined || parsed.number !== e164 || !parsed.isValid()) return undefined;
  // A number of no country, as +800 numbers are, is shown whole.
  if (parsed.country === undefined) return { dial: undefined, phone: e164 };
  return { dial: parsed.country, phone: parsed.formatNational() };
}

/** Undefined when it is no number; a typed `+` says the country itself. */
export function joinPhone({ dial, phone }: PhoneParts): string | undefined {
  if (!TYPED.test(phone)) return undefined;
  const country = dial !== undefined && isSupportedCountry(dial) ? dial : undefined;
  const parsed = parsePhoneNumberFromString(phone, country);
  if (parsed === undefined || !parsed.isValid()) return undefined;
  const isOfCountry = phone.trim().startsWith("+") || parsed.country === country;
  return isOfCountry ? parsed.number : undefined;
}

/** What a change of the business profile may hold. Null or empty text clears a field. */

import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { withoutCardNumber } from "../../kit/fields/card-number-inside.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { clearable, described, type Field, field, fieldRefused } from "../../kit/fields/field.ts";
import { asText, email, line, text } from "../../kit/fields/text.ts";
import { LANGUAGES } from "../../kit/vocabulary.ts";

const WEBSITE_LENGTH_MAX = 255;
const COLOUR = /^#[0-9a-f]{6}$/i;
const E164 = /^\+[1-9]\d{1,14}$/;
export const TIME_ZONES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf("timeZone"),
  "UTC",
]);

export const businessBody = {
  business_name: described(
    clearable(withoutCardNumber(line(60))),
    "What customers know it by: on the payment page, receipts and links.",
    "Sea Grape Books",
  ),
  website: described(
    clearable(withoutCardNumber(website())),
    "Its own site.",
    "https://seagrape.example.com",
  ),
  support_email: described(
    clearable(withoutCardNumber(email())),
    "Where customers write; receipts show it.",
    "help@seagrape.example.com",
  ),
  support_phone: described(
    clearable(anyPhone()),
    "Where customers call, in E.164 form, of any country.",
    "+18686221234",
  ),
  accent_colour: described(
    clearable(text({ max: 7, pattern: COLOUR })),
    "Of the buttons of its pages, as #rrggbb. Text on it is black or white.",
    "#0b5c66",
  ),
  time_zone: described(
    clearable(timeZone()),
    "Of its days and times, by its IANA name. Without it that of the platform.",
    "America/Port_of_Spain",
  ),
  language: described(
    clearable(oneOf(LANGUAGES)),
    "Of its pages and mails, where neither the payment request nor the browser says one.",
    "en",
  ),
};

/** As it was typed, less what a browser would not keep; never with a name and password in it. */
function website(): Field<string> {
  const schema = { type: "string", format: "uri", maxLength: WEBSITE_LENGTH_MAX };
  return field(schema, (value, name) => {
    const typed = asText(value, name);
    const url = URL.canParse(typed) ? new URL(typed) : undefined;
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    if (url === undefined || !isWeb || url.username !== "" || url.password !== "")
      throw fieldRefused(name, "must be an address that begins with https:// or http://");
    if (url.href.length > WEBSITE_LENGTH_MAX)
      throw fieldRefused(name, `must not be longer than ${WEBSITE_LENGTH_MAX} characters`, {
        code: "field_too_long",
      });
    // A browser adds a slash to a bare host, which its owner did not write.
    return url.href === `${typed}/` ? typed : url.href;
  });
}

/** Customers of a platform may be helped from another country. */
function anyPhone(): Field<string> {
  return field({ type: "string", pattern: E164.source }, (value, name) => {
    // As people write numbers.
    const typed = asText(value, name).replace(/[\s().-]/g, "");
    if (!E164.test(typed)) throw fieldRefused(name, "format is invalid");
    const phone = parsePhoneNumberFromString(typed);
    if (phone?.number !== typed || !phone.isValid())
      throw fieldRefused(name, "must be a valid phone number");
    return typed;
  });
}

function timeZone(): Field<string> {
  return field({ type: "string" }, (value, name) => {
    const typed = asText(value, name);
    if (!TIME_ZONES.has(typed))
      throw fieldRefused(name, "must be the name of a time zone, such as America/Port_of_Spain");
    return typed;
  });
}

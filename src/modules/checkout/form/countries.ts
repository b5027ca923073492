/**
 * The countries that a card or a phone may be of, by name in the language of the page: billing
 * countries by ISO 3166-1, dialling countries by libphonenumber's plans.
 *
 * Names are those that browsers use (CLDR, in Node); made once for each language. The countries
 * that we serve come first, then the rest of the Caribbean, then the others, each by name.
 */

import { createRequire } from "node:module";
import { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import { COUNTRY_CODES, type Language } from "../../../kit/vocabulary.ts";
import { LOCALE_TAGS } from "../../../words/locale.ts";

interface Choice {
  readonly value: string;
  readonly text: string;
}

const require = createRequire(import.meta.url);
const CARIBBEAN =
  "AG AI AW BL BQ BS BZ CU CW DM DO GP HT KN KY LC MF MQ MS PR SR SX TC VC VG VI".split(" ");
const known = new Map<Language, { countries: readonly Choice[]; dials: readonly Choice[] }>();

export function isBillingCountry(code: string): boolean {
  return countriesIn("en").countries.some(({ value }) => value === code);
}

/** Billing countries, and dialling countries with their codes. */
export function countriesIn(language: Language) {
  const made = known.get(language) ?? makeLists(language);
  known.set(language, made);
  return made;
}

function makeLists(language: Language) {
  const { iso31661 } = require("iso-3166/1.js") as typeof import("iso-3166/1.js");
  const tag = LOCALE_TAGS[language];
  const names = new Intl.DisplayNames([tag], { type: "region" });
  const nameOf = (code: string) => names.of(code) ?? code;
  const order = new Intl.Collator(tag);
  const sorted = (choices: Choice[]) =>
    choices.sort(
      (one, other) =>
        distanceOf(one.value) - distanceOf(other.value) || order.compare(one.text, other.text),
    );
  return {
    countries: sorted(
      iso31661
        .filter(({ state }) => state === "assigned")
        .map(({ alpha2 }) => ({ value: alpha2, text: nameOf(alpha2) })),
    ),
    dials: sorted(
      getCountries().map((code) => ({
        value: code,
        text: `${nameOf(code)} (+${getCountryCallingCode(code)})`,
      })),
    ),
  };
}

function distanceOf(country: string): number {
  if (COUNTRY_CODES.some((code) => code === country)) return 0;
  return CARIBBEAN.includes(country) ? 1 : 2;
}

/**
 * Reads where the card's bank sends its bills (Decision 0040). With AVS the bank compares it, so
 * country, address and city are demanded, and a state exactly where the country has subdivisions;
 * without it everything may be left out, and what is given must still make sense.
 *
 * A postal code is never demanded: half of the Caribbean has none.
 */

import type { Billing } from "../../gateway/port.ts";
import { isSubdivision, subdivisionsOf } from "../../platforms/subdivisions.ts";
import {
  type CardRules,
  type Problem,
  problemsOf,
  type Read,
  wordsProblem,
} from "./card-fields.ts";
import { isBillingCountry } from "./countries.ts";
import { FIELD_TEXTS } from "./field-texts-en.ts";
import type { FormValues } from "./form-values.ts";
import { joinPhone } from "./phone-parts.ts";

const LENGTHS_MAX = { addr1: 50, addr2: 50, city: 30, zipcode: 10 };
const ZIPCODE = /^[A-Za-z0-9](?:[A-Za-z0-9 -]*[A-Za-z0-9])?$/;

type Maybe = Read<string | undefined>;

export function readBilling(
  form: FormValues,
  { isAvs }: Pick<CardRules, "isAvs">,
): { billing: Billing } | { problems: readonly Problem[] } {
  const country = readCountry(form.country, isAvs);
  const addr1 = readWords(form.addr1, LENGTHS_MAX.addr1, isAvs && FIELD_TEXTS.addr1.missing);
  const addr2 = readWords(form.addr2, LENGTHS_MAX.addr2, false);
  const city = readWords(form.city, LENGTHS_MAX.city, isAvs && FIELD_TEXTS.city.missing);
  const state = readState(form.state, "value" in country ? country.value : undefined, isAvs);
  const zipcode = readZipcode(form.zipcode);
  const phone = readPhone(form);
  const problems = problemsOf({ country, addr1, addr2, city, state, zipcode, phone });
  if (problems.length > 0) return { problems };
  const lines = [given(addr1), given(addr2)].filter((line) => line !== undefined);
  return {
    billing: {
      country: given(country),
      address: lines.length === 0 ? undefined : lines.join(", "),
      city: given(city),
      state: given(state),
      zipcode: given(zipcode),
      phone: given(phone),
    },
  };
}

function given(read: Maybe): string | undefined {
  return "value" in read ? read.value : undefined;
}

function readCountry(typed = "", isDemanded: boolean): Maybe {
  if (typed === "")
    return isDemanded ? { message: FIELD_TEXTS.country.missing } : { value: undefined };
  return isBillingCountry(typed)
    ? { value: typed }
    : { message: "Choose a country from the list." };
}

function readWords(typed = "", charactersMax: number, missing: string | false): Maybe {
  const text = typed.trim().replace(/\s+/g, " ");
  if (text === "") return missing === false ? { value: undefined } : { message: missing };
  const problem = wordsProblem(text, charactersMax);
  return problem === undefined ? { value: text } : { message: problem };
}

/** As `US-CA`, also when it was typed as `CA`. */
function readState(typed = "", country: string | undefined, isDemanded: boolean): Maybe {
  if (country === undefined) return { value: undefined };
  const names = subdivisionsOf(country);
  // A list that stayed behind when the country was changed is not the customer's mistake.
  if (Object.keys(names).length === 0) return { value: undefined };
  const text = typed.trim();
  if (text === "")
    return isDemanded ? { message: FIELD_TEXTS.state.missing } : { value: undefined };
  if (!isSubdivision(country, text))
    return { message: "Choose a state, province or parish from the list." };
  return { value: Object.hasOwn(names, text) ? text : `${country}-${text}` };
}

function readZipcode(typed = ""): Maybe {
  const text = typed.trim();
  if (text === "") return { value: undefined };
  if (text.length > LENGTHS_MAX.zipcode || !ZIPCODE.test(text))
    return { message: "Check your postal code. Use up to 10 letters and digits." };
  return { value: text };
}

function readPhone({ dial, phone = "" }: FormValues): Maybe {
  if (phone.trim() === "") return { value: undefined };
  const joined = joinPhone({ dial, phone: phone.trim() });
  return joined === undefined ? { message: FIELD_TEXTS.phone.wrong } : { value: joined };
}

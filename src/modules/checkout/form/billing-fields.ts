/**
 * Reads where the card's bank sends its bills (Decision 0040). With AVS the bank compares it, so
 * country, address and city are demanded, and a state exactly where the country has subdivisions;
 * without it everything may be left out, and what is given must still make sense.
 *
 * A postal code is never demanded: half of the Caribbean has none.
 */

import type { CardFormWords } from "../../../words/card-form/en.ts";
import type { Billing } from "../../gateway/port.ts";
import { isSubdivision, subdivisionsOf } from "../../platforms/subdivisions.ts";
import { type CardRules, lineProblem, type Problem, problemsOf, type Read } from "./card-fields.ts";
import { isBillingCountry } from "./countries.ts";
import type { FormValues } from "./form-values.ts";
import { joinPhone } from "./phone-parts.ts";

const LENGTHS_MAX = { addr1: 50, addr2: 50, city: 30, zipcode: 10 };
const ZIPCODE = /^[A-Za-z0-9](?:[A-Za-z0-9 -]*[A-Za-z0-9])?$/;

type Maybe = Read<string | undefined>;

export function readBilling(
  form: FormValues,
  { isAvs, words }: Pick<CardRules, "isAvs" | "words">,
): { billing: Billing } | { problems: readonly Problem[] } {
  const country = readCountry(form.country, isAvs, words);
  const addr1 = readLine(form, "addr1", isAvs, words);
  const addr2 = readLine(form, "addr2", false, words);
  const city = readLine(form, "city", isAvs, words);
  const state = readState(form.state, given(country), isAvs, words);
  const zipcode = readZipcode(form.zipcode, words);
  const phone = readPhone(form, words);
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

function readCountry(typed = "", isDemanded: boolean, { country }: CardFormWords): Maybe {
  if (typed === "") return isDemanded ? { message: country.missing } : { value: undefined };
  return isBillingCountry(typed) ? { value: typed } : { message: country.wrong };
}

function readLine(
  form: FormValues,
  name: "addr1" | "addr2" | "city",
  isDemanded: boolean,
  words: CardFormWords,
): Maybe {
  const text = (form[name] ?? "").trim().replace(/\s+/g, " ");
  if (text === "") return isDemanded ? { message: words[name].missing } : { value: undefined };
  const problem = lineProblem(text, LENGTHS_MAX[name], words);
  return problem === undefined ? { value: text } : { message: problem };
}

/** As `US-CA`, also when it was typed as `CA`. */
function readState(
  typed = "",
  country: string | undefined,
  isDemanded: boolean,
  { state }: CardFormWords,
): Maybe {
  if (country === undefined) return { value: undefined };
  const names = subdivisionsOf(country);
  // A list that stayed behind when the country was changed is not the customer's mistake.
  if (Object.keys(names).length === 0) return { value: undefined };
  const text = typed.trim();
  if (text === "") return isDemanded ? { message: state.missing } : { value: undefined };
  if (!isSubdivision(country, text)) return { message: state.wrong };
  return { value: Object.hasOwn(names, text) ? text : `${country}-${text}` };
}

function readZipcode(typed = "", { zipcode }: CardFormWords): Maybe {
  const text = typed.trim();
  if (text === "") return { value: undefined };
  if (text.length > LENGTHS_MAX.zipcode || !ZIPCODE.test(text)) return { message: zipcode.wrong };
  return { value: text };
}

function readPhone({ dial, phone = "" }: FormValues, words: CardFormWords): Maybe {
  if (phone.trim() === "") return { value: undefined };
  const joined = joinPhone({ dial, phone: phone.trim() });
  return joined === undefined ? { message: words.phone.wrong } : { value: joined };
}

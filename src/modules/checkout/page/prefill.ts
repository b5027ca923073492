/**
 * What the form shows before anybody has typed: the customer as the merchant described them, by the
 * four rules of Interface §2.4. The merchant's own country is not asked: it says nothing of theirs.
 */

import { isSubdivision, subdivisionsOf } from "../../platforms/subdivisions.ts";
import type { Customer } from "../../transactions/transaction.ts";
import { isBillingCountry } from "../form/countries.ts";
import type { KeptValues } from "../form/form-values.ts";
import { splitPhone } from "../form/phone-parts.ts";

export function prefill(customer: Customer): KeptValues {
  const { country: given = "", fname, lname, addr1, addr2, city, zipcode } = customer;
  const country = isBillingCountry(given) ? given : undefined;
  const phone = splitPhone(customer.phone ?? "") ?? { dial: country, phone: undefined };
  const known = {
    holder: [fname, lname].filter((name) => name !== undefined).join(" ") || undefined,
    country,
    addr1,
    addr2,
    city,
    state: country === undefined ? undefined : fullCode(country, customer.state ?? ""),
    zipcode,
    dial: phone.dial,
    phone: phone.phone,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

function fullCode(country: string, state: string): string | undefined {
  if (!isSubdivision(country, state)) return undefined;
  return Object.hasOwn(subdivisionsOf(country), state) ? state : `${country}-${state}`;
}

/**
 * Platforms: what each of the five countries allows (Interface §1, §2.3, §2.4). This folder is data
 * and its lookup, without database or clock (Decision 0017). A platform has two currencies, its own
 * and the US dollar. Everything that depends on the country is here: no other file compares country
 * codes.
 */

import type { Currency } from "../../kit/money.ts";
import type { CountryCode } from "../../kit/vocabulary.ts";
import { BANKS } from "./bank-list.ts";
import type { Bank } from "./banks.ts";
import { ID_RULES, type IdRule } from "./ids.ts";

type LocalCurrency = Exclude<Currency, "USD">;

export interface Platform {
  readonly countryCode: CountryCode;
  /** As it stands in a sentence: "a valid phone number of Barbados". */
  readonly name: string;
  readonly localCurrency: LocalCurrency;
  readonly foreignCurrency: "USD";
  /** The local one first. */
  readonly currencies: readonly [LocalCurrency, "USD"];
  readonly banks: readonly Bank[];
  readonly ids: readonly IdRule[];
  /** Its midnight ends a bank day. */
  readonly timeZone: string;
  /** Whether local bank details name the kind of account and the branch. */
  readonly asksForBranch: boolean;
}

const TIME_ZONES: Readonly<Record<CountryCode, string>> = {
  BB: "America/Barbados",
  GD: "America/Grenada",
  GY: "America/Guyana",
  JM: "America/Jamaica",
  TT: "America/Port_of_Spain",
};

const PLATFORMS: Readonly<Record<CountryCode, Platform>> = {
  BB: platform("BB", "Barbados", "BBD"),
  GD: platform("GD", "Grenada", "XCD"),
  GY: platform("GY", "Guyana", "GYD"),
  JM: platform("JM", "Jamaica", "JMD"),
  TT: platform("TT", "Trinidad and Tobago", "TTD"),
};

export function platformOf(countryCode: CountryCode): Platform {
  return PLATFORMS[countryCode];
}

function platform(countryCode: CountryCode, name: string, localCurrency: LocalCurrency): Platform {
  return {
    countryCode,
    name,
    localCurrency,
    foreignCurrency: "USD",
    currencies: [localCurrency, "USD"],
    banks: BANKS[countryCode],
    ids: ID_RULES[countryCode],
    timeZone: TIME_ZONES[countryCode],
    asksForBranch: countryCode === "JM",
  };
}

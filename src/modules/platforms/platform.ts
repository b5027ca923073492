/**
 * Platforms: what each of the five countries allows (Interface §1, §2.3, §2.4). Everything in this
 * folder is data and its lookup; nothing here reads the database or a clock (Decision 0017).
 *
 * The rule that matters: a platform has exactly two currencies, its own and the US dollar, and all
 * that depends on the country is asked of it here, so no other file compares country codes.
 */

import type { Currency } from "../../kit/money.ts";
import type { CountryCode } from "../../kit/vocabulary.ts";
import type { Bank } from "./banks.ts";
import { BANKS_OF_BARBADOS } from "./banks-of-barbados.ts";
import { BANKS_OF_GRENADA } from "./banks-of-grenada.ts";
import { BANKS_OF_GUYANA } from "./banks-of-guyana.ts";
import { BANKS_OF_JAMAICA } from "./banks-of-jamaica.ts";
import { BANKS_OF_TRINIDAD_AND_TOBAGO } from "./banks-of-trinidad-and-tobago.ts";
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
  /** Whose midnight ends a bank day there. */
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
  BB: platform("BB", "Barbados", "BBD", BANKS_OF_BARBADOS),
  GD: platform("GD", "Grenada", "XCD", BANKS_OF_GRENADA),
  GY: platform("GY", "Guyana", "GYD", BANKS_OF_GUYANA),
  JM: platform("JM", "Jamaica", "JMD", BANKS_OF_JAMAICA),
  TT: platform("TT", "Trinidad and Tobago", "TTD", BANKS_OF_TRINIDAD_AND_TOBAGO),
};

export function platformOf(countryCode: CountryCode): Platform {
  return PLATFORMS[countryCode];
}

function platform(
  countryCode: CountryCode,
  name: string,
  localCurrency: LocalCurrency,
  banks: readonly Bank[],
): Platform {
  return {
    countryCode,
    name,
    localCurrency,
    foreignCurrency: "USD",
    currencies: [localCurrency, "USD"],
    banks,
    ids: ID_RULES[countryCode],
    timeZone: TIME_ZONES[countryCode],
    asksForBranch: countryCode === "JM",
  };
}

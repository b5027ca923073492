/**
 * Our own bank accounts, as the setting PAYOUT_ACCOUNTS names them. They are a setting and not an
 * option of a command, so that nobody pays from a mistyped account (Decision 0048).
 */

import { SWIFT_CODE } from "../kit/ids.ts";
import { CURRENCIES, type Currency } from "../kit/money.ts";
import { COUNTRY_CODES, type CountryCode } from "../kit/vocabulary.ts";
import type { SettingsReader } from "./settings-reader.ts";

export interface PayoutAccount {
  readonly countryCode: CountryCode;
  readonly currency: Currency;
  readonly account: string;
  /** Its SWIFT code. */
  readonly bank: string;
  /** Whose it is: ours, as that bank spells it. */
  readonly name: string;
}

const FORM = /^([A-Z]{2}):([A-Z]{3}):([A-Za-z0-9]{5,34}):([^:]*):(.{1,140})$/;

export function readPayoutAccounts(
  read: SettingsReader,
  production: boolean,
): readonly PayoutAccount[] {
  const given = read.list("PAYOUT_ACCOUNTS");
  if (given.length === 0) return production ? [] : MADE_UP;
  const found: PayoutAccount[] = [];
  for (const text of given) {
    const one = parse(text);
    if (one === undefined)
      read.refuse(
        "PAYOUT_ACCOUNTS must be platform:currency:account:SWIFT:name, such as " +
          "TT:TTD:0012345678:FCTTTTPS:Windward Limited.",
      );
    else if (found.some((other) => isFor(other, one)))
      read.refuse(`PAYOUT_ACCOUNTS names two accounts for ${one.currency} of ${one.countryCode}.`);
    else found.push(one);
  }
  return found;
}

export function isFor(
  account: PayoutAccount,
  wanted: { countryCode: CountryCode; currency: Currency },
): boolean {
  return account.countryCode === wanted.countryCode && account.currency === wanted.currency;
}

function parse(text: string): PayoutAccount | undefined {
  const [, country, code, account = "", bank = "", name = ""] = FORM.exec(text) ?? [];
  const countryCode = COUNTRY_CODES.find((one) => one === country);
  const currency = CURRENCIES.find((one) => one === code);
  if (countryCode === undefined || currency === undefined || !SWIFT_CODE.test(bank))
    return undefined;
  return { countryCode, currency, account, bank, name };
}

const MADE_UP: readonly PayoutAccount[] = COUNTRY_CODES.flatMap((countryCode) =>
  CURRENCIES.map((currency) => ({
    countryCode,
    currency,
    account: "0000000001",
    bank: `WIND${countryCode}00`,
    name: "Windward Development",
  })),
);

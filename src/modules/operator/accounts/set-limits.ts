/** Sets what one payment of an account may be, from a moment on (Decision 0129). */

import { OperatorError } from "../../../kit/errors.ts";
import { amount } from "../../../kit/fields/amount.ts";
import { optional } from "../../../kit/fields/field.ts";
import { CURRENCIES, type Currency, describeMoney, formatMoney } from "../../../kit/money.ts";
import { insertOwnLimits } from "../../accounts/own-terms.ts";
import { type PaymentLimits, paymentLimitsOf } from "../../platforms/limits.ts";
import { OWN_MAXIMUM_MINOR, type OwnLimits } from "../../platforms/own-terms.ts";
import { platformOf } from "../../platforms/platform.ts";
import { defineAction } from "../command.ts";
import { accountNumberField, option, switchOption, wordOption } from "../fields.ts";
import { plain } from "../render.ts";
import { accountRefuses, actOnAccount, type LockedAccount } from "./account.ts";
import { demandBusiness, demandSomethingLeft, fromOption, termsFrom } from "./terms-from.ts";

const limit = (about: string) => optional(option(amount(), "amount", about));

export const setLimits = defineAction({
  name: "set-limits",
  right: "risk",
  about: "set what one payment of an account may be, from a date on",
  more:
    "In one currency; what is left out is the platform's. What was requested before stays as it " +
    "is. Set again for the same moment, the last ones count.",
  fields: {
    account_number: accountNumberField,
    currency: wordOption(CURRENCIES, "One of the two of its platform."),
    minimum: limit("The least that may be asked for."),
    maximum: limit("The most."),
    from: fromOption,
    standard: switchOption("The platform's limits again, in place of amounts."),
  },
  subject: "account_number",
  example: {
    given: "1234567890 --currency TTD --maximum 50000.00",
    shows:
      "Account 1234567890: a payment may be from 5.00 TTD to 50000.00 TTD\n" +
      "from 2026-11-15 06:32:04Z on.",
    entry: 5,
  },
  run: (_ctx, { account_number: accountNumber, currency, from: typed, ...given }, act) =>
    actOnAccount(act, accountNumber, async (tx, account) => {
      demandBusiness(account);
      demandCurrency(account, currency);
      const own = ownLimits(currency, given);
      const from = await termsFrom(tx, typed);
      await insertOwnLimits(tx, accountNumber, from, { currency, limits: own });
      await demandSomethingLeft(tx, account, from);
      const { minimum, maximum } = limitsOf(currency, own);
      const data = {
        currency,
        minimum: formatMoney(minimum),
        maximum: formatMoney(maximum),
        standard: given.standard,
        from: from.toISOString(),
      };
      const range = `${describeMoney(minimum)} to ${describeMoney(maximum)}`;
      return {
        action: "limits_set",
        detail: data,
        data,
        text: `Account ${accountNumber}: a payment may be from ${range}\nfrom ${plain(from)} on.`,
      };
    }),
});

function demandCurrency(account: LockedAccount, currency: Currency): void {
  const { currencies } = platformOf(account.country_code);
  if (!currencies.some((one) => one === currency))
    throw accountRefuses(account, `is paid in ${currencies.join(" and ")}.`);
}

/** Undefined: the platform's. */
function ownLimits(
  currency: Currency,
  given: {
    readonly minimum: bigint | undefined;
    readonly maximum: bigint | undefined;
    readonly standard: boolean;
  },
): OwnLimits | undefined {
  const isGiven = given.minimum !== undefined || given.maximum !== undefined;
  if (isGiven === given.standard)
    throw new OperatorError("Give a minimum, a maximum or both; or standard, and neither.");
  if (given.standard) return undefined;
  const usual = paymentLimitsOf(currency);
  const { minimum = usual.minimum.minor, maximum = usual.maximum.minor } = given;
  const isRange = minimum >= 1n && minimum <= maximum && maximum <= OWN_MAXIMUM_MINOR;
  if (isRange) return { minimum, maximum };
  const limits = limitsOf(currency, { minimum, maximum });
  throw new OperatorError(
    `No payment is from ${describeMoney(limits.minimum)} to ${describeMoney(limits.maximum)}.`,
  );
}

function limitsOf(currency: Currency, own: OwnLimits | undefined): PaymentLimits {
  return paymentLimitsOf(currency, own && { limits: { [currency]: own } });
}
